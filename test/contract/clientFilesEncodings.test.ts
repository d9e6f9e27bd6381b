import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { fault, room, type Room } from './clientFilesRoom.ts';

/** Bytes that are written down from the standards, not made by the codec: `before`, `edit`, `after`. */
const FILES = [
  {
    encoding: 'utf8',
    start: [],
    // 'ä€😀'
    text: 'ä€😀',
    bytes: [0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80],
    lineEnd: [0x0d, 0x0a],
  },
  {
    encoding: 'utf8bom',
    start: [0xef, 0xbb, 0xbf],
    text: 'ä€😀',
    bytes: [0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80],
    lineEnd: [0x0a],
  },
  {
    encoding: 'utf16le',
    start: [0xff, 0xfe],
    text: 'ä€😀',
    bytes: [0xe4, 0x00, 0xac, 0x20, 0x3d, 0xd8, 0x00, 0xde],
    lineEnd: [0x0d, 0x00, 0x0a, 0x00],
  },
  {
    encoding: 'utf16be',
    start: [0xfe, 0xff],
    text: 'ä€😀',
    bytes: [0x00, 0xe4, 0x20, 0xac, 0xd8, 0x3d, 0xde, 0x00],
    lineEnd: [0x00, 0x0a],
  },
  {
    encoding: 'windows1252',
    start: [],
    text: 'ä€“',
    bytes: [0xe4, 0x80, 0x93],
    lineEnd: [0x0d, 0x0a],
  },
  {
    encoding: 'shiftjis',
    start: [],
    // The second byte of 表 is a backslash.
    text: '日本表',
    bytes: [0x93, 0xfa, 0x96, 0x7b, 0x95, 0x5c],
    lineEnd: [0x0a],
  },
  {
    encoding: 'gbk',
    start: [],
    text: '中文',
    bytes: [0xd6, 0xd0, 0xce, 0xc4],
    lineEnd: [0x0d, 0x0a],
  },
] as const;

/** ASCII as the encoding has it. */
function ascii(text: string, encoding: string): number[] {
  const bytes = [...Buffer.from(text, 'ascii')];
  if (encoding === 'utf16le') return bytes.flatMap((byte) => [byte, 0]);
  if (encoding === 'utf16be') return bytes.flatMap((byte) => [0, byte]);
  return bytes;
}

for (const { encoding, start, text, bytes, lineEnd } of FILES) {
  describe(`a file in ${encoding}`, () => {
    const fileWith = (middle: string): Buffer =>
      Buffer.from([
        ...[...start, ...bytes, ...lineEnd],
        ...[...ascii(middle, encoding), ...lineEnd],
        ...bytes,
      ]);

    test('is the same outside of the edit, byte for byte', async (t) => {
      const it = room(t);
      it.codec.setting = encoding.startsWith('utf') ? 'utf8' : encoding;
      it.put('a.txt', fileWith('old'));
      const read = await it.read('a.txt');
      assert.deepEqual(read.split(/\r\n|\n/), [text, 'old', text]);
      // An agent that writes what it read with another line, and its own line ends.
      await it.write('a.txt', [text, 'new and longer', text].join('\n'));
      assert.deepEqual(it.bytes('a.txt'), fileWith('new and longer'));
      await it.write('a.txt', [text, 'old', text].join('\r\n'));
      assert.deepEqual(it.bytes('a.txt'), fileWith('old'));
    });

    test('takes new text in its own encoding', async (t) => {
      const it = room(t);
      it.codec.setting = encoding.startsWith('utf') ? 'utf8' : encoding;
      it.put('a.txt', Buffer.from([...start, ...ascii('a', encoding), ...lineEnd]));
      await it.write('a.txt', `a\n${text}`);
      assert.deepEqual(
        it.bytes('a.txt'),
        Buffer.from([...start, ...ascii('a', encoding), ...lineEnd, ...bytes]),
      );
    });

    if (encoding.startsWith('utf')) return;
    test('is not written if the encoding cannot hold the text', async (t) => {
      const it = room(t);
      it.codec.setting = encoding;
      it.put('a.txt', fileWith('old'));
      await assert.rejects(it.write('a.txt', `${text}😀`), fault('failed', /cannot hold/));
      assert.deepEqual(it.bytes('a.txt'), fileWith('old'));
      assert.deepEqual(it.names(), ['a.txt']);
    });

    test('is not written where the codec mangles without a word', async (t) => {
      const it = room(t);
      it.codec.setting = encoding;
      it.put('a.txt', fileWith('old'));
      it.codec.encode = (mangled) =>
        Promise.resolve(Buffer.from(mangled.replaceAll(/\P{ASCII}/gu, '?')));
      await assert.rejects(it.write('a.txt', `${text}😀`), fault('failed', /cannot hold/));
      assert.deepEqual(it.bytes('a.txt'), fileWith('old'));
    });
  });
}

