import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fits } from '../../../../src/agent/scenes/json.ts';
import { fill, namesIn } from '../../../../src/agent/scenes/placeholders.ts';
import { SceneFault } from '../../../../src/agent/scenes/sceneFault.ts';

const values = new Map<string, unknown>([
  ['n', 7],
  ['frame', { id: 'x', list: [{ text: 'a "b"' }], none: null }],
]);
const filled = (value: unknown): unknown => fill(value, (name) => values.get(name));

test('a text that is only a placeholder becomes the value, and in a text its text', () => {
  assert.deepEqual(filled({ id: '${n}', deep: ['${frame.list}', 1, null] }), {
    id: 7,
    deep: [[{ text: 'a "b"' }], 1, null],
  });
  assert.equal(filled('${n}${n}'), '77');
  assert.equal(filled('<${frame.list.0.text}> ${frame.list}'), '<a "b"> [{"text":"a \\"b\\""}]');
  assert.equal(filled('${frame.none}'), null);
});

test('with one more dollar a placeholder stands for itself, and names of fields stay', () => {
  assert.deepEqual(filled({ '${n}': '$${n} $$${n} $n {n} ${' }), {
    '${n}': '${n} $${n} $n {n} ${',
  });
  assert.equal(filled('$${n}'), '${n}');
});

test('fields of the language are no values', () => {
  for (const text of ['${n.toFixed}', '${frame.constructor}', '${other}']) {
    assert.throws(() => filled(text), SceneFault, text);
  }
});

test('a field that is called __proto__ stays a field', () => {
  const text = '{"__proto__":{"a":"${n}"}}';
  assert.equal(JSON.stringify(filled(JSON.parse(text))), '{"__proto__":{"a":7}}');
});

test('placeholders do not make a frame grow without bounds', () => {
  values.set('big', 'x'.repeat(1 << 20));
  assert.throws(() => filled(Array.from({ length: 100 }, () => '${big}')), /too long/);
  assert.throws(() => filled('${big}'.repeat(100)), /too long/);
});

test('the names that are used are known without values', () => {
  assert.deepEqual(namesIn({ a: ['${one.two} ${three}', '$${four}'], b: 1 }), ['one', 'three']);
});

test('a pattern names what has to be there', () => {
  const frame = { id: 1, params: { list: [{ a: 1, b: 2 }], text: 'x' } };
  for (const [pattern, holds] of [
    [{}, true],
    [{ id: 1 }, true],
    [{ id: '1' }, false],
    [{ params: { text: 'x' } }, true],
    [{ params: { list: [{ a: 1 }] } }, true],
    [{ params: { list: [] } }, false],
    [{ params: { list: [{ a: 1 }, {}] } }, false],
    [{ params: { list: { 0: { a: 1 } } } }, false],
    [{ other: null }, false],
    [{ toString: {} }, false],
  ] as const) {
    assert.equal(fits(frame, pattern), holds, JSON.stringify(pattern));
  }
});
