import { Besides } from './besides.ts';
import type { ClientPipe } from './clientPipe.ts';
import { answerTo, isRequest, refusalOf } from './defaultAnswers.ts';
import { parseObject, textAt, valueAt, type JsonObject } from './json.ts';
import { isAlike, KeptAnswers, rankOf } from './keptAnswers.ts';
import { LiveClient } from './liveClient.ts';
import { LiveNames } from './liveNames.ts';
import { LiveVoice } from './liveVoice.ts';
import { endContradicted } from './permission.ts';
import type { RecordedLine, Transcript } from './transcript.ts';
import { Turns, type Turn } from './turns.ts';

/** Milliseconds of a recorded pause that are kept at most. */
const LONGEST_PAUSE = 600_000;

/**
 * Plays what an agent once said, in step with a client: each recorded frame goes out once the client has done what came
 * before it in the recording. Requests are matched by their method, whatever they say; answers by their id.
 *
 * A client that does something else gets what is most like it. A prompt of any text takes the next recorded turn. Stop
 * goes on from where it was pressed in the recording, or ends the turn. A yes where there was a no, or the other way
 * round, ends the turn with a sentence, as nobody knows what would have followed. Requests that the recording does not
 * have here are answered as the last one of their kind was. After the last turn each prompt is told that it was the last.
 */
export class Replay {
  private readonly turns = new Turns();
  private readonly live: LiveClient;
  private readonly voice: LiveVoice;
  private readonly kept = new KeptAnswers();
  private readonly names = new LiveNames();
  /** Recorded requests that are not answered yet, by their id as text, and what the client sent in their place. */
  private readonly open = new Map<string, { recorded: JsonObject; live?: JsonObject }>();
  /** Ids of requests of the agent that the client never got. */
  private readonly skipped = new Set<string>();
  private readonly besides: Besides;

  /** @param speed Recorded pauses are divided by it; without it there are none. */
  constructor(
    private readonly transcript: Transcript,
    client: ClientPipe,
    private readonly speed: number | undefined,
  ) {
    this.live = new LiveClient(client, this.turns);
    this.voice = new LiveVoice(client);
    this.besides = new Besides(this.live, this.voice, this.kept);
  }

  /** Resolves when the client has gone. */
  async play(): Promise<void> {
    let before: number | undefined;
    for await (const record of this.transcript.records()) {
      const frame = parseObject(record.raw);
      if (record.dir === 'recv') {
        if (!this.isLeftOut(frame)) await this.pause(record.ts - (before ?? record.ts));
        await this.say(record, frame);
      } else if (frame !== undefined && !(await this.isFollowed(frame))) {
        return;
      }
      before = record.ts;
    }
    await this.finish();
  }

  /** Waits until the client has done what was recorded, or something that leaves it out. @returns Whether it did. */
  private isFollowed(frame: JsonObject): Promise<boolean> {
    if (isRequest(frame)) return this.isRequested(frame);
    return frame['method'] === undefined ? this.isAnswered(frame) : this.isStopped(frame);
  }

  private async isRequested(recorded: JsonObject): Promise<boolean> {
    const key = String(recorded['id']);
    const rank = rankOf(recorded) || 1;
    const take = () => this.live.requests.take((one) => isAlike(one, recorded));
    do {
      let live = take();
      if (live === undefined) {
        await this.besides.serve((one) => !isAlike(one, recorded) && rankOf(one) < rank);
        live = take();
      }
      if (live !== undefined) {
        this.open.set(key, { recorded, live });
        this.begin(key, recorded, live);
        return true;
      }
      if (this.live.requests.first !== undefined) {
        // The client is further on: it has left this request out.
        this.open.set(key, { recorded });
        return true;
      }
    } while (await this.live.heard());
    return false;
  }

  private begin(key: string, recorded: JsonObject, live: JsonObject): void {
    const session = textAt(recorded, 'params', 'sessionId');
    const liveSession = textAt(live, 'params', 'sessionId');
    this.names.learn(session, liveSession);
    if (rankOf(recorded) !== 3) return;
    this.besides.turns += 1;
    const turn: Turn = {
      key,
      session,
      liveId: live['id'],
      liveSession,
      stop: 0,
      ending: undefined,
    };
    this.turns.begin(turn);
    this.turns.stop(turn, this.live.earlyStop(live));
  }

