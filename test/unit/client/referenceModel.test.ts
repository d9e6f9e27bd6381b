import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentCatalog } from '../../../src/client/agents/catalog.ts';
import { keyVariable } from '../../../src/client/agents/referenceModel.ts';
import { FakeConsent, FakeMemory, FakeModelKeys } from '../../fakes/fakeMemory.ts';
import { FakeSettings } from '../../fakes/fakeSettings.ts';
import { FakeWorkspace } from '../../fakes/fakeWorkspace.ts';

const KEY = 'sk-secret-0123456789';
const URL = 'https://models.example/v1';

function setUp() {
  const settings = new FakeSettings();
  const keys = new FakeModelKeys();
  const catalog = new AgentCatalog({
    settings,
    workspace: new FakeWorkspace(['/ws']),
    consent: new FakeConsent(),
    memory: new FakeMemory(),
    keys,
    bundledAgent: '/ext/dist/agent.js',
  });
  settings.giveModel(URL, 'coder');
  keys.keys.set(URL, KEY);
  return { settings, keys, catalog };
}

test('the bundled agent is given the address, the model and the key', async () => {
  const { env } = await setUp().catalog.allowed('reference');
  assert.deepEqual(env, {
    ELECTRON_RUN_AS_NODE: '1',
    PARLEY_AGENT_BASE_URL: URL,
    PARLEY_AGENT_MODEL: 'coder',
    PARLEY_AGENT_CONTEXT_TOKENS: '32768',
    PARLEY_AGENT_API_KEY: KEY,
  });
});

test('no other agent is given any of it', async () => {
  const { settings, catalog } = setUp();
  settings.define('mine', { command: '/bin/agent', env: { A: 'b' } });
  settings.define('theirs', { command: '/bin/agent', origin: 'workspace' });
  assert.deepEqual((await catalog.allowed('mine')).env, { A: 'b' });
  assert.deepEqual((await catalog.allowed('theirs')).env, {});
});

test('without an address the bundled agent is given nothing, and no key is looked up', async () => {
  const { settings, keys, catalog } = setUp();
  settings.giveModel('', 'coder');
  keys.keys.set('', KEY);
  const { env } = await catalog.allowed('reference');
  assert.deepEqual(env, { ELECTRON_RUN_AS_NODE: '1' });
});

test('a key goes only to the address that it was given for', async () => {
  const { settings, catalog } = setUp();
  settings.giveModel('https://other.example/v1', 'coder');
  const { env } = await catalog.allowed('reference');
  assert.ok(!JSON.stringify(env).includes(KEY));
});

test('a key of our own environment does not go to an address of the settings', () => {
  const name = 'PARLEY_AGENT_API_KEY';
  assert.deepEqual(keyVariable('', { [name]: KEY }), { [name]: '' });
  assert.deepEqual(keyVariable('own', { [name]: KEY }), { [name]: 'own' });
  assert.deepEqual(keyVariable('', {}), {});
});

test('what is resolved to be compared or shown holds no key', () => {
  assert.ok(!JSON.stringify(setUp().catalog.resolve('reference')).includes(KEY));
});

test('who has a model sees it where agents are chosen, for it means a network', () => {
  const { settings, catalog } = setUp();
  assert.match(catalog.choices()[0]?.detail ?? '', /coder/);
  settings.giveModel('', '');
  assert.match(catalog.choices()[0]?.detail ?? '', /no network/);
});
