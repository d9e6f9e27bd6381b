import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTestOutput } from '../../../src/agent/testReport.ts';

const read = (...lines: string[]) => readTestOutput(`${lines.join('\n')}\n`);

describe('the output of a test run', () => {
  test('of node:test, in both of its forms', () => {
    assert.deepEqual(
      read(
        '▶ sums',
        '  ✔ adds (0.1ms)',
        '  ✖ carries (1.25ms)',
        '✖ sums (2ms)',
        'ℹ tests 3',
        'ℹ pass 1',
        'ℹ fail 1',
        'ℹ cancelled 0',
        'ℹ skipped 1',
        'ℹ todo 2',
        '✖ failing tests:',
        '✖ carries (1.25ms)',
      ),
      {
        runner: 'node:test',
        passed: 1,
        unit: 'test',
        failed: 1,
        skipped: 3,
        names: ['carries', 'sums'],
      },
    );
    assert.deepEqual(
      read(
        'TAP version 13',
        'ok 1 - adds',
        'not ok 2 - carries',
        '# tests 2',
        '# pass 1',
        '# fail 1',
      ),
      { runner: 'node:test', passed: 1, unit: 'test', failed: 1, skipped: 0, names: ['carries'] },
    );
  });

  test('of Jest and Vitest', () => {
    assert.deepEqual(
      read(
        'FAIL src/a.test.js',
        '  ● sums › carries',
        '',
        'Tests:       1 failed, 1 skipped, 2 passed, 4 total',
        'Time: 1 s',
      ),
      { runner: 'Jest', passed: 2, unit: 'test', failed: 1, skipped: 1, names: ['sums › carries'] },
    );
    assert.deepEqual(
      read(
        ' FAIL  src/a.test.ts > sums > carries',
        ' Test Files  1 failed (1)',
        '      Tests  1 failed | 2 passed (3)',
      ),
      {
        runner: 'Vitest',
        passed: 2,
        unit: 'test',
        failed: 1,
        skipped: 0,
        names: ['src/a.test.ts > sums > carries'],
      },
    );
  });

  test('of Mocha', () => {
    assert.deepEqual(
      read(
        '  sums',
        '    ✓ adds',
        '    1) carries',
        '',
        '  1 passing (5ms)',
        '  1 pending',
        '  1 failing',
      ),
      { runner: 'Mocha', passed: 1, unit: 'test', failed: 1, skipped: 1, names: ['carries'] },
    );
  });

  test('of pytest, with and without the rule around its last line', () => {
    assert.deepEqual(
      read(
        'tests/a.py .F',
        'FAILED tests/a.py::test_carry - assert 1 == 2',
        '===== 1 failed, 2 passed, 1 skipped in 0.12s =====',
      ),
      {
        runner: 'pytest',
        passed: 2,
        unit: 'test',
        failed: 1,
        skipped: 1,
        names: ['tests/a.py::test_carry'],
      },
    );
    assert.equal(read('3 passed in 0.01s')?.passed, 3);
    assert.equal(read('= 1 passed, 2 errors in 1.0s =')?.failed, 2);
  });

  test('of cargo, which sums up once for each program', () => {
    assert.deepEqual(
      read(
        'test sums::carries ... FAILED',
        'test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s',
        'test result: ok. 4 passed; 0 failed; 0 ignored',
      ),
      {
        runner: 'cargo test',
        passed: 5,
        unit: 'test',
        failed: 1,
        skipped: 1,
        names: ['sums::carries'],
      },
    );
  });

  test('of go, which counts packages unless it tells every test', () => {
    assert.deepEqual(
      read(
        '--- FAIL: TestCarry (0.00s)',
        '    --- FAIL: TestCarry/big (0.00s)',
        'FAIL',
        'FAIL\texample.org/a\t0.01s',
        'ok  \texample.org/b\t0.01s',
        'FAIL\texample.org/c [build failed]',
      ),
      {
        runner: 'go test',
        passed: 1,
        unit: 'package',
        failed: 2,
        skipped: 0,
        names: ['TestCarry', 'example.org/c'],
      },
    );
    assert.deepEqual(
      read(
        '=== RUN   TestAdd',
        '--- PASS: TestAdd (0.00s)',
        '--- SKIP: TestBig (0.00s)',
        'PASS',
        'ok  \texample.org/a\t0.01s',
      ),
      { runner: 'go test', passed: 1, unit: 'test', failed: 0, skipped: 1, names: [] },
    );
  });

  test('of anything else says nothing', () => {
    for (const output of [
      '',
      'hello',
      'all is well',
      'OK (3 tests)',
      '10 passed the exam',
      'pass 3',
    ]) {
      assert.equal(read(output), undefined, output);
    }
  });

  test('names at most five that failed, and none when none did', () => {
    const many = Array.from({ length: 9 }, (_, at) => `not ok ${at + 1} - t${at}`);
    assert.deepEqual(read(...many, '# pass 0', '# fail 9')?.names, ['t0', 't1', 't2', 't3', 't4']);
    assert.deepEqual(read('✖ not a test', '# pass 1', '# fail 0')?.names, []);
  });

  test('is read quickly, whatever it is', () => {
    const start = performance.now();
    for (const output of [
      ' '.repeat(65_536),
      '1 passed '.repeat(7_000),
      '\n'.repeat(65_536),
      `${'● a '.repeat(70)}\n`.repeat(200),
    ])
      readTestOutput(output);
    assert.ok(performance.now() - start < 2_000);
  });
});
