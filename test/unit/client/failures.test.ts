import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../../../src/base/errors.ts';
import {
  agentFailure,
  AgentGone,
  exitInWords,
  requestFailure,
} from '../../../src/client/agents/failures.ts';
import { RequestError } from '../../../src/protocol/errors.ts';

const how = { command: 'my agent', args: ['acp'], methods: [] };

test('an exit is told as code or signal, and not at all while it is not known', () => {
  assert.equal(exitInWords({ code: 0, signal: null }), 'exit code 0');
  assert.equal(exitInWords({ code: null, signal: 'SIGKILL' }), 'signal SIGKILL');
  assert.equal(exitInWords({ code: null, signal: null }), null);
  assert.equal(exitInWords(null), null);
});

test('an agent that is gone is told with exit and stderr', () => {
  const gone = new AgentGone(agentFailure('It ended.', '', 'exit code 3', 'panic'));
  assert.deepEqual(requestFailure(gone, 'Mine', how), {
    message: 'It ended.',
    details: 'It ended with exit code 3.\n\nLast lines of its stderr:\npanic',
  });
});

test('what is meant for people is shown as it is, and a fault of ours as one', () => {
  assert.equal(requestFailure(new UserError('Do this.'), 'Mine', how).message, 'Do this.');
  assert.match(requestFailure(new TypeError('x is y'), 'Mine', how).message, /in Parley: x is y/);
});

test('a demand to sign in names the command of the agent and its ways to sign in', () => {
  const methods = [
    { id: 'key', name: 'API key', description: 'Set MY_KEY' },
    { id: 'tty', name: 'Browser', type: 'terminal' as const, args: ['login', '--now'] },
  ];
  const { message, details } = requestFailure(
    new RequestError(-32000, 'Authentication required'),
    'Mine',
    { ...how, methods },
  );
  assert.match(message, /^Mine wants you to sign in first/);
  assert.match(details, /'my agent' acp/);
  assert.match(details, /- API key \(Set MY_KEY\)/);
  assert.match(details, /- Browser: 'my agent' acp login --now/);
  assert.match(details, /Authentication required/);
});

test('an error with a megabyte of data is cut', () => {
  const error = new RequestError(-32603, 'no', { text: 'x'.repeat(1_000_000) });
  assert.ok(requestFailure(error, 'Mine', how).details.length <= 4_000);
});
