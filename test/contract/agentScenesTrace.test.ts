import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { AgentTrace } from '../../src/client/agents/agentTrace.ts';
import { RecordingLog } from '../fakes/recordingLog.ts';
import { drive, open, prompt, type Driven } from './wireAgent.ts';

/** What an agent that asks for permission, reads and speaks is told, and what comes of it. */
async function talk(agent: Driven): Promise<object> {
  const sessionId = await open(agent);
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const steps = [
    ['say', 'One moment. '],
    ['ask', { toolCall: { toolCallId: 'c', title: 'Dig' }, options }],
    ['read', '/some/file'],
    ['update', { sessionUpdate: 'telepathy', content: 'hm' }],
    ['end', 'max_tokens'],
  ];
  const ends = [
    await prompt(agent, sessionId, JSON.stringify(steps)),
    await prompt(agent, sessionId),
  ];
  return { ends, updates: agent.updates };
}

test('a trace that Parley has written of a session plays the session again', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-trace-'));
  t.after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const handlers = {
    requestPermission: () =>
      Promise.resolve({ outcome: { outcome: 'selected', optionId: 'yes' } } as const),
  };
  const trace = new AgentTrace(folder, 'scripted', new RecordingLog());
  const record = async (agent: Driven): Promise<object> => {
    const heard = await talk(agent);
    trace.begin({ TOKEN: 'One moment' });
    for (const { direction, raw } of agent.lines) trace.line(direction, raw);
    return heard;
  };
  let recorded = {};
  // A trace goes on where it was: a connection that failed, and then the one that counts.
  await drive('scripted', async (agent) => {
    await agent.connection.initialize({ protocolVersion: 1, clientCapabilities: {} });
    trace.begin({});
    for (const { direction, raw } of agent.lines) trace.line(direction, raw);
  });
  await drive('scripted', async (agent) => void (recorded = await record(agent)), { handlers });
  await trace.flushed();

  const file = path.join(folder, 'trace-scripted.ndjson');
  // The agent was ended while it was writing.
  fs.appendFileSync(file, '{"ts":1,"dir":"recv","raw":"{\\"jsonr');
  let played = {};
  await drive('scripted', async (agent) => void (played = await talk(agent)), {
    handlers,
    program: 'dist/agent.js',
    args: ['--replay', file],
  });
  const secret = JSON.stringify(recorded).replace('One moment', '[value of TOKEN]');
  assert.deepEqual(played, JSON.parse(secret));
});
