import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Session } from '../../src/agent/server/api.ts';
import { until } from './agentDriver.ts';
import {
  aborted,
  Connected,
  deferred,
  Embedded,
  sessionOf,
  settle,
} from './agentServerEmbedded.ts';

const MIB = 1024 * 1024;
const OPTION = { optionId: 'yes', name: 'Yes', kind: 'allow_once' } as const;
const PERMISSION = 'session/request_permission';

/** A conversation that runs each prompt until it is told to end, or until it is cancelled. */
class Stage {
  readonly started: string[] = [];
  readonly ended: string[] = [];
  private readonly turns = new Map<string, () => void>();

  readonly prompt: Session['prompt'] = async ([block], _client, signal) => {
    const name = block?.type === 'text' ? block.text.trim() : '';
    this.started.push(name);
    const { promise, resolve } = deferred();
    this.turns.set(name, resolve);
    await Promise.race([promise, aborted(signal)]);
    this.ended.push(name);
    return 'end_turn';
  };

  end(name: string): void {
    this.turns.get(name)?.();
  }
}

describe('the turns of a session', () => {
  test('run one at a time, in the order of the prompts', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const ids = ['a', 'b', 'c'].map((name) => embedded.prompt(name));
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      await until(`the turn ${name}`, () => stage.started.length === at + 1);
      await settle();
      assert.deepEqual(stage.started, ['a', 'b', 'c'].slice(0, at + 1));
      stage.end(name);
      assert.deepEqual(await embedded.result(ids[at]), { stopReason: 'end_turn' });
    }
    await embedded.close();
  });

  test('wait until the answer of the one before has been written', async () => {
    let started = 0;
    const embedded = await new Embedded({
      prompt: () => {
        started += 1;
        return Promise.resolve('end_turn');
      },
    }).open();
    embedded.output.pause();
    for (let count = 0; count < 5; count += 1) embedded.prompt();
    await settle();
    assert.ok(started <= 2, `${started} turns ran for a client that does not read`);
    assert.ok(started >= 1);
    embedded.output.resume();
    await until('all five', () => started === 5);
    await embedded.close();
  });

  test('do not hold up those of other sessions, nor new sessions, nor other requests', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const slow = embedded.prompt('slow');
    for (let count = 0; count < 256; count += 1) embedded.prompt(`w${count}`);
    await embedded.result(embedded.newSession());
    const quick = embedded.prompt('quick', 's2');
    await until('the other', () => stage.started.includes('quick'));
    stage.end('quick');
    await embedded.result(quick);
    assert.equal(await embedded.code(embedded.send('no/such', { sessionId: 's1' })), -32601);
    await embedded.initialize();
    assert.deepEqual(stage.started, ['slow', 'quick']);
    embedded.cancel();
    await embedded.result(slow);
    await embedded.close();
  });

  test('end as cancelled, the one that runs and those that wait, which leave no trace', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const ids = ['a', 'b', 'c'].map((name) => embedded.prompt(name));
    embedded.cancel();
    const after = embedded.prompt('after');
    for (const id of ids) {
      assert.deepEqual(await embedded.result(id), { stopReason: 'cancelled' });
    }
    await until('the next', () => stage.started.at(-1) === 'after');
    stage.end('after');
    assert.deepEqual(await embedded.result(after), { stopReason: 'end_turn' });
    assert.ok(!stage.started.includes('b') && !stage.started.includes('c'));
    await embedded.close();
  });

  test('are cancelled at once, also when many frames wait and nobody reads', async () => {
    const stage = new Stage();
    let isBegun = false;
    const embedded = await new Embedded({
      prompt: async (content, client, signal) => {
        isBegun = true;
        const words = 'word '.repeat(MIB / 4);
        await client.message(words, 'm').catch(() => undefined);
        await client.message(words, 'm').catch(() => undefined);
        return stage.prompt(content, client, signal);
      },
    }).open();
    embedded.output.pause();
    embedded.prompt('a');
    await until('the turn', () => isBegun);
    for (let count = 0; count < 300; count += 1) embedded.prompt('w');
    embedded.cancel();
    await until('the end of the turn', () => stage.ended.includes('a'));
    assert.deepEqual(stage.started, ['a']);
    embedded.ending.abort();
    await embedded.ended;
  });

  test('are answered for even when the agent does not heed its signal, and nothing else is begun', async () => {
    const turn = deferred();
    let started = 0;
    const embedded = await new Embedded({
      prompt: async (_content, client) => {
        started += 1;
        if (started > 1) return 'end_turn';
        await turn.promise;
        await client.message('much too late', 'm');
        return 'end_turn';
      },
      loadSession: (id) => sessionOf(id),
    }).open();
    const deaf = embedded.prompt();
    await until('the turn', () => started === 1);
    embedded.cancel();
    assert.deepEqual(await embedded.result(deaf), { stopReason: 'cancelled' });
    const next = embedded.prompt();
    assert.equal(await embedded.code(embedded.load('s1')), -32600);
    assert.equal(started, 1);
    turn.resolve();
    assert.deepEqual(await embedded.result(next), { stopReason: 'end_turn' });
    assert.deepEqual(embedded.updates(), []);
    await embedded.close();
  });

  test('send nothing after their answer', async () => {
    const late = deferred<string>();
    const embedded = await new Embedded({
      prompt: (_content, client) => {
        void settle()
          .then(() => client.message('late', 'm'))
          .then(
            () => {
              late.resolve('sent');
            },
            () => {
              late.resolve('refused');
            },
          );
        return Promise.resolve('end_turn');
      },
    }).open();
    await embedded.result(embedded.prompt());
    assert.equal(await late.promise, 'refused');
    assert.deepEqual(embedded.updates(), []);
    await embedded.close();
  });
});

