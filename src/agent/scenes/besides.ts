import { answerTo } from './defaultAnswers.ts';
import { textAt, type JsonObject } from './json.ts';
import type { KeptAnswers } from './keptAnswers.ts';
import { rankOf } from './keptAnswers.ts';
import type { LiveClient } from './liveClient.ts';
import type { LiveVoice } from './liveVoice.ts';

/** Answers what a client asks besides what was recorded. */
export class Besides {
  /** Turns that were begun. */
  turns = 0;

  constructor(
    private readonly live: LiveClient,
    private readonly voice: LiveVoice,
    private readonly kept: KeptAnswers,
  ) {}

  /** Answers what may be asked at any time; prompts wait for their turn. */
  serveOthers(): Promise<void> {
    return this.serve((one) => rankOf(one) === 0 || (rankOf(one) < 3 && this.kept.has(one)));
  }

  /** Answers what came and is meant: a prompt as one for which the recording has no turn any more. */
  async serve(isMeant: (request: JsonObject) => boolean): Promise<void> {
    for (;;) {
      const request = this.live.requests.take(isMeant);
      if (request === undefined) return;
      if (rankOf(request) === 3) await this.endTurn(request);
      else await this.voice.send(this.kept.answer(request));
    }
  }

  private async endTurn(prompt: JsonObject): Promise<void> {
    const sentence = `The recording is over: it has no more turns than the ${this.turns} played.`;
    await this.voice.tell(textAt(prompt, 'params', 'sessionId'), sentence);
    await this.voice.send(answerTo(prompt, { stopReason: 'end_turn' }));
  }
}
