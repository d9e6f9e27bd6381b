import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Place } from '../../../../src/client/files/place.ts';
import { SavedTexts } from '../../../../src/client/files/savedTexts.ts';

const MIB = 1024 * 1024;
const place = (name: string): Place => ({ kind: 'disk', path: `/w/${name}`, real: `/w/${name}` });
const decoded = (text: string) => ({ text, encoding: 'utf8' });
const bytes = (size: number, fill = 97): Uint8Array => new Uint8Array(size).fill(fill);

describe('the texts of saved files', () => {
  test('are known for the very same bytes in the same place alone', () => {
    const texts = new SavedTexts();
    texts.set(place('a'), bytes(MIB), decoded('a'));
    assert.equal(texts.get(place('a'), bytes(MIB))?.text, 'a');
    assert.equal(texts.get(place('b'), bytes(MIB)), undefined);
    const other = bytes(MIB);
    other[MIB - 1] = 98;
    assert.equal(texts.get(place('a'), other), undefined);
    assert.equal(texts.get(place('a'), bytes(MIB - 1)), undefined);
    texts.set(place('a'), other, decoded('b'));
    assert.equal(texts.get(place('a'), bytes(MIB)), undefined);
    assert.equal(texts.get(place('a'), other)?.text, 'b');
  });

  test('are kept for 64 MiB in all: those of longest ago go, and one that is larger is not kept', () => {
    const texts = new SavedTexts();
    const isKept = (name: string): boolean => texts.get(place(name), bytes(20 * MIB)) !== undefined;
    for (const name of ['a', 'b', 'c']) texts.set(place(name), bytes(20 * MIB), decoded(''));
    assert.deepEqual(['a', 'b', 'c'].map(isKept), [true, true, true]);
    texts.set(place('a'), bytes(20 * MIB), decoded(''));
    texts.set(place('d'), bytes(20 * MIB), decoded(''));
    assert.deepEqual(['a', 'b', 'c', 'd'].map(isKept), [true, false, true, true]);
    texts.set(place('huge'), bytes(65 * MIB), decoded(''));
    assert.equal(texts.get(place('huge'), bytes(65 * MIB)), undefined);
    assert.deepEqual(['a', 'c', 'd'].map(isKept), [true, true, true]);
  });
});
