import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Refusal, scrub, scrubbed, toRequestError } from '../../../../src/agent/server/faults.ts';

describe('what goes wrong inside', () => {
  test('reaches the log without what looks like a secret', () => {
    for (const [text, expected] of [
      ['Authorization: Bearer abcdefgh12345678', /^Authorization: ?\S* ?\[hidden\]|^\[hidden\]/],
      ['key sk-abcdefgh12345678 refused', /^key \[hidden\] refused$/],
      ['OPENAI_API_KEY=abc123', /^\[hidden\]$/],
      ['{"password":"hunter22"}', /^\{"\[hidden\]"\}$/],
      ['https://me:hunter22@example.org/x', /^https\[hidden\]example.org\/x$/],
    ] as const) {
      const clean = scrub(text);
      assert.match(clean, expected);
      assert.doesNotMatch(clean, /abcdefgh|abc123|hunter22/);
    }
    assert.equal(scrub('the tokens of a parser, 12 of them'), 'the tokens of a parser, 12 of them');
  });

  test('is told to the client by the name of the request only', () => {
    const logged: string[] = [];
    const log = scrubbed((line) => logged.push(line));
    const error = toRequestError(new Error('/home/me, secret=abc123'), 'session/prompt', log);
    assert.deepEqual(
      [error.code, error.message, error.data],
      [-32603, 'session/prompt: internal error', undefined],
    );
    assert.match(logged.join(), /^session\/prompt: Error: \/home\/me, \[hidden\]/);
  });

  test('is told as it is when it is a refusal, and not logged', () => {
    const log = (): void => {
      assert.fail('it was logged');
    };
    const error = toRequestError(new Refusal(-32000, 'Sign in'), 'session/prompt', log);
    assert.deepEqual([error.code, error.message], [-32000, 'Sign in']);
  });

  test('is internal when a refusal has no proper code', () => {
    const logged: string[] = [];
    const error = toRequestError(new Refusal(NaN, 'x'), 'session/new', (line) => logged.push(line));
    assert.deepEqual([error.code, error.message], [-32603, 'session/new: internal error']);
    assert.equal(logged.length, 1);
  });

  test('is not made worse by a log that fails', () => {
    const log = scrubbed(() => {
      throw new Error('the disk is full');
    });
    assert.equal(toRequestError(new Error('x'), 'session/new', log).code, -32603);
  });
});
