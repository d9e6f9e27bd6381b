import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ended, entries, floorFor, said } from '../fakes/clientFloor.ts';
import { eventually } from '../fakes/eventually.ts';
import { calls, fails, ModelEndpoint, says } from '../fakes/modelEndpoint.ts';

const KEY = 'sk-parley-0123456789abcdef';

test('Parley gives its bundled agent the model of the settings, and one yes is enough for an edit and a command', async (t) => {
  const endpoint = await ModelEndpoint.start();
  t.after(() => endpoint.stop());
  const floor = floorFor(t);
  const base = `http://${endpoint.host}/v1`;
  floor.settings.giveModel(base, 'coder');
  floor.settings.turnTrace(true);
  floor.keys.keys.set(base, KEY);
  const file = path.join(floor.folders.workspace, 'a.txt');
  fs.writeFileSync(file, 'one\n');
  endpoint.script(
    calls(['edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }]),
    calls(['run', { command: 'cat a.txt' }]),
    says(`Done, ${KEY}.`),
  );
  const chat = floor.chats.newChat();
  floor.window.show(chat.id);
  chat.prompt('say two, please');
  for (const kind of ['Edit a file', 'Run a command']) {
    await eventually(`it asks: ${kind}`, () => floor.prompt.onScreen[0]?.question.kind === kind);
    const [pick] = floor.prompt.onScreen;
    pick?.act(pick.question.options.find((option) => option.kind === 'allow_once')?.optionId);
  }
  await ended(chat);
  assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
  const results = endpoint.last.body.messages.filter(({ role }) => role === 'tool');
  assert.match(String(results[1]?.content), /two/);
  assert.equal(endpoint.last.authorization, `Bearer ${KEY}`);
  assert.match(said(chat, 'agent'), /^Done/);
  const states = entries(chat).flatMap((entry) => (entry.kind === 'tool' ? [entry.state] : []));
  assert.deepEqual([...new Set(states)], ['done']);

  endpoint.script(fails(401, { error: { message: `not this: ${KEY}` } }));
  chat.prompt('again');
  await ended(chat);
  const state = JSON.stringify(chat.thread.latest?.state);
  assert.ok(state.includes(endpoint.host), state);
  await floor.agents.close();
  assert.ok(!JSON.stringify(chat.thread).includes(KEY));
  const { root } = floor.folders;
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const target = path.join(root, name);
    if (!fs.statSync(target).isFile()) continue;
    assert.ok(!fs.readFileSync(target, 'utf8').includes(KEY), `the key is in ${name}`);
  }
});
