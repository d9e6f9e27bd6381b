import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { calls, says } from '../fakes/modelEndpoint.ts';
import { choose, Driver } from './agentDriver.ts';
import { ALL, callsIn, roomFor, toldIn } from './agentModelRoom.ts';

const FILES = { 'a.txt': 'one\n' };

test('in mode "plan" a model proposes freely, and only the person can approve', async (t) => {
  const room = await roomFor(t, { files: FILES });
  const { endpoint, driver, id, folder } = room;
  await driver.request('session/set_mode', { sessionId: id, modeId: 'plan' });
  const edit = ['edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }] as const;
  endpoint.script(
    calls([...edit]),
    calls(['run', { command: 'touch here' }]),
    calls(['approve_plan', { plan: 'I make it two.' }]),
    calls(['approve_plan', { plan: 'I make it two, really.' }]),
    calls([...edit]),
    says('done'),
  );
  const turn = driver.prompt(id, 'make it two');
  const first = await driver.permission();
  assert.equal(first.params.toolCall.kind, 'switch_mode');
  assert.match(JSON.stringify(first.params.toolCall.content), /I make it two\./);
  first.answer(choose(first, 'reject_once'));
  const second = await driver.permission();
  assert.equal(second.params.toolCall.kind, 'switch_mode');
  assert.equal(fs.readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'one\n');
  assert.equal(fs.existsSync(path.join(folder, 'here')), false);
  second.answer(choose(second, 'allow_always'));
  await turn;
  assert.equal(fs.readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'two\n');
  const told = toldIn(room).join('\n');
  assert.match(told, /nothing is changed or run before/);
  assert.match(told, /it needs a new plan/);
  assert.match(told, /approved the plan/);
  assert.deepEqual(
    callsIn(driver.updates(id)).map(({ status }) => status),
    ['failed', 'failed', 'failed', 'completed', 'completed'],
  );
});

test('a model is told what was said in a chat before its process', async (t) => {
  const room = await roomFor(t, { files: FILES });
  const { endpoint, driver, id, folder } = room;
  endpoint.script(calls(['read', { path: 'a.txt' }]), says('It says one.'));
  await driver.prompt(id, 'what is in a.txt');
  await driver.prompt(id, '/title A command');
  const again = await Driver.start(ALL, {
    PARLEY_AGENT_BASE_URL: `http://${endpoint.host}/v1`,
    PARLEY_AGENT_MODEL: 'tester',
  });
  endpoint.script(says('I remember.'));
  await again.request('session/load', { sessionId: id, cwd: folder, mcpServers: [] });
  await again.prompt(id, 'and now?');
  const messages = JSON.stringify(endpoint.last.body.messages);
  assert.match(messages, /what is in a\.txt.*It says one\..*and now\?/);
  assert.doesNotMatch(messages, /A command/);
  await again.stop();
});
