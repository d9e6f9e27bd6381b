import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { Complaint } from '../../../src/agent/complaint.ts';
import { matchesIn, todosIn } from '../../../src/agent/matches.ts';
import { Workspace } from '../../../src/agent/workspace.ts';

const never = new AbortController().signal;

describe('finding words in a text', () => {
  test('gives lines with their numbers, however the words are capitalised', () => {
    assert.deepEqual(matchesIn('one\r\n  Two\nthree two\n', 'two', 9), [
      { line: 2, text: 'Two', declares: false },
      { line: 3, text: 'three two', declares: false },
    ]);
  });

  test('takes the words literally and stops at the bound', () => {
    assert.deepEqual(
      matchesIn('a.b\naxb\n', 'a.b', 9).map(({ line }) => line),
      [1],
    );
    assert.equal(matchesIn('x\n'.repeat(100), 'x', 7).length, 7);
    assert.deepEqual(matchesIn('x', '', 9), []);
  });

  test('sees a declaration of exactly that word', () => {
    const declares = (line: string): boolean => matchesIn(line, 'add', 1)[0]?.declares === true;
    assert.ok(declares('export function add('));
    assert.ok(declares('  def add(self):'));
    assert.ok(!declares('export function addAll('));
    assert.ok(!declares('call(add)'));
  });

  test('shows the part of a long line that holds the words', () => {
    const [match] = matchesIn(`${'a'.repeat(5_000)} needle ${'b'.repeat(5_000)}`, 'needle', 1);
    assert.ok(match);
    assert.match(match.text, /^….*needle.*…$/);
    assert.ok(match.text.length < 200);
  });

  test('finds to-do marks from the mark on', () => {
    assert.deepEqual(todosIn('x\n  // TODO: later  \n', 9), [
      { line: 2, text: 'TODO: later', declares: false },
    ]);
  });
});

describe('the workspace', () => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'parley-workspace-')));
  const folder = path.join(base, 'in');
  const write = (name: string, content: string | Buffer): void => {
    const target = path.join(folder, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, content);
  };
  write('b.txt', 'b');
  write('a/z.txt', 'z');
  write('a.txt', 'a');
  write('.git/config', 'x');
  write('node_modules/p/index.js', 'x');
  write('binary', Buffer.from([65, 0, 66]));
  write('big.txt', 'x'.repeat(2 * 1024 * 1024));
  fs.writeFileSync(path.join(base, 'secret'), 'secret');
  fs.symlinkSync(base, path.join(folder, 'up'));
  fs.symlinkSync(path.join(base, 'secret'), path.join(folder, 'link'));
  const workspace = new Workspace(folder);
  after(() => {
    fs.rmSync(base, { recursive: true, force: true });
  });

  async function names(signal = never): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { name } of workspace.walk(signal)) found.push(name);
    return found;
  }

  test('walks files in a fixed order, without links, modules and version control', async () => {
    assert.deepEqual(await names(), ['a.txt', 'b.txt', 'big.txt', 'binary', 'a/z.txt']);
    assert.equal(await workspace.count(never), 5);
  });

  test('ends its walk when the turn is cancelled', async () => {
    const ended = new AbortController();
    ended.abort();
    await assert.rejects(names(ended.signal), { name: 'AbortError' });
  });

  test('stops after a bound of files', async () => {
    const many = fs.mkdtempSync(path.join(base, 'many-'));
    for (let file = 0; file < 5_010; file += 1) fs.writeFileSync(path.join(many, `${file}`), '');
    assert.equal(await new Workspace(many).count(never), 5_000);
  });

  test('reads text, and neither binary nor big files nor folders', async () => {
    const read = (name: string): Promise<string | undefined> =>
      workspace.textOf(path.join(folder, name));
    assert.equal(await read('a.txt'), 'a');
    for (const name of ['binary', 'big.txt', 'missing', 'a'])
      assert.equal(await read(name), undefined);
  });

  test('locates what is inside, there or not yet', async () => {
    assert.equal(await workspace.locate('a/z.txt'), path.join(folder, 'a/z.txt'));
    assert.equal(await workspace.locate('a/../a.txt'), path.join(folder, 'a.txt'));
    assert.equal(await workspace.locate(path.join(folder, 'new/x')), path.join(folder, 'new/x'));
    assert.equal(await workspace.locate('..dots'), path.join(folder, '..dots'));
  });

  test('refuses what is outside, by name or through a link', async () => {
    for (const name of [
      '..',
      '../secret',
      '../in-other/x',
      '/etc/passwd',
      'up/secret',
      'link',
      'up/new/file',
      'a\0b',
      '',
    ]) {
      await assert.rejects(workspace.locate(name), Complaint, name);
    }
  });
});
