import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { familyOf } from '../../../../src/client/processes/family.ts';
import {
  entriesOfPs,
  runs,
  startOf,
  type ProcessEntry,
} from '../../../../src/client/processes/processTable.ts';

const one = (pid: number, parent: number, rest: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent,
  group: pid,
  session: pid,
  mark: undefined,
  started: pid,
  holds: [],
  ...rest,
});

const MACHINE: readonly ProcessEntry[] = [
  one(1, 0),
  one(50, 1, { mark: 'mine' }),
  one(60, 50, { mark: 'mine' }),
  one(100, 60, { mark: 'mine' }),
  one(101, 100, { group: 100, session: 100 }),
  one(102, 100, { session: 100 }),
  one(103, 1, { mark: 'mine' }),
  one(104, 103),
  one(105, 104),
  one(200, 60, { mark: 'other' }),
  one(201, 1, { mark: 'other' }),
  one(300, 1),
];
const OURSELVES = 60;
const pids = (leader: number | null, mark: string): number[] =>
  familyOf(MACHINE, { leader, mark }, OURSELVES).map(({ pid }) => pid);

describe('the family of a process', () => {
  test('is its group, its session, whoever carries its mark, and all whom they started', () => {
    assert.deepEqual(pids(100, 'mine'), [100, 101, 102, 103, 104, 105]);
  });

  test('is known by its mark alone when its number may be somebody else', () => {
    assert.deepEqual(pids(null, 'mine'), [100, 101, 102, 103, 104, 105]);
    assert.deepEqual(pids(null, 'other'), [200, 201]);
  });

  test('is known by number alone where there are no marks', () => {
    assert.deepEqual(pids(100, ''), [100, 101, 102]);
  });

  test('is whoever holds its output, if it began no earlier, and all whom they started', () => {
    const machine = [
      one(7, 1, { holds: ['pipe'] }),
      one(60, 1, { holds: ['pipe'] }),
      one(300, 1, { holds: ['other', 'pipe'] }),
      one(301, 300),
      one(302, 1, { holds: ['other'] }),
    ];
    const name = { leader: null, mark: '', pipe: 'pipe', since: 8 };
    const found = familyOf(machine, name, OURSELVES).map(({ pid }) => pid);
    assert.deepEqual(found, [300, 301]);
  });

  test('is whoever belonged to it before, but nobody who was only given the same number', () => {
    const known = [one(104, 103), one(200, 60, { started: 1 })];
    const name = { leader: null, mark: '', known };
    const found = familyOf(MACHINE, name, OURSELVES).map(({ pid }) => pid);
    assert.deepEqual(found, [104, 105]);
  });

  test('is never ourselves nor those who started us, whatever mark they carry', () => {
    assert.ok(!pids(null, 'mine').includes(50) && !pids(60, 'mine').includes(60));
  });
});

test('the lines of ps become processes, without zombies', () => {
  const text =
    '    1     0     1 Ss\n  501   1   501 S+\n  502 501 501 Z\n  503   501   501 R\nnonsense\n';
  assert.deepEqual(
    entriesOfPs(text).map(({ pid, parent, group }) => [pid, parent, group]),
    [
      [1, 0, 1],
      [501, 1, 501],
      [503, 501, 501],
    ],
  );
});

test('when a command began is known, too, if it has ended before anybody looks', (t) => {
  if (process.platform !== 'linux') {
    t.skip('only Linux tells');
    return;
  }
  const { pid } = spawn('/bin/true');
  assert.ok(pid !== undefined);
  // Without a pause, so that nobody fetches it.
  const deadline = performance.now() + 10_000;
  while (runs(pid) && performance.now() < deadline);
  assert.equal(runs(pid), false);
  assert.ok(startOf(pid) >= startOf(process.pid) && startOf(process.pid) > 0);
});
