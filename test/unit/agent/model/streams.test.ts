import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventData, MAX_LINE } from '../../../../src/agent/model/sse.ts';
import type { Spoken } from '../../../../src/agent/model/thinkTags.ts';
import { ThinkTags } from '../../../../src/agent/model/thinkTags.ts';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function dataOf(text: string, size: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const data of eventData(pieces(new TextEncoder().encode(text), size), 'host')) {
    found.push(data);
  }
  return found;
}

for (const [what, text, expected] of [
  ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  [
    'no blank behind the colon, two lines, other fields',
    'id: 1\ndata:a\n:c\ndata:  b\n\n',
    ['a\n b'],
  ],
  ['no last blank line', 'data: é🎉', ['é🎉']],
  ['a byte-order mark', '\uFEFFdata: a\n\n', ['a']],
  ['nothing', '\n\n: x\n\n', []],
] as const) {
  test(`events with ${what} are read, in pieces of any size`, async () => {
    for (let size = 1; size <= text.length + 4; size += 1) {
      assert.deepEqual(await dataOf(text, size), expected, `pieces of ${size} bytes`);
    }
  });
}

test('an event of many lines that together are too long is refused, as a long line is', async () => {
  const line = `data: ${'x'.repeat(60_000)}\n`;
  await assert.rejects(dataOf(line.repeat(40), 64 * 1024), /too long/);
  await assert.rejects(dataOf('x'.repeat(MAX_LINE + 1), 64 * 1024), /too long/);
});

function spoken(text: string, size: number): readonly [thought: string, words: string] {
  const tags = new ThinkTags();
  const all: Spoken[] = [];
  for (let at = 0; at < text.length; at += size) all.push(...tags.push(text.slice(at, at + size)));
  all.push(...tags.end());
  const by = (voice: string): string =>
    all.map((one) => (one.voice === voice ? one.text : '')).join('');
  return [by('thought'), by('text')];
}

for (const [text, thought, words] of [
  ['plain', '', 'plain'],
  ['<think>a</think>b', 'a', 'b'],
  ['\n <think>\na\n</think>\n\nb <think>c</think>', '\na\n', 'b <think>c</think>'],
  ['<think>a < b </thin </think>', 'a < b </thin ', ''],
  ['<think>never closed', 'never closed', ''],
  ['<thin', '', '<thin'],
  ['<thinking>x', '', '<thinking>x'],
  ['  <p>', '', '  <p>'],
] as const) {
  test(`${JSON.stringify(text)} is told into thoughts and words, in pieces of any size`, () => {
    for (let size = 1; size <= text.length; size += 1) {
      assert.deepEqual(spoken(text, size), [thought, words], `pieces of ${size}`);
    }
  });
}

test('words are not held back longer than they may become a tag', () => {
  const tags = new ThinkTags();
  assert.deepEqual(tags.push('<th'), []);
  assert.deepEqual(tags.push('at is'), [{ voice: 'text', text: '<that is' }]);
});