describe('requests that are taken back', () => {
  test('end with -32800: the turn that runs, the one that waits, and no other', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const [running, waiting, other] = ['a', 'b', 'c'].map((name) => embedded.prompt(name));
    await until('the turn', () => stage.started.length === 1);
    embedded.takeBack(waiting);
    assert.equal(await embedded.code(waiting), -32800);
    assert.deepEqual(stage.ended, []);
    embedded.takeBack(running);
    assert.equal(await embedded.code(running), -32800);
    await until('the next', () => stage.started.length === 2);
    assert.deepEqual(stage.started, ['a', 'c']);
    stage.end('c');
    assert.deepEqual(await embedded.result(other), { stopReason: 'end_turn' });
    await embedded.close();
  });

  test('are found by ids of every kind, "1" being another than 1', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const params = (text: string) => ({ sessionId: 's1', prompt: [{ type: 'text', text }] });
    embedded.tell({ id: 'one', method: 'session/prompt', params: params('a') });
    embedded.tell({ id: '1000', method: 'session/prompt', params: params('b') });
    embedded.tell({ id: null, method: 'session/prompt', params: params('c') });
    embedded.takeBack(1000);
    embedded.takeBack(null);
    assert.equal(await embedded.code(null), -32800);
    embedded.takeBack('one');
    assert.equal(await embedded.code('one'), -32800);
    await until('the next', () => stage.started.length === 2);
    assert.deepEqual(stage.started, ['a', 'b']);
    embedded.takeBack('1000');
    assert.equal(await embedded.code('1000'), -32800);
    await embedded.close();
  });

  test('may have the same id twice: each gets an answer', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    await embedded.result(embedded.newSession());
    for (const sessionId of ['s1', 's2']) {
      const params = { sessionId, prompt: [{ type: 'text', text: sessionId }] };
      embedded.tell({ id: 'twice', method: 'session/prompt', params });
    }
    await until('both', () => stage.started.length === 2);
    stage.end('s1');
    stage.end('s2');
    await until(
      'both answers',
      () => embedded.frames().filter(({ id }) => id === 'twice').length === 2,
    );
    await embedded.close();
  });

  test('end also when the SDK takes them back', async () => {
    const stage = new Stage();
    const one = new Connected({ prompt: stage.prompt });
    await one.initialize();
    await one.newSession();
    const stop = new AbortController();
    const prompt = one.connection.agent.request(
      'session/prompt',
      { sessionId: 's1', prompt: [{ type: 'text', text: 'a' }] },
      { cancellationSignal: stop.signal },
    );
    await until('the turn', () => stage.started.length === 1);
    stop.abort();
    await assert.rejects(prompt, { code: -32800 });
    assert.deepEqual(stage.ended, ['a']);
    await one.close();
  });
});

