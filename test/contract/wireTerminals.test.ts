import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestError } from '../../src/protocol/connection.ts';
import { drive, open, prompt } from './wireAgent.ts';

test('a strict peer takes a terminal from create to release', async () => {
  const heard: unknown[] = [];
  const OUTPUT = { output: 'öut\n', truncated: true, exitStatus: null };
  const EXIT = { exitCode: null, signal: 'SIGTERM' };
  await drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'run ls -la');
      assert.deepEqual(JSON.parse(agent.said()), {
        output: OUTPUT,
        killed: {},
        exit: EXIT,
        released: {},
      });
      const terminal = { sessionId, terminalId: 't1' };
      assert.deepEqual(heard, [
        {
          sessionId,
          command: 'ls',
          args: ['-la'],
          env: [{ name: 'A', value: '1' }],
          cwd: '/folder',
          outputByteLimit: 100,
        },
        ['output', terminal],
        ['kill', terminal],
        ['wait', terminal],
        ['release', terminal],
      ]);
      assert.deepEqual(agent.reports, []);
    },
    {
      handlers: {
        createTerminal: (params) => (heard.push(params), Promise.resolve({ terminalId: 't1' })),
        terminalOutput: (params) => (heard.push(['output', params]), Promise.resolve(OUTPUT)),
        killTerminal: (params) => (heard.push(['kill', params]), Promise.resolve({})),
        waitForTerminalExit: (params) => (heard.push(['wait', params]), Promise.resolve(EXIT)),
        releaseTerminal: (params) => (heard.push(['release', params]), Promise.resolve({})),
      },
    },
  );
});

test('a wait for the end of a command that a strict peer takes back ends with -32800, and its handler hears of it', async () => {
  let aborted = false;
  await drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'hang');
      assert.match(agent.said(), /"code":-32800/);
      assert.ok(aborted);
    },
    {
      handlers: {
        waitForTerminalExit: (_params, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              aborted = true;
              reject(new Error('nobody waits any more'));
            });
          }),
      },
    },
  );
});

test('a command that is refused reaches the agent in the words of the client', () =>
  drive(
    'sdk',
    async (agent) => {
      const sessionId = await open(agent);
      await prompt(agent, sessionId, 'run rm').catch(() => undefined);
      assert.ok(agent.lines.some(({ raw }) => raw.includes('The person said no to \\"rm\\".')));
      assert.deepEqual(agent.reports, [], 'an answer on purpose is no fault of ours');
    },
    {
      handlers: {
        createTerminal: ({ command }) =>
          Promise.reject(new RequestError(-32603, `The person said no to "${command}".`)),
      },
    },
  ));
