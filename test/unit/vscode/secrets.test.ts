import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { originOf, SecretModelKeys } from '../../../src/vscode/ports/secrets.ts';

/** VS Code's secret storage, in memory. */
function storage(first?: string) {
  const kept = new Map<string, string>(
    first === undefined ? [] : [['parley.referenceAgent.apiKeys', first]],
  );
  return {
    kept,
    keys: () => Promise.resolve([...kept.keys()]),
    get: (name: string) => Promise.resolve(kept.get(name)),
    store: (name: string, value: string) => Promise.resolve(void kept.set(name, value)),
    delete: (name: string) => Promise.resolve(void kept.delete(name)),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}

test('a key is for one host: another path there has it, another host, port or scheme has not', async () => {
  const keys = new SecretModelKeys(storage());
  await keys.set('https://a.example/v1', 'one');
  await keys.set('http://127.0.0.1:8080', 'two');
  assert.equal(await keys.keyFor('https://a.example/openai/'), 'one');
  assert.equal(await keys.keyFor('http://127.0.0.1:8080/v1'), 'two');
  for (const other of [
    'http://a.example/v1',
    'https://a.example:444/v1',
    'https://b.example/v1',
    'https://a.example.b.example',
    'http://127.0.0.1:8081',
    'nonsense',
    '',
  ]) {
    assert.equal(await keys.keyFor(other), '', other);
  }
});

test('clearing forgets all keys', async () => {
  const kept = storage();
  const keys = new SecretModelKeys(kept);
  await keys.set('https://a.example', 'one');
  await keys.clear();
  assert.equal(await keys.keyFor('https://a.example'), '');
  assert.equal(kept.kept.size, 0);
});

test('what another version has stored does no harm', async () => {
  for (const stored of ['', 'text', '[]', 'null', '{"https://a.example":7}']) {
    assert.equal(await new SecretModelKeys(storage(stored)).keyFor('https://a.example'), '');
  }
});

test('only http and https have a place for keys', () => {
  assert.equal(originOf('HTTPS://A.example:443/v1'), 'https://a.example');
  for (const other of ['file:///x', 'ftp://a.example', 'javascript:1', 'a.example', ''])
    assert.equal(originOf(other), undefined, other);
});

test('no workspace can say where the key and the prompts go: the settings are those of the machine', () => {
  const { contributes } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    contributes: { configuration: { properties: Record<string, { scope: string }> } };
  };
  const { properties } = contributes.configuration;
  for (const name of ['baseUrl', 'model', 'contextTokens'])
    assert.equal(properties[`parley.referenceAgent.${name}`]?.scope, 'machine', name);
});