describe('frames that are held', () => {
  test('are 256 at most: the next request is refused, and the others are still answered', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const running = embedded.prompt('a');
    const held = Array.from({ length: 256 }, () => embedded.prompt('w'));
    const refused = [embedded.prompt('w'), embedded.prompt('w')];
    for (const id of refused) assert.equal(await embedded.code(id), -32603);
    embedded.cancel();
    for (const id of [running, ...held]) {
      assert.deepEqual(await embedded.result(id), { stopReason: 'cancelled' });
    }
    await embedded.close();
  });

  test('are 16 MiB at most', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    embedded.prompt('a');
    const big = ' '.repeat(3 * MIB);
    const held = Array.from({ length: 5 }, () => embedded.prompt(big));
    assert.equal(await embedded.code(embedded.prompt(big)), -32603);
    const small = embedded.prompt('b');
    embedded.cancel();
    for (const id of [...held, small]) {
      assert.deepEqual(await embedded.result(id), { stopReason: 'cancelled' });
    }
    await embedded.close();
  });

  test('are dropped at the end of the input, and the turn that runs is cancelled', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({ prompt: stage.prompt }).open();
    const running = embedded.prompt('a');
    const held = embedded.prompt('b');
    await until('the turn', () => stage.started.length === 1);
    await embedded.close();
    await until('its end', () => stage.ended.length === 1);
    assert.deepEqual(await embedded.result(running), { stopReason: 'cancelled' });
    assert.equal(
      embedded.frames().find(({ id }) => id === held),
      undefined,
    );
    await settle();
    assert.deepEqual(stage.started, ['a']);
  });

  test('end a load that waits when the input ends', async () => {
    const seen: string[] = [];
    const embedded = new Embedded({
      loadSession: async (_id, _cwd, client, signal) => {
        signal.addEventListener('abort', () => seen.push('aborted'));
        await client
          .requestPermission({ toolCallId: 'a' }, [OPTION], new AbortController().signal)
          .catch(() => seen.push('given up'));
        return undefined;
      },
    }).listen();
    await embedded.initialize();
    embedded.load('x');
    await until('the request', () => embedded.sent(PERMISSION).length === 1);
    await embedded.close();
    await until('the end', () => seen.length === 2);
  });

  test('stay out of memory when a client asks and asks and reads nothing', async () => {
    const embedded = await new Embedded().open();
    embedded.output.pause();
    await settle();
    const pad = 'x'.repeat(1000);
    let taken = 0;
    while (taken < 50_000 && embedded.input.writableLength < MIB) {
      for (let count = 0; count < 200; count += 1, taken += 1) {
        embedded.send(taken % 2 === 0 ? 'no/such' : 'session/new', { pad });
        embedded.tell({ id: true, method: 'x' });
      }
      await settle();
    }
    assert.ok(taken < 50_000, 'the agent read on and on');
    embedded.output.resume();
    assert.ok(await embedded.initialize(), 'it does not read on');
    await embedded.close();
  });

  test('do not keep a cancellation from any of a thousand turns, though nobody reads', async () => {
    const stage = new Stage();
    const embedded = await new Embedded({
      prompt: stage.prompt,
      options: { maxSessions: -1 },
    }).open();
    // Neither what has been answered long ago counts, nor what runs.
    const last = Array.from({ length: 1_100 }, () => embedded.newSession()).at(-1);
    await embedded.result(last);
    for (let at = 1; at <= 1_100; at += 1) embedded.prompt('turn', `s${at}`);
    await until('all turns', () => stage.started.length === 1_100);
    embedded.output.pause();
    for (let count = 0; count < 5; count += 1) {
      embedded.send('no/such', {});
      await settle();
    }
    embedded.cancel('s700');
    await until('the end of that turn', () => stage.ended.length === 1);
    embedded.ending.abort();
    await embedded.ended;
  });
});