describe('a file of UTF-8', () => {
  test('is not written where the codec mangles without a word, nor with half a character', async (t) => {
    const it = room(t);
    it.put('a.txt', 'old');
    await assert.rejects(it.write('a.txt', 'half \ud83d'), fault('failed', /cannot hold/));
    for (const sign of ['?', '??', '\ufffd']) {
      it.codec.encode = (text) => Promise.resolve(Buffer.from(text.replaceAll('😀', sign)));
      await assert.rejects(it.write('a.txt', 'ä😀'), fault('failed', /cannot hold/), sign);
    }
    assert.equal(it.text('a.txt'), 'old');
  });
});

describe('what an agent has read or written', () => {
  const long = (line: string): string => `${line}\n`.repeat(3_000);

  /** Lists what is decoded. */
  function watched(it: Room): string[] {
    const { codec } = it;
    const decoded: string[] = [];
    const decode = codec.decode.bind(codec);
    codec.decode = async (bytes) => {
      const found = await decode(bytes);
      decoded.push(found.text);
      return found;
    };
    return decoded;
  }

  test('is not decoded again to be changed, as long as the file holds the same bytes', async (t) => {
    const it = room(t);
    it.put('a.txt', long('größer'));
    const decoded = watched(it);
    await it.read('a.txt');
    decoded.length = 0;
    assert.deepEqual(await it.write('a.txt', long('kürzer')), {
      before: long('größer'),
      after: long('kürzer'),
    });
    assert.deepEqual(await it.write('a.txt', long('süßer')), {
      before: long('kürzer'),
      after: long('süßer'),
    });
    assert.deepEqual(decoded, []);
    assert.equal(it.text('a.txt'), long('süßer'));
  });

  test('is decoded anew where other bytes are there, however alike, and to be read', async (t) => {
    const it = room(t);
    const file = it.put('a.txt', long('größer'));
    await it.read('a.txt');
    const { atime, mtime } = fs.statSync(file);
    // As long as before, at the same time as before.
    const persons = long('größer').replace('größer', 'größte');
    it.put('a.txt', persons);
    fs.utimesSync(file, atime, mtime);
    const decoded = watched(it);
    const { before, after } = await it.write('a.txt', `${long('größer')}mehr`);
    assert.equal(before, persons);
    assert.equal(after, `${persons}mehr`, 'what the person has changed is kept');
    assert.equal(decoded[0], persons);
    decoded.length = 0;
    await it.read('a.txt');
    assert.deepEqual(decoded, [`${persons}mehr`]);
  });

  test('keeps its encoding to be changed, and is read in the one that the settings have since', async (t) => {
    const it = room(t);
    it.codec.setting = 'windows1252';
    const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
    it.put('a.txt', bytes(long('größer')));
    assert.equal(await it.read('a.txt'), long('größer'));
    it.codec.setting = 'gbk';
    await it.write('a.txt', long('kürzer'));
    assert.deepEqual(it.bytes('a.txt'), bytes(long('kürzer')));
    assert.notEqual(await it.read('a.txt'), long('kürzer'));
  });
});
