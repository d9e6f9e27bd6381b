import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseObject, valueAt } from '../../../../src/agent/scenes/json.ts';
import { readScene } from '../../../../src/agent/scenes/readScene.ts';
import { FIELDS } from '../../../../src/agent/scenes/readStep.ts';
import { SceneFault } from '../../../../src/agent/scenes/sceneFault.ts';

const FOLDER = path.resolve('test/fixtures/scenes');

function withSteps(...steps: readonly unknown[]): string {
  return JSON.stringify({ scene: 1, steps });
}

function faultOf(text: string): string {
  try {
    readScene(text);
  } catch (error) {
    assert.ok(error instanceof SceneFault, String(error));
    return error.message;
  }
  return 'none';
}

test('short forms are written out', () => {
  const { steps } = readScene(
    withSteps(
      { send: { method: 'a' } },
      { send: { jsonrpc: '1.0' } },
      { send: [1] },
      { answer: null },
      { fail: { code: 1, message: 'no' }, to: '${p.id}' },
      { expect: 'session/prompt', as: 'p' },
      { say: 'Hi', session: 's' },
      { bytes: '7b C3' },
      { flood: 7, times: 3 },
    ),
  );
  assert.deepEqual(steps, [
    { at: 'steps[0].send', kind: 'send', frame: { jsonrpc: '2.0', method: 'a' } },
    { at: 'steps[1].send', kind: 'send', frame: { jsonrpc: '1.0' } },
    { at: 'steps[2].send', kind: 'send', frame: [1] },
    {
      at: 'steps[3].answer',
      kind: 'send',
      frame: { jsonrpc: '2.0', id: '${request.id}', result: null },
    },
    {
      at: 'steps[4].fail',
      kind: 'send',
      frame: { jsonrpc: '2.0', id: '${p.id}', error: { code: 1, message: 'no' } },
    },
    {
      at: 'steps[5].expect',
      kind: 'expect',
      pattern: { method: 'session/prompt' },
      as: 'p',
      within: undefined,
      anyOrder: false,
    },
    {
      at: 'steps[6].say',
      kind: 'send',
      frame: {
        jsonrpc: '2.0',
        method: 'session/update',
        params: {
          sessionId: 's',
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hi' } },
        },
      },
    },
    { at: 'steps[7].bytes', kind: 'raw', text: Buffer.from([0x7b, 0xc3]) },
    {
      at: 'steps[8].flood',
      kind: 'repeat',
      steps: [{ at: 'steps[8].flood', kind: 'send', frame: 7 }],
      times: 3,
    },
  ]);
});

