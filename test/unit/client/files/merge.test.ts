import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { merge } from '../../../../src/client/files/merge.ts';

const NAMES = { mine: 'yours', theirs: 'An Agent' };
const BASE = 'a\nb\nc\nd\ne\n';

describe('a merge of two texts that began as one', () => {
  const clean: readonly [string, string, string, string, string][] = [
    [
      'takes what only one side changed',
      BASE,
      'A\nb\nc\nd\ne\n',
      'a\nb\nc\nd\nE\n',
      'A\nb\nc\nd\nE\n',
    ],
    [
      'takes once what both changed alike',
      BASE,
      'a\nX\nc\nd\ne\n',
      'a\nX\nc\nd\ne\n',
      'a\nX\nc\nd\ne\n',
    ],
    [
      'takes insertions at different places',
      BASE,
      'a\n1\nb\nc\nd\ne\n',
      'a\nb\nc\nd\n2\ne\n',
      'a\n1\nb\nc\nd\n2\ne\n',
    ],
    ['takes a removal', BASE, 'b\nc\nd\ne\n', 'a\nb\nc\nd\ne\nf\n', 'b\nc\nd\ne\nf\n'],
    ['changes nothing where nobody did', BASE, BASE, BASE, BASE],
    [
      'takes line ends as equal',
      BASE,
      BASE.replaceAll('\n', '\r\n'),
      'a\nb\nX\nd\ne\n',
      'a\nb\nX\nd\ne\n',
    ],
    ['takes back what one side took back to the base', BASE, BASE, 'x\n', 'x\n'],
    ['of empty texts is what the other side has', '', '', 'x\n', 'x\n'],
    ['keeps a last line without an end', 'a\nb\nc', 'X\nb\nc', 'a\nb\nC', 'X\nb\nC'],
  ];
  for (const [name, base, mine, theirs, expected] of clean) {
    test(name, () => {
      assert.deepEqual(merge(base, mine, theirs, NAMES), { kind: 'clean', text: expected });
    });
  }

  const conflicts: readonly [string, string, string, string, string][] = [
    [
      'marks a line that both changed',
      BASE,
      'a\nb\nmine\nd\ne\n',
      'a\nb\ntheirs\nd\ne\n',
      'a\nb\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> An Agent\nd\ne\n',
    ],
    [
      'marks changes that touch',
      BASE,
      'a\nB\nc\nd\ne\n',
      'a\nb\nC\nd\ne\n',
      'a\n<<<<<<< yours\nB\nc\n=======\nb\nC\n>>>>>>> An Agent\nd\ne\n',
    ],
    [
      'marks two insertions at one place',
      'a\n',
      'a\n1\n',
      'a\n2\n',
      'a\n<<<<<<< yours\n1\n=======\n2\n>>>>>>> An Agent\n',
    ],
    [
      'marks a removal of what the other side changed',
      BASE,
      'a\nb\nd\ne\n',
      'a\nb\nC\nd\ne\n',
      'a\nb\n<<<<<<< yours\n=======\nC\n>>>>>>> An Agent\nd\ne\n',
    ],
    [
      'ends lines before a marker',
      '',
      'mine',
      'theirs',
      '<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> An Agent\n',
    ],
  ];
  for (const [name, base, mine, theirs, marked] of conflicts) {
    test(name, () => {
      assert.deepEqual(merge(base, mine, theirs, NAMES), { kind: 'conflict', marked });
    });
  }
});
