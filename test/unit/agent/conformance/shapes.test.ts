import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { inspect } from '../../../../src/agent/conformance/shape.ts';
import { SHAPES } from '../../../../src/agent/conformance/shapes.ts';

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const part = (value: unknown, name: string): Json => {
  const found = isJson(value) ? value[name] : undefined;
  return isJson(found) ? found : {};
};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function definitions(file: string): Json {
  const text = fs.readFileSync(
    path.resolve('node_modules/@agentclientprotocol/sdk/schema/v1', file),
    'utf8',
  );
  return part(JSON.parse(text), '$defs');
}

const stable = definitions('schema.json');
const draft = definitions('schema.unstable.json');

/** Names here that stand for several of the schema, or for a part of one of its unions. */
const OURS = new Set([
  'Marker',
  'SessionSetupResponse',
  'SessionConfigSelect',
  'SessionConfigBoolean',
]);

/** The values of an enumeration, or the kinds of a union. */
function variants(definition: unknown, tag?: string): readonly string[] {
  const schema = isJson(definition) ? definition : {};
  return list(schema['oneOf'] ?? schema['anyOf']).flatMap((one) => {
    const value = tag === undefined ? part({ one }, 'one') : part(part(one, 'properties'), tag);
    return typeof value['const'] === 'string' ? [value['const']] : [];
  });
}

for (const [name, shape] of Object.entries(SHAPES)) {
  if (OURS.has(name)) continue;
  test(`${name} has the fields, kinds or values of the SDK's schema`, () => {
    const definition = part(stable, name);
    assert.ok(Object.keys(definition).length > 0, 'the schema has it');
    const words: readonly string[] = shape.split(' ');
    const [head = '', ...rest] = words;
    if (head.startsWith('=')) {
      assert.deepEqual([head.slice(1), ...rest].sort(), [...variants(definition)].sort());
    } else if (head.startsWith('@')) {
      const kinds = rest.filter((word) => !word.endsWith('~')).map((word) => word.split('=')[0]);
      const known = [...variants(definition, head.slice(1))].sort();
      assert.deepEqual(kinds.filter((kind) => kind !== '*').sort(), known);
      const added = variants(part(draft, name), head.slice(1)).filter(
        (one) => !known.includes(one),
      );
      const drafts = rest.filter((word) => word.endsWith('~')).map((word) => word.slice(0, -1));
      assert.deepEqual(drafts.sort(), added.sort());
    } else {
      const properties = Object.keys(part(definition, 'properties')).filter(
        (one) => one !== '_meta',
      );
      const fields = words.map((word) => word.split(':')[0] ?? '');
      const own = fields.filter((field) => !field.endsWith('~'));
      assert.deepEqual(own.map((field) => field.replace('?', '')).sort(), properties.sort());
      const required = own.filter((field) => !field.endsWith('?')).sort();
      assert.deepEqual(required, list(definition['required']).map(String).sort());
      const added = Object.keys(part(part(draft, name), 'properties'));
      const onlyDraft = added.filter((one) => one !== '_meta' && !properties.includes(one));
      const drafts = fields.filter((field) => field.endsWith('~')).map((one) => one.slice(0, -1));
      assert.deepEqual(drafts.sort(), onlyDraft.sort());
    }
  });
}

test('a value is told apart from its shape by field, kind, value and place', () => {
  const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'smell' } };
  const { wrong } = inspect({ sessionId: 7, update: chunk }, 'SessionNotification', 'it');
  assert.deepEqual(wrong, [
    'it.sessionId is 7, not string',
    'it.update.content.type is "smell", none of text, image, audio, resource_link, resource',
  ]);
});

test('fields of the draft are told apart from fields of nobody, and _meta is free', () => {
  const found = inspect(
    { sessionCapabilities: { fork: {}, own: {}, _meta: { x: 1 } } },
    'AgentCapabilities',
    'it',
  );
  assert.deepEqual(found, {
    wrong: [],
    extra: ['it.sessionCapabilities.own'],
    draft: ['it.sessionCapabilities.fork'],
  });
});

test('no more than a few faults of a value are told, however many there are', () => {
  const entries = Array.from({ length: 100_000 }, () => null);
  const { wrong } = inspect({ entries }, 'Plan');
  assert.equal(wrong.length, 5);
});
