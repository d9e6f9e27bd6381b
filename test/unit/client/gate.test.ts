import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cancelled } from '../../../src/base/errors.ts';
import { Gate } from '../../../src/client/requests/gate.ts';
import { setImmediate } from 'node:timers/promises';

const never = new AbortController().signal;

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
  const all = [0, 1, 2, 3, 4, 5].map((n) => gate.run(() => task(n), never));
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual([order, most], [[0, 1, 2, 3, 4, 5], 2]);
});

test('a task that fails gives its place away', async () => {
  const gate = new Gate(1);
  await assert.rejects(
    gate.run(() => Promise.reject(new Error('no')), never),
    /no/,
  );
  assert.equal(await gate.run(() => Promise.resolve('yes'), never), 'yes');
});

test('who gives up waiting never runs, and is not in the way of those behind', async () => {
  const gate = new Gate(1);
  let release: () => void = () => undefined;
  const first = gate.run(() => new Promise<void>((resolve) => (release = resolve)), never);
  const abort = new AbortController();
  const second = gate.run(() => Promise.reject(new Error('ran')), abort.signal);
  const third = gate.run(() => Promise.resolve('third'), never);
  abort.abort();
  await assert.rejects(second, Cancelled);
  release();
  await first;
  assert.equal(await third, 'third');
});
