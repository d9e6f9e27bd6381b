import { setImmediate } from 'node:timers/promises';
import { Bell } from './bell.ts';
import type { ClientListener, ClientPipe } from './clientPipe.ts';
import { defaultAnswer, isRequest, refusalOf } from './defaultAnswers.ts';
import { Inbox } from './inbox.ts';
import { fits, shown, textAt, type JsonObject } from './json.ts';
import { expectedIn } from './expected.ts';
import type { Ending, Expectation, Reaction, Scene, Step } from './scene.ts';
import { Scope } from './scope.ts';
import { SceneFault } from './sceneFault.ts';
import { wrong } from './values.ts';

/** Reactions and default answers that may be under way; past that the client is not read any further. */
const MOST_AT_ONCE = 64;
/** Rounds of a loop after which somebody else gets a turn. */
const ROUNDS = 64;

/** Plays one scene to one client. */
export class ScenePlayer implements ClientListener {
  private readonly bell = new Bell();
  private readonly inbox: Inbox;
  private readonly isExpected: (frame: JsonObject) => boolean;
  private readonly captured = new Map<string, unknown>();
  private readonly taken = new Map<Reaction, number>();
  private readonly main = new Scope(this.captured);
  private sessions = 0;
  private busy = 0;
  private state: 'playing' | 'silent' | 'over' = 'playing';
  private fault: SceneFault | undefined;
  private ending: Ending | undefined;

  /** @param speed Pauses are divided by it. @param log For what goes to stderr, as it is. */
  constructor(
    private readonly scene: Scene,
    private readonly client: ClientPipe,
    private readonly speed: number,
    private readonly log: (text: string) => Promise<void>,
  ) {
    this.inbox = new Inbox(client, this.bell);
    this.isExpected = expectedIn(scene.steps);
  }

  /** Resolves when the scene has ended the process, or the client has gone. @throws SceneFault when it went otherwise. */
  async play(): Promise<Ending> {
    this.client.listen(this);
    void this.watched(this.run(this.scene.steps, this.main)).then(() => {
      if (this.state === 'silent' || this.isEnded) return;
      this.state = 'over';
      while (this.inbox.first !== undefined) this.refuse(this.inbox.take(() => true) ?? {});
    });
    // What was begun is said to the end, as far as the client listens.
    while (!this.isEnded && !(this.client.isGone && this.state !== 'playing' && this.busy === 0)) {
      await this.bell.heard();
    }
    if (this.fault !== undefined) throw this.fault;
    return this.ending ?? 0;
  }

  received(frame: JsonObject, bytes: number): void {
    if (this.state === 'silent') return;
    const reaction = this.scene.reactions.find((one) => this.takes(one, frame));
    if (reaction !== undefined) {
      this.taken.set(reaction, (this.taken.get(reaction) ?? 0) + 1);
      this.begin(this.run(reaction.steps, this.main.reactingTo(frame)));
    } else if (!this.isExpected(frame)) {
      if (isRequest(frame)) this.begin(this.answerByDefault(frame));
    } else if (this.state === 'over') {
      this.refuse(frame);
    } else {
      this.inbox.add(frame, bytes);
    }
  }

  malformed(line: string): void {
    this.fail(new SceneFault(`the client sent a line that is no object of JSON: ${shown(line)}`));
  }

  gone(): void {
    this.bell.ring();
  }

  private get isEnded(): boolean {
    return this.fault !== undefined || this.ending !== undefined;
  }

  private fail(error: unknown): void {
    this.fault ??= error instanceof SceneFault ? error : new SceneFault(String(error));
    this.bell.ring();
  }

  /** Takes an error as the end of the scene. */
  private async watched(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      this.fail(error);
    });
    this.bell.ring();
  }

  private begin(work: Promise<unknown>): void {
    this.busy += 1;
    if (this.busy >= MOST_AT_ONCE) this.client.hold(true);
    void this.watched(work).then(() => {
      this.busy -= 1;
      if (this.busy < MOST_AT_ONCE && !this.inbox.isFull) this.client.hold(false);
      this.bell.ring();
    });
  }

  private takes(reaction: Reaction, frame: JsonObject): boolean {
    if ((this.taken.get(reaction) ?? 0) >= reaction.times) return false;
    try {
      return fits(frame, this.main.filled(reaction.on, 'on'));
    } catch {
      // What it is about has not happened yet.
      return false;
    }
  }

  private answerByDefault(request: JsonObject): Promise<void> {
    if (request['method'] !== 'session/new') return this.send(defaultAnswer(request, ''));
    this.main.session = `session-${++this.sessions}`;
    this.main.cwd = textAt(request, 'params', 'cwd');
    return this.send(defaultAnswer(request, this.main.session));
  }

  private refuse(frame: JsonObject): void {
    if (isRequest(frame)) this.begin(this.send(refusalOf(frame, -32603, 'The scene is over.')));
  }

  private send(frame: unknown): Promise<void> {
    return this.client.write(`${JSON.stringify(frame)}\n`);
  }

  private async run(steps: readonly Step[], scope: Scope): Promise<void> {
    for (const step of steps) {
      if (this.isEnded || this.state === 'silent') return;
      await this.perform(step, scope);
    }
  }

  private async perform(step: Step, scope: Scope): Promise<void> {
    switch (step.kind) {
      case 'send': {
        const frame = scope.filled(step.frame, step.at);
        const session = textAt(frame, 'result', 'sessionId');
        if (session !== undefined) this.main.session = scope.session = session;
        return this.send(frame);
      }
      case 'raw':
      case 'stderr': {
        const { text, at } = step;
        const said = Buffer.isBuffer(text) ? text : String(scope.filled(text, at));
        return step.kind === 'raw' ? this.client.write(said) : this.log(said.toString());
      }
      case 'expect':
        return this.expect(step, step.at, scope);
      case 'pause':
        return this.client.pause(step.ms / this.speed);
      case 'repeat': {
        const { count } = scope;
        for (let n = 1; n <= step.times; n += 1) {
          if (this.isEnded || (this.client.isGone && step.times === Infinity)) break;
          scope.count = n;
          await this.run(step.steps, scope);
          if (n % ROUNDS === 0) await setImmediate();
        }
        scope.count = count;
        return;
      }
      case 'silence':
        this.state = 'silent';
        return;
      case 'exit':
        this.ending ??= step.how;
        this.bell.ring();
    }
  }

  private async expect(expectation: Expectation, at: string, scope: Scope): Promise<void> {
    const { anyOrder, as, within = Infinity } = expectation;
    const pattern = scope.filled(expectation.pattern, at);
    const deadline = Date.now() + within;
    for (;;) {
      const frame = this.inbox.take((one) => !anyOrder || fits(one, pattern));
      if (frame !== undefined && !fits(frame, pattern)) {
        throw wrong(at, `the client sent ${shown(frame)}, not ${shown(pattern)}`);
      }
      if (frame !== undefined) {
        scope.take(frame);
        if (as !== undefined) this.captured.set(as, frame);
        return;
      }
      const why =
        (this.client.isGone && 'the client has gone') ||
        (this.inbox.isFull && 'too much else came') ||
        (Date.now() >= deadline && `nothing came within ${within} ms`);
      if (this.isEnded) return;
      if (why !== false) throw wrong(at, `${why}; expected was ${shown(pattern)}`);
      await this.bell.heard(within === Infinity ? undefined : deadline - Date.now());
    }
  }
}
