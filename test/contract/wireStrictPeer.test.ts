import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestError } from '../../src/protocol/connection.ts';
import { drive, open, prompt, until } from './wireAgent.ts';

test('a strict peer accepts the whole handshake and sees who we are', () =>
  drive('sdk', async (agent) => {
    const answer = await agent.connection.initialize({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true } },
      clientInfo: { name: 'parley', title: 'Parley', version: '0.1.0' },
    });
    assert.equal(answer.protocolVersion, 1);
    assert.deepEqual(answer.agentInfo, { name: 'strict', title: null, version: '2.4.0' });
    await until(() => agent.stderr.length > 0, 'the agent tells who called');
    assert.deepEqual(agent.stderr, [
      'client: {"name":"parley","title":"Parley","version":"0.1.0"}',
    ]);
  }));

test('what we say comes back as it was, whatever characters are in it', () =>
  drive('sdk', async (agent) => {
    const sessionId = await open(agent);
    const text = 'schön \u2028 raw \u2029 🙂 "quoted" \\ back\nnew\rline \u0000 \ud83d';
    assert.deepEqual(await prompt(agent, sessionId, text), { stopReason: 'end_turn' });
    // A lone half of a surrogate pair is no character: JSON writes it as an escape, which keeps it.
    assert.equal(agent.said(), text);
    assert.ok(
      agent.lines.every(({ raw }) => !raw.includes('\n')),
      'one line each',
    );
  }));

test('reading a file asks with line and limit and gives its text to the agent', async () => {
  const asked: unknown[] = [];
  await drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'read /folder/file.txt');
      assert.equal(agent.said(), 'second line');
      assert.deepEqual(asked, [{ sessionId, path: '/folder/file.txt', line: 2, limit: 1 }]);
    },
    {
      handlers: {
        readTextFile: (params) => {
          asked.push(params);
          return Promise.resolve({ content: 'second line' });
        },
      },
    },
  );
});

test('writing a file hands over its whole text and is answered with an object', async () => {
  const written: unknown[] = [];
  await drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'write /folder/file.txt some text');
      assert.equal(agent.said(), 'written');
      assert.deepEqual(written, [{ sessionId, path: '/folder/file.txt', content: 'some text' }]);
    },
    {
      handlers: {
        writeTextFile: (params) => {
          written.push(params);
          return Promise.resolve({});
        },
      },
    },
  );
});

test('a handler that throws a RequestError answers exactly that', () =>
  drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'read /nowhere').catch(() => undefined);
      const answer = agent.lines.find(({ raw }) => raw.includes('-32002'));
      assert.ok(answer);
      assert.match(
        answer.raw,
        /"error":{"code":-32002,"message":"Resource not found: \/nowhere","data":{"uri":"file:\/\/\/nowhere"}}/,
      );
      assert.deepEqual(agent.reports, [], 'an answer on purpose is no fault of ours');
    },
    {
      handlers: {
        readTextFile: ({ path }) =>
          Promise.reject(
            new RequestError(-32002, `Resource not found: ${path}`, { uri: `file://${path}` }),
          ),
      },
    },
  ));

test('a handler that fails in another way gives the agent a general error, and the reason to the log', () =>
  drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'read /folder/file.txt').catch(() => undefined);
      const answer = agent.lines.find(
        ({ raw }) => raw.includes('-32603') && raw.includes('client'),
      );
      assert.ok(answer);
      assert.doesNotMatch(answer.raw, /secret/);
      assert.match(agent.reports.join('\n'), /fs\/read_text_file failed: secret detail/);
    },
    {
      handlers: {
        readTextFile: () => {
          throw new TypeError('secret detail');
        },
      },
    },
  ));

test('a permission request is answered with the option that was chosen', async () => {
  const asked: unknown[] = [];
  await drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'ask');
      assert.equal(agent.said(), '{"outcome":"selected","optionId":"yes"}');
      assert.deepEqual(asked, [
        {
          sessionId,
          toolCall: { toolCallId: 'call-1', title: 'Dig', kind: 'other' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        },
      ]);
    },
    {
      handlers: {
        requestPermission: (params) => {
          asked.push(params);
          return Promise.resolve({ outcome: { outcome: 'selected', optionId: 'yes' } });
        },
      },
    },
  );
});

test('session/cancel ends a running turn with the stop reason of the agent', () =>
  drive('sdk', async (agent) => {
    const sessionId = await open(agent);
    const turn = prompt(agent, sessionId, 'wait');
    await agent.connection.cancel(sessionId);
    assert.deepEqual(await turn, { stopReason: 'cancelled' });
  }));
