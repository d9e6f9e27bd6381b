import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OpenRequests } from '../../../src/protocol/openRequests.ts';

const LIMITS = { session: 3, connection: 7 };

describe('open requests of an agent', () => {
  test('are bounded for each session, so that one takes no room of another', () => {
    const open = new OpenRequests(LIMITS);
    const entered = (sessionId: string): boolean => open.enter({ sessionId }) !== null;
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => entered('one')),
      [true, true, true, false, false],
    );
    assert.ok(entered('other'));
  });

  test('are bounded together, however many sessions an agent makes up', () => {
    const open = new OpenRequests(LIMITS);
    const made = Array.from({ length: 20 }, (_, n) => open.enter({ sessionId: `made up ${n}` }));
    assert.equal(made.filter((leave) => leave !== null).length, 7);
  });

  test('that name no session count together', () => {
    const open = new OpenRequests(LIMITS);
    const params = [undefined, null, [], {}, { sessionId: 5 }, { sessionId: null }, 'x'];
    assert.equal(
      params.map((each) => open.enter(each)).filter((leave) => leave !== null).length,
      3,
    );
  });

  test('that were answered make room, and those refused hold none', () => {
    const open = new OpenRequests(LIMITS);
    const params = { sessionId: 's' };
    for (let round = 0; round < 10; round++) {
      const entered = [1, 2, 3, 4].map(() => open.enter(params));
      assert.equal(entered.filter((leave) => leave !== null).length, 3);
      for (const leave of entered) leave?.();
    }
  });
});
