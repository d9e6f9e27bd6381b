import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { AgentLink } from '../../src/client/agents/agentLink.ts';
import { agentFailure, AgentGone } from '../../src/client/agents/failures.ts';
import { RecordingLog } from '../fakes/recordingLog.ts';
import { unservedRequests } from '../fakes/unservedRequests.ts';

const silent = {
  updated: () => undefined,
  permissionRequested: () => Promise.reject(new Error('not expected')),
  requests: unservedRequests,
  told: () => undefined,
  closed: () => undefined,
};

test('requests leave nothing behind for the life of the agent, and those that wait end with it', async () => {
  const log = new RecordingLog();
  const link = new AgentLink({
    launch: {
      agentId: 'scripted',
      command: process.execPath,
      args: [path.resolve('test/fakes/agents/scripted.mjs')],
      env: {},
      cwd: os.tmpdir(),
      origin: 'user',
    },
    name: 'scripted',
    version: '0.0.0-test',
    capabilities: {},
    trace: () => null,
    maxLineBytes: 1_000_000,
    log,
  });
  const { gone } = link;
  let reactions = 0;
  gone.then = (...args) => {
    reactions += 1;
    return Promise.prototype.then.apply(gone, args) as never;
  };
  await link.handshake(10_000);
  const session = await link.newSession(os.tmpdir(), silent);
  for (let n = 0; n < 5; n += 1) await session.prompt('Hello');
  assert.equal(reactions, 0);
  const waiting = assert.rejects(session.prompt('[["wait"]]'), AgentGone);
  await link.stop(agentFailure('The test is over.'));
  await waiting;
  await assert.rejects(session.prompt('too late'), /The test is over/);
});