  private async isAnswered(recorded: JsonObject): Promise<boolean> {
    const key = String(recorded['id']);
    const asked = this.live.asked.get(key);
    if (asked === undefined) return true;
    const session = textAt(asked, 'params', 'sessionId');
    do {
      await this.besides.serveOthers();
      const answer = this.live.answers.get(key);
      if (answer === undefined && !(session && this.turns.isMuted(session))) continue;
      this.live.asked.delete(key);
      this.live.answers.delete(key);
      if (answer !== undefined) {
        const terminals = [recorded, answer].map((one) => textAt(one, 'result', 'terminalId'));
        this.names.learn(terminals[0], terminals[1]);
        await endContradicted(asked, recorded, answer, this.turns, this.voice);
      }
      return true;
    } while (await this.live.heard());
    return false;
  }

  private async isStopped(frame: JsonObject): Promise<boolean> {
    const { turn, stop } = this.turns.stoppedBy(frame);
    if (turn === undefined) return true;
    do {
      await this.besides.serveOthers();
      if (turn.stop >= stop && turn.ending === 'cancelled') turn.ending = undefined;
      if (turn.stop >= stop || turn.ending === 'end_turn') return true;
    } while (await this.live.heard());
    return false;
  }

  private async say({ raw }: RecordedLine, frame: JsonObject | undefined): Promise<void> {
    if (frame === undefined) return this.voice.repeat(raw);
    const { id, method } = frame;
    if (method === undefined) return this.answer(raw, frame);
    const session = textAt(frame, 'params', 'sessionId');
    const isMuted = session !== undefined && this.turns.isMuted(session);
    if (isRequest(frame) && isMuted) this.skipped.add(String(id));
    else if (isRequest(frame)) this.live.asked.set(String(id), frame);
    const named = String(valueAt(frame, ['params', 'requestId']));
    if (isMuted || (method === '$/cancel_request' && this.skipped.has(named))) return;
    await this.voice.repeat(raw, frame, this.names.renamed(frame));
  }

  /** Whether a frame answers a request that the client has left out. */
  private isLeftOut(frame: JsonObject | undefined): boolean {
    if (frame === undefined || frame['method'] !== undefined) return false;
    const request = this.open.get(String(frame['id']));
    return request !== undefined && request.live === undefined;
  }

  private async answer(raw: string, frame: JsonObject): Promise<void> {
    const key = String(frame['id']);
    const request = this.open.get(key);
    if (request === undefined) return this.voice.repeat(raw);
    const { recorded, live } = request;
    this.open.delete(key);
    this.kept.keep(recorded, frame['result']);
    const stopReason = this.turns.end(key)?.ending;
    if (live === undefined) return;
    if (stopReason !== undefined) return this.voice.send(answerTo(live, { stopReason }));
    // Some agents answer with the id as a text: that is part of what they are.
    const isTextOfNumber = typeof frame['id'] === 'string' && typeof recorded['id'] === 'number';
    const id = isTextOfNumber ? String(live['id']) : live['id'];
    const renamed = this.names.renamed(this.kept.opening(frame, recorded, live));
    await this.voice.repeat(raw, frame, id === frame['id'] ? renamed : { ...renamed, id });
  }

  /** As long as it was in the recording, for the speed; a turn that is left out takes no time. */
  private async pause(recordedMs: number): Promise<void> {
    if (this.speed === undefined || !(recordedMs > 0)) return;
    const end = Date.now() + Math.min(recordedMs, LONGEST_PAUSE) / this.speed;
    while (Date.now() < end && !this.turns.isMuted()) {
      await this.besides.serveOthers();
      if (!(await this.live.heard(end - Date.now()))) return;
    }
  }

  /** What the recording leaves open is ended; then everything that comes is told that it is over. */
  private async finish(): Promise<void> {
    for (const { liveSession, liveId, ending } of this.turns.all) {
      if (ending === undefined)
        await this.voice.tell(liveSession, 'The recording ends in this turn.');
      await this.voice.send(answerTo({ id: liveId }, { stopReason: ending ?? 'end_turn' }));
    }
    for (const { recorded, live } of this.open.values()) {
      if (live !== undefined && rankOf(recorded) !== 3) {
        await this.voice.send(refusalOf(live, -32603, 'The recording ends before the answer.'));
      }
    }
    do {
      await this.besides.serve(() => true);
    } while (await this.live.heard());
  }
}
