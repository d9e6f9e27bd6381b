import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Cancelled } from '../../../src/base/errors.ts';
import { Gate } from '../../../src/client/requests/gate.ts';

const never = new AbortController().signal;

/** Tasks that note their start and end when they are told to. */
class Work {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  task(name: string): () => Promise<string> {
    return () => {
      this.started.push(name);
      return new Promise((resolve) => {
        this.ends.set(name, () => {
          resolve(name);
        });
      });
    };
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await setImmediate();
  }
}

test('no more tasks run than there are places, in the order in which they came', async () => {
  const gate = new Gate(2);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const task = async (n: number): Promise<number> => {
    order.push(n);
    running += 1;
    most = Math.max(most, running);
    await setImmediate();
    running -= 1;
    return n;
  };
  const all = [0, 1, 2, 3, 4, 5].map((n) => gate.run('a', () => task(n), never));
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([order, most], [[0, 1, 2, 3, 4, 5], 2]);
});

test('a task that fails gives its place away', async () => {
  const gate = new Gate(1);
  await assert.rejects(
    gate.run('a', () => Promise.reject(new Error('no')), never),
    /no/,
  );
  assert.equal(await gate.run('a', () => Promise.resolve('yes'), never), 'yes');
});

test('who gives up waiting never runs, and is not in the way of those behind', async () => {
  const gate = new Gate(1);
  const work = new Work();
  const first = gate.run('a', work.task('first'), never);
  const abort = new AbortController();
  const second = gate.run('a', work.task('second'), abort.signal);
  const third = gate.run('a', work.task('third'), never);
  await setImmediate();
  abort.abort();
  await assert.rejects(second, Cancelled);
  await work.end('first');
  await first;
  await work.end('third');
  assert.equal(await third, 'third');
  assert.deepEqual(work.started, ['first', 'third']);
});

test('a free place goes to the one that has the fewest in work, then to the one that was served longest ago', async () => {
  const gate = new Gate(2);
  const work = new Work();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) {
    void gate.run(name.slice(0, 1), work.task(name), never);
  }
  await setImmediate();
  assert.deepEqual(work.started, ['a1', 'a2']);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await work.end(name);
  assert.deepEqual(work.started, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
});

test('one alone never takes more than its share', async () => {
  const gate = new Gate(3, 2);
  const work = new Work();
  for (const name of ['a1', 'a2', 'a3']) void gate.run('a', work.task(name), never);
  await setImmediate();
  assert.deepEqual(work.started, ['a1', 'a2']);
  void gate.run('b', work.task('b1'), never);
  await setImmediate();
  assert.deepEqual(work.started, ['a1', 'a2', 'b1']);
  await work.end('a1');
  assert.deepEqual(work.started, ['a1', 'a2', 'b1', 'a3']);
});

test('a task that waits for the person lets others in, and goes on when there is a place again', async () => {
  const gate = new Gate(1);
  const work = new Work();
  const log: string[] = [];
  const asking = gate.run(
    'a',
    async () => {
      log.push(await gate.outside(work.task('question')));
      return work.task('rest')();
    },
    never,
  );
  const other = gate.run('a', work.task('other'), never);
  await setImmediate();
  assert.deepEqual(work.started, ['question', 'other']);
  await work.end('question');
  assert.deepEqual(log, []);
  await work.end('other');
  await other;
  assert.deepEqual(log, ['question']);
  await work.end('rest');
  assert.equal(await asking, 'rest');
  assert.equal(await gate.outside(() => Promise.resolve('free')), 'free');
});
