import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { AgentCatalog } from '../../../src/client/agents/catalog.ts';
import { FakeConsent, FakeMemory, FakeModelKeys } from '../../fakes/fakeMemory.ts';
import { FakeSettings } from '../../fakes/fakeSettings.ts';
import { FakeWorkspace } from '../../fakes/fakeWorkspace.ts';

function setUp(folders: readonly string[] = ['/ws', '/other']) {
  const settings = new FakeSettings();
  const workspace = new FakeWorkspace(folders);
  const consent = new FakeConsent();
  const memory = new FakeMemory();
  const catalog = new AgentCatalog({
    settings,
    workspace,
    consent,
    memory,
    keys: new FakeModelKeys(),
    bundledAgent: '/ext/dist/agent.js',
  });
  return { settings, workspace, consent, memory, catalog };
}

test('the bundled agent is started with this program as Node, in the first workspace folder', () => {
  const { catalog } = setUp();
  assert.deepEqual(catalog.resolve('reference'), {
    agentId: 'reference',
    command: process.execPath,
    args: ['/ext/dist/agent.js'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/ws',
    origin: 'user',
  });
});

test('an agent in the settings that is named like the bundled one does not take its place', async () => {
  const { catalog, settings } = setUp();
  settings.define('reference', { command: '/bin/evil', origin: 'workspace' });
  assert.equal((await catalog.allowed('reference')).command, process.execPath);
  assert.deepEqual(
    catalog.choices().map(({ id }) => id),
    ['reference'],
  );
});

test('an agent of the settings is expanded, and its folder counts from the workspace', () => {
  const { catalog, settings } = setUp();
  settings.define('mine', {
    command: '${workspaceFolder}/run',
    args: ['--in', '${workspaceFolder}'],
    env: { WHERE: '${workspaceFolder}' },
    cwd: 'tools/agent',
  });
  assert.deepEqual(catalog.resolve('mine'), {
    agentId: 'mine',
    command: '/ws/run',
    args: ['--in', '/ws'],
    env: { WHERE: '/ws' },
    cwd: '/ws/tools/agent',
    origin: 'user',
  });
});

test('with no folder open an agent runs in the home folder', () => {
  const { catalog } = setUp([]);
  assert.equal(catalog.resolve('reference').cwd, os.homedir());
});

test('an agent that is not in the settings is an error that names it', () => {
  assert.throws(() => setUp().catalog.resolve('gone'), /"gone"/);
});

test('a command from the user settings is started without a question', async () => {
  const { catalog, settings, consent } = setUp();
  settings.define('mine', { command: 'agent' });
  await catalog.allowed('mine');
  assert.equal(consent.asked.length, 0);
});

test('a command from a workspace that is not trusted is not started, and nobody is asked', async () => {
  const { catalog, settings, workspace, consent } = setUp();
  workspace.setTrust(false);
  settings.define('theirs', { command: 'agent', origin: 'workspace' });
  await assert.rejects(catalog.allowed('theirs'), /not trusted/);
  assert.equal(consent.asked.length, 0);
});

test('a command from a trusted workspace is started after one consent that shows the whole line', async () => {
  const { catalog, settings, consent } = setUp();
  settings.define('theirs', {
    command: 'agent',
    args: ['--key', 'a b'],
    env: { TOKEN: 'very secret' },
    origin: 'workspace',
  });
  await catalog.allowed('theirs');
  await catalog.allowed('theirs');
  assert.deepEqual(consent.asked, [
    { agentId: 'theirs', commandLine: "agent --key 'a b'", cwd: '/ws', envNames: ['TOKEN'] },
  ]);
});

for (const [what, change] of [
  ['command', { command: 'agent2' }],
  ['arguments', { command: 'agent', args: ['-x'] }],
  ['environment', { command: 'agent', env: { A: '2' } }],
  ['folder', { command: 'agent', cwd: 'sub' }],
] as const) {
  test(`a workspace that changes the ${what} has to ask again`, async () => {
    const { catalog, settings, consent } = setUp();
    settings.define('theirs', { command: 'agent', env: { A: '1' }, origin: 'workspace' });
    await catalog.allowed('theirs');
    settings.define('theirs', { env: { A: '1' }, origin: 'workspace', ...change });
    await catalog.allowed('theirs');
    assert.equal(consent.asked.length, 2);
  });
}

test('a refused consent starts nothing, is not remembered, and is asked again', async () => {
  const { catalog, settings, consent, memory } = setUp();
  settings.define('theirs', { command: 'agent', origin: 'workspace' });
  consent.answer = false;
  await assert.rejects(catalog.allowed('theirs'), /not started/);
  assert.equal(memory.values.size, 0);
  consent.answer = true;
  await catalog.allowed('theirs');
  assert.equal(consent.asked.length, 2);
});

test('a second start while the person is asked waits for the same answer', async () => {
  const { catalog, settings, consent, memory } = setUp();
  settings.define('theirs', { command: 'agent', origin: 'workspace' });
  const answers = await Promise.allSettled([catalog.allowed('theirs'), catalog.allowed('theirs')]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
  assert.equal(consent.asked.length, 1);
  memory.values.clear();
  consent.answer = false;
  const refused = await Promise.allSettled([catalog.allowed('theirs'), catalog.allowed('theirs')]);
  assert.deepEqual(
    refused.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(consent.asked.length, 2);
});
