import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { merge } from '../../src/client/files/merge.ts';
import { random } from '../unit/thread/random.ts';

const NAMES = { mine: 'yours', theirs: 'An Agent' };

test('a merge is as clean as git says, and then the same text, in 200 random cases', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-merge-'));
  t.after(() => {
    fs.rmSync(folder, { recursive: true });
  });
  const { below } = random(11);
  // All lines differ, so that there is but one way to compare.
  let number = 0;
  const changed = (lines: readonly string[]): string[] => {
    const copy = [...lines];
    for (let edits = 1 + below(2); edits > 0; edits--) {
      number++;
      copy.splice(below(copy.length + 1), below(3), ...(below(3) === 0 ? [] : [`n${number}`]));
    }
    return copy;
  };
  let conflicts = 0;
  for (let round = 0; round < 200; round++) {
    const base = Array.from({ length: 10 }, (_, index) => `b${index}`);
    const [one, two] = [changed(base), changed(base)];
    const files = [one, base, two].map((lines, index) => {
      const file = path.join(folder, String(index));
      fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
      return file;
    });
    const merged = merge(...textsOf(files), NAMES);
    const git = gitMerge(files);
    assert.equal(merged.kind === 'clean' ? merged.text : null, git, JSON.stringify({ one, two }));
    if (git === null) conflicts++;
  }
  assert.ok(conflicts > 20 && conflicts < 180, String(conflicts));
});

function textsOf([one = '', base = '', two = '']: readonly string[]): [string, string, string] {
  const read = (file: string): string => fs.readFileSync(file, 'utf8');
  return [read(base), read(one), read(two)];
}

/** `null` for a conflict. */
function gitMerge(files: readonly string[]): string | null {
  try {
    return execFileSync('git', ['merge-file', '-p', '-q', ...files], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}
