import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../src/agent/server/api.ts';
import { until } from './agentDriver.ts';
import type { Frame } from './agentServerEmbedded.ts';
import { aborted, deferred, Embedded, settle } from './agentServerEmbedded.ts';

const HISTORIES = 100;
const STEPS = 60;
const SESSIONS = ['s1', 's2', 's3', 's4', 's5'];

/** Numbers from 0 to below 1 that are the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One random history of a client that does everything, in any order, to an agent that is slow. */
class History {
  readonly embedded: Embedded;
  readonly asked: number[] = [];
  /** Turns that run, by session. */
  private readonly running = new Map<string, number>();
  private readonly turns: (() => void)[] = [];
  private readonly random: () => number;
  private made = 0;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
    this.embedded = new Embedded({
      newSession: async () => {
        this.made += 1;
        const id = SESSIONS[this.made - 1] ?? this.pick(SESSIONS);
        if (this.random() < 0.3) await settle();
        return { id, prompt: this.prompt(id) };
      },
      loadSession: async (id, _cwd, client, signal) => {
        await client.userMessage(`replay ${id}`, 'm');
        if (this.random() < 0.3) await Promise.race([settle(), aborted(signal)]);
        return this.random() < 0.8 ? { id, prompt: this.prompt(id) } : undefined;
      },
      options: { maxSessions: 3, overflow: 'evict-oldest' },
    }).listen();
  }

  /** Does one thing. */
  step(): void {
    const { embedded } = this;
    const sessionId = this.pick(SESSIONS);
    const does: readonly (() => void)[] = [
      () => {
        this.ask(embedded.newSession());
      },
      () => {
        this.ask(embedded.load(sessionId));
      },
      () => {
        this.ask(this.prompted(sessionId));
      },
      () => {
        this.ask(this.prompted(sessionId));
      },
      () => {
        this.ask(this.prompted(sessionId));
      },
      () => {
        this.ask(embedded.send('no/such', { sessionId }));
      },
      () => {
        embedded.cancel(sessionId);
      },
      () => {
        embedded.takeBack(this.pick([0, ...this.asked]));
      },
      () => {
        this.endTurn();
      },
      () => {
        this.endTurn();
      },
      () => {
        embedded.output.pause();
      },
      () => {
        embedded.output.resume();
      },
      () => {
        embedded.input.write('{"jsonrpc":"2.0","id":{},"method":"session/new"}\nno json\n');
      },
    ];
    this.pick(does)();
  }

  /** Lets all that is open come to its end, and gives back what the agent has sent. */
  async finish(): Promise<readonly Frame[]> {
    const { embedded } = this;
    embedded.output.resume();
    const open = (): readonly number[] => {
      const answered = new Set(embedded.frames().map((frame) => frame['id']));
      return this.asked.filter((id) => !answered.has(id));
    };
    await until('all answers', () => {
      while (this.turns.length > 0) this.endTurn();
      return open().length === 0;
    });
    await embedded.close();
    return embedded.frames();
  }

  private ask(id: number): void {
    this.asked.push(id);
  }

  /** A prompt that says which one it is. */
  private prompted(sessionId: string): number {
    return this.embedded.prompt(String(this.asked.length), sessionId);
  }

  private prompt(id: string): Session['prompt'] {
    return async ([block], client, signal) => {
      const count = (this.running.get(id) ?? 0) + 1;
      this.running.set(id, count);
      assert.equal(count, 1, `two turns of ${id} ran at once`);
      try {
        const { promise, resolve } = deferred();
        this.turns.push(resolve);
        const heedful = this.random() < 0.8;
        await (heedful ? Promise.race([promise, aborted(signal)]) : promise);
        const at = block?.type === 'text' ? Number(block.text) : NaN;
        await client.message(`turn ${this.asked[at] ?? 'unknown'}`, 'm');
        if (this.random() < 0.2) throw new Error('on purpose');
        return 'end_turn';
      } finally {
        this.running.set(id, 0);
      }
    };
  }

  private endTurn(): void {
    const at = Math.floor(this.random() * this.turns.length);
    for (const end of this.turns.splice(at, 1)) end();
  }

  private pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.random() * list.length)] ?? list[0];
    assert.ok(picked !== undefined);
    return picked;
  }
}

/** What must hold of everything that the agent has sent. */
function check(frames: readonly Frame[], asked: readonly number[], seed: number): void {
  const answers = frames.filter((frame) => frame['id'] !== null && !('method' in frame));
  const ids = answers.map((frame) => Number(frame['id'])).sort((a, b) => a - b);
  const expected = [1, ...asked].sort((a, b) => a - b);
  assert.deepEqual(ids, expected, `seed ${seed}: not exactly one answer for each request`);
  const position = new Map(frames.map((frame, at) => [frame['id'], at]));
  for (const [at, { params }] of frames.entries()) {
    const turn = /"turn (\d+)"/.exec(JSON.stringify(params ?? null))?.[1];
    if (turn === undefined) continue;
    const answered = position.get(Number(turn)) ?? -1;
    assert.ok(at < answered, `seed ${seed}: turn ${turn} spoke after its answer`);
  }
}

test('whatever a client does in whatever order, each request gets one answer, and each session one turn', async () => {
  let spoken = 0;
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const history = new History(seed);
    await history.embedded.initialize();
    for (let step = 0; step < STEPS; step += 1) {
      history.step();
      if (step % 3 === 0) await new Promise((next) => setImmediate(next));
    }
    const frames = await history.finish();
    check(frames, history.asked, seed);
    assert.doesNotMatch(history.embedded.logged.join('\n'), /two turns/, `seed ${seed}`);
    spoken += frames.filter((frame) => JSON.stringify(frame).includes('"turn ')).length;
  }
  // Else nothing was tested.
  assert.ok(spoken > HISTORIES, `only ${spoken} turns had something to say`);
});