test('what is wrong is named with the place where it stands', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const [text, message] of [
    ['', /no JSON object/],
    ['[]', /no JSON object/],
    ['{"scene":1,"steps":[', /no JSON object/],
    ['{"steps":[]}', /^scene: must be 1/],
    ['{"scene":2,"steps":[]}', /^scene: must be 1/],
    ['{"scene":1}', /^steps: must be a list/],
    ['{"scene":1,"steps":[],"step":[]}', /^the scene: "step" is none of/],
    [`{"scene":1,"steps":[{"send":${deep}}]}`, /nested deeper/],
    [withSteps(null), /^steps\[0\]: must be an object/],
    [withSteps({ note: 'nothing' }), /^steps\[0\]: needs exactly one of send, raw/],
    [withSteps({ send: 1, raw: '' }), /^steps\[0\]: needs exactly one of/],
    [withSteps({ send: 1, times: 2 }), /^steps\[0\]\.send: "times" is none of send, note/],
    [withSteps({ raw: 1 }), /^steps\[0\]\.raw: must be a text, not 1/],
    [withSteps({ bytes: '7' }), /^steps\[0\]\.bytes: must be bytes/],
    [withSteps({ bytes: 'xy' }), /^steps\[0\]\.bytes: must be bytes/],
    [withSteps({ update: [] }), /^steps\[0\]\.update: must be an object/],
    [withSteps({ expect: {} }), /^steps\[0\]\.expect: must be the name of a method/],
    [withSteps({ expect: { method: 1 } }), /^steps\[0\]\.expect: must be the name/],
    [withSteps({ expect: 'a', as: 'request' }), /^steps\[0\]\.expect: "request" cannot be/],
    [withSteps({ expect: 'a', as: 'a b' }), /^steps\[0\]\.expect: "a b" cannot be/],
    [withSteps({ expect: 'a', within: '5' }), /^steps\[0\]\.expect\.within: must be milli/],
    [withSteps({ expect: 'a', anyOrder: 1 }), /^steps\[0\]\.expect: "anyOrder"/],
    [withSteps({ pause: -1 }), /^steps\[0\]\.pause: must be milliseconds/],
    [withSteps({ pause: 1e9 }), /^steps\[0\]\.pause: must be milliseconds/],
    [withSteps({ flood: 1 }), /^steps\[0\]\.flood: needs "times"/],
    [withSteps({ flood: 1, times: 0 }), /^steps\[0\]\.flood: "times" must be/],
    [withSteps({ flood: 1, times: 1.5 }), /^steps\[0\]\.flood: "times" must be/],
    [withSteps({ repeat: [] }), /^steps\[0\]\.repeat: needs at least one step/],
    [withSteps({ repeat: [{ raw: 1 }] }), /^steps\[0\]\.repeat\[0\]\.raw: must be a text/],
    [withSteps({ silence: false }), /^steps\[0\]\.silence: must be true/],
    [withSteps({ exit: 256 }), /^steps\[0\]\.exit: must be an exit code/],
    [withSteps({ exit: 'SIGSTOP' }), /^steps\[0\]\.exit: must be an exit code/],
    [withSteps({ say: '${promt.id}' }), /^steps\[0\]\.say: no "as" names "promt"/],
    [withSteps({ toString: 1 }), /^steps\[0\]: needs exactly one of/],
    ['{"scene":1,"steps":[],"reactions":{}}', /^reactions: must be a list/],
    ['{"scene":1,"steps":[],"reactions":[{"do":[]}]}', /^reactions\[0\]\.on: must be the name/],
    [
      '{"scene":1,"steps":[],"reactions":[{"on":"a","do":[{"expect":"b"}]}]}',
      /^reactions\[0\]\.do\[0\]\.expect: only the sequence/,
    ],
  ] as const) {
    assert.match(faultOf(text), message, text.slice(0, 100));
  }
});

test('a name may be used before the step that gives it, as a reaction does', () => {
  const scene = {
    scene: 1,
    reactions: [{ on: 'session/cancel', do: [{ answer: 1, to: '${prompt.id}' }], times: 2 }],
    steps: [{ expect: 'session/prompt', as: 'prompt' }],
  };
  const { reactions } = readScene(JSON.stringify(scene));
  assert.equal(reactions[0]?.times, 2);
});

test('the schema of the examples knows the same steps with the same fields', () => {
  const text = fs.readFileSync(path.join(FOLDER, 'scene.schema.json'), 'utf8');
  const steps = valueAt(parseObject(text), ['definitions', 'steps', 'items', 'oneOf']);
  assert.ok(Array.isArray(steps));
  const known = steps.map((step: unknown) => {
    const [verb, ...fields] = Object.keys(valueAt(step, ['properties']) ?? {});
    return [verb, fields];
  });
  const read = Object.entries(FIELDS).map(([verb, fields]) => [verb, [...fields, 'note']]);
  assert.deepEqual(known, read);
});

test('every example can be read', () => {
  for (const name of fs.readdirSync(FOLDER)) {
    if (name === 'scene.schema.json') continue;
    assert.equal(faultOf(fs.readFileSync(path.join(FOLDER, name), 'utf8')), 'none', name);
  }
});
