import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Call } from '../../../../src/agent/server/call.ts';
import { canHold, Lane } from '../../../../src/agent/server/lane.ts';

const MIB = 1024 * 1024;

let calls = 0;

function call(method: 'session/prompt' | 'session/load' = 'session/prompt', bytes = 10): Call {
  calls += 1;
  const params = { sessionId: 's' };
  return new Call(calls, { jsonrpc: '2.0', id: calls, method, params }, bytes);
}

/** A lane and what it has dispatched. */
function lane(): { readonly lane: Lane; readonly begun: Call[] } {
  const begun: Call[] = [];
  return { lane: new Lane((each) => begun.push(each)), begun };
}

/** A promise that ends when it is told to, and the moment after. */
function work() {
  let end: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    promise,
    end: async () => {
      end();
      await promise;
      await Promise.resolve();
    },
  };
}

describe('the requests of a session', () => {
  test('are begun one at a time, each when the answer before it has been written', () => {
    const { lane: one, begun } = lane();
    const [a, b, c] = [call(), call(), call()];
    for (const each of [a, b, c]) assert.ok(one.take(each));
    assert.deepEqual(begun, [a]);
    one.written(a);
    assert.deepEqual(begun, [a, b]);
    one.written(b);
    one.written(c);
    assert.deepEqual(begun, [a, b, c]);
    assert.ok(one.isIdle);
  });

  test('wait for work that goes on after the answer, unless they are cancelled already', async () => {
    const { lane: one, begun } = lane();
    const [a, b, c, d] = [call(), call(), call(), call()];
    const { promise, end } = work();
    one.take(a);
    one.work(a, promise);
    one.written(a);
    one.take(b);
    assert.deepEqual(begun, [a]);
    assert.ok(one.hasTurn && one.isWorking && !one.isIdle);
    one.cancelTurns();
    assert.deepEqual(begun, [a, b]);
    one.written(b);
    one.take(c);
    one.take(d);
    assert.deepEqual(begun, [a, b]);
    await end();
    assert.deepEqual(begun, [a, b, c]);
  });

  test('are cancelled when they are turns, those that wait too, and loads are not', () => {
    const { lane: one } = lane();
    const [load, turn] = [call('session/load'), call()];
    one.take(load);
    one.take(turn);
    one.cancelTurns();
    assert.deepEqual([load.cancelled.aborted, turn.cancelled.aborted], [false, true]);
    const later = call();
    one.take(later);
    assert.equal(later.cancelled.aborted, false);
  });

  test('are a turn while one runs or waits, and no more when it has been answered', () => {
    const { lane: one } = lane();
    const [load, turn] = [call('session/load'), call()];
    one.take(load);
    assert.equal(one.hasTurn, false);
    one.take(turn);
    assert.equal(one.hasTurn, true);
    one.written(load);
    assert.equal(one.hasTurn, true);
    turn.isAnswered = true;
    assert.equal(one.hasTurn, false);
    assert.equal(one.isIdle, false);
  });

  test('can be taken out while they wait, and dropped', () => {
    const { lane: one, begun } = lane();
    const [a, b, c] = [call(), call(), call()];
    for (const each of [a, b, c]) one.take(each);
    assert.equal(one.remove(a), false);
    assert.equal(one.remove(b), true);
    one.written(a);
    assert.deepEqual(begun, [a, c]);
    one.take(call());
    one.drop();
    one.written(c);
    assert.ok(one.isIdle);
    assert.equal(begun.length, 2);
  });

  test('are refused past 256 that wait, or past 16 MiB of them', () => {
    const { lane: one } = lane();
    for (let count = 0; count < 257; count += 1) assert.ok(one.take(call()), `${count}`);
    assert.equal(one.take(call()), false);
    const { lane: other } = lane();
    other.take(call());
    for (let count = 0; count < 4; count += 1) {
      assert.ok(other.take(call('session/prompt', 4 * MIB)));
    }
    assert.equal(other.take(call('session/prompt', 1)), false);
    // One that need not wait is taken whatever its size.
    assert.ok(lane().lane.take(call('session/prompt', 17 * MIB)));
    assert.equal(canHold([], call('session/prompt', 17 * MIB)), false);
  });
});
