import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { picture } from '../../../src/agent/picture.ts';

test('the picture is a PNG as the specification wants it, and always the same', () => {
  const png = picture();
  assert.deepEqual(png, picture());
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  const kinds: string[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const kind = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    kinds.push(kind);
    // Width and height, eight bits for each of three colours.
    if (kind === 'IHDR') {
      assert.deepEqual([content.readUInt32BE(0), content.readUInt32BE(4)], [96, 96]);
      assert.deepEqual([...content.subarray(8)], [8, 2, 0, 0, 0]);
    }
    // A filter byte before each row.
    if (kind === 'IDAT') assert.equal(inflateSync(content).length, 96 * (1 + 3 * 96));
    // The checksum of an end without content stands in the specification's own example.
    if (kind === 'IEND') assert.equal(png.readUInt32BE(at + 8), 0xae426082);
    at += 12 + length;
  }
  assert.deepEqual(kinds, ['IHDR', 'IDAT', 'IEND']);
});
