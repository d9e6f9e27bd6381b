import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { OutputBudget } from '../../src/client/terminals/outputBudget.ts';
import { OutputBuffer } from '../../src/client/terminals/outputBuffer.ts';
import { eventually } from '../fakes/eventually.ts';
import { isRunning, startTerminals } from './terminalRunner.ts';

const skip = process.platform !== 'linux';

/** Handles of our own process, and what keeps its event loop alive. */
function handles(): { readonly files: number; readonly resources: number } {
  return {
    files: fs.readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length,
  };
}

describe('terminals', { skip }, () => {
  test('leave no handle behind, hundreds of them one after the other and side by side', async () => {
    const own = startTerminals();
    try {
      // The first ones open what stays: the pipes that are made ahead.
      await Promise.all(Array.from({ length: 20 }, () => own.whole('echo first')));
      const before = handles();
      for (let wave = 0; wave < 10; wave += 1) {
        const ids = await Promise.all(
          Array.from({ length: 30 }, async (_, n) => {
            const { id, output } = await own.whole(`echo ${wave}-${n}; echo e >&2`);
            assert.equal(output, `${wave}-${n}\ne\n`);
            return id;
          }),
        );
        await Promise.all(ids.map((id) => own.set.release(id)));
      }
      await eventually('as many handles as before', () => {
        const now = handles();
        return now.files <= before.files + 2 && now.resources <= before.resources + 2;
      });
    } finally {
      own.dispose();
    }
  });

  test('that print floods side by side each hold their own, whole', async () => {
    const own = startTerminals();
    try {
      const signs = ['日', '🙂', 'ä', 'x'];
      const count = 300_000;
      const outputs = await Promise.all(
        signs.map(async (sign) => {
          const line = `${sign.repeat(9)}|`;
          const { output } = await own.whole(`yes '${line}' | tr -d '\\n' | head -c ${count}`);
          return { line, output };
        }),
      );
      for (const { line, output } of outputs) {
        const size = Buffer.byteLength(line);
        const whole = line.repeat(Math.floor(count / size));
        assert.equal(output.slice(0, whole.length), whole);
        assert.ok(output.length - whole.length < line.length);
      }
    } finally {
      own.dispose();
    }
  });

  test('that run when the window closes end, with all that they started', async () => {
    const own = startTerminals();
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => own.run('sleep 600 & echo $!; exec sleep 600')),
    );
    const children: number[] = [];
    await eventually('every child has told its number', () => {
      const told = ids.map((id) => Number.parseInt(own.set.output(id).output, 10));
      children.splice(0, children.length, ...told);
      return told.every((pid) => pid > 0);
    });
    own.dispose();
    await eventually('nobody is left', () => children.every((pid) => !isRunning(pid)));
  });
});

test('all terminals together hold no more than their budget, and the largest gives up first', () => {
  const MB = 1 << 20;
  const budget = new OutputBudget(8 * MB);
  const small = new OutputBuffer(budget);
  small.append(Buffer.from('what little was said\n'));
  const large = Array.from({ length: 3 }, () => new OutputBuffer(budget));
  for (let round = 0; round < 20; round += 1) {
    for (const buffer of large) buffer.append(Buffer.alloc(MB / 2, 'x'));
    assert.ok(budget.used <= 8 * MB, `${budget.used} bytes`);
  }
  assert.equal(small.text(0), 'what little was said\n');
  for (const buffer of large) assert.ok(buffer.allocated > MB, `${buffer.allocated} bytes`);
});
