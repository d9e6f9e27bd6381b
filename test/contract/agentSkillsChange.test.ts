import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { RequestError } from '@agentclientprotocol/sdk';
import { Driver, choose, makeFolder } from './agentDriver.ts';

const MIT =
  'MIT License\n\nCopyright (c) 2024 Jane Doe\n\nPermission is hereby granted, free of charge\n';
const HEADER = 'Copyright 2024 Jane Doe\n// SPDX-License-Identifier: MIT\n\n';

describe('the reference agent changes several files', () => {
  const folders: string[] = [];
  let folder = '';
  let driver: Driver;
  let id = '';

  beforeEach(async () => {
    folder = makeFolder({
      LICENSE: MIT,
      'README.md': 'Call `add` to add.\n',
      'src/add.ts': 'export function add() {}\n',
      'src/use.ts': "import { add } from './add.ts';\nadd(add);\n",
      'src/done.ts': '// SPDX-License-Identifier: MIT\n',
      'src/c|d.ts': 'export const addend = 1;\n',
    });
    folders.push(folder);
    driver = await Driver.start();
    id = await driver.newSession(folder);
  });
  afterEach(async () => {
    await driver.stop();
  });
  after(() => {
    for (const made of folders) fs.rmSync(made, { recursive: true, force: true });
  });

  const text = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');

  /** Prompts and answers one question after the other. */
  async function answered(words: string, kinds: readonly string[]): Promise<readonly string[]> {
    const turn = driver.prompt(id, words);
    const titles: string[] = [];
    for (const kind of kinds) {
      const open = await driver.permission();
      titles.push(open.params.toolCall.title ?? '');
      open.answer(choose(open, kind));
    }
    assert.equal((await turn).stopReason, 'end_turn');
    assert.deepEqual(driver.permissions, []);
    return titles;
  }

  function plans(): readonly (readonly string[])[] {
    return driver
      .updates(id)
      .flatMap((one) =>
        one.sessionUpdate === 'plan' ? [one.entries.map(({ status }) => status)] : [],
      );
  }

  test('renames a word everywhere: a plan, a question and a diff for each file, a report', async () => {
    const titles = await answered('please rename add to sum', [
      'allow_once',
      'reject_once',
      'allow_once',
    ]);
    assert.deepEqual(titles, [
      'Rename add to sum in README.md',
      'Rename add to sum in src/add.ts',
      'Rename add to sum in src/use.ts',
    ]);
    assert.equal(text('README.md'), 'Call `sum` to sum.\n');
    assert.equal(text('src/add.ts'), 'export function add() {}\n');
    assert.equal(text('src/use.ts'), "import { sum } from './add.ts';\nsum(sum);\n");
    assert.deepEqual(plans(), [
      ['in_progress', 'pending', 'pending'],
      ['completed', 'in_progress', 'pending'],
      ['completed', 'completed', 'in_progress'],
      ['completed', 'completed', 'completed'],
    ]);
    const said = driver.said(id);
    assert.match(said, /\*\*2 of 3 files written\.\*\*/);
    assert.match(said, /\| `README\.md` \| 2 places \| written \|/);
    assert.match(said, /\| `src\/add\.ts` \| 1 place \| you rejected it \|/);
  });

  test('asks once for all, if the person says so', async () => {
    await answered('/rename add sum', ['allow_always']);
    assert.equal(driver.writes.length, 3);
  });

  test('renames below a folder only, and says where nothing is to rename', async () => {
    await answered('rename add to sum in src', ['allow_always']);
    assert.equal(text('README.md'), 'Call `add` to add.\n');
    await answered('rename nowhere to somewhere', []);
    assert.match(driver.said(id), /`nowhere` does not stand in any file here/);
  });

  test('leaves alone what is built or of others, unless it is named', async () => {
    for (const name of ['dist/out.js', 'vendor/lib/x.js', 'a.min.js']) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), 'only(here);\n');
    }
    await answered('rename only to nowhere', []);
    assert.match(
      driver.said(id),
      /nothing to change\. Left as it is: 3 files built or of others\./,
    );
    await answered('rename only to nowhere in dist', ['allow_once']);
    assert.equal(text('dist/out.js'), 'nowhere(here);\n');
  });

  test('goes on without a file that the client does not let it read', async () => {
    const locked = path.join(folder, 'src/add.ts');
    const read = driver.unsaved.get.bind(driver.unsaved);
    driver.unsaved.get = (file) => {
      if (file === locked) throw RequestError.invalidParams(undefined, 'not for agents');
      return read(file);
    };
    await answered('rename add to sum', ['allow_always']);
    assert.deepEqual(
      driver.writes.map((file) => path.basename(file)),
      ['README.md', 'use.ts'],
    );
    assert.match(driver.said(id), /Left as it is: 1 file that I could not read\./);
  });

  test('renames what the editor has, not what the disk has', async () => {
    driver.unsaved.set(path.join(folder, 'src/add.ts'), 'export function add(a) {}\n');
    await answered('rename add to sum in src/add.ts', ['allow_once']);
    assert.equal(text('src/add.ts'), 'export function sum(a) {}\n');
  });

  test('goes on with the next file when one has changed meanwhile', async () => {
    const turn = driver.prompt(id, 'rename add to sum in src/');
    const open = await driver.permission();
    fs.writeFileSync(path.join(folder, 'src/add.ts'), 'else\n');
    open.answer(choose(open, 'allow_always'));
    await turn;
    assert.equal(text('src/add.ts'), 'else\n');
    assert.match(driver.said(id), /`src\/add\.ts` \| 1 place \| not written: .*has changed/);
    assert.match(driver.said(id), /`src\/use\.ts` \| 3 places \| written/);
  });

  test('stops with the turn, and writes no more', async () => {
    const turn = driver.prompt(id, 'rename add to sum');
    await driver.permission();
    await driver.cancel(id);
    assert.equal((await turn).stopReason, 'cancelled');
    assert.deepEqual(driver.writes, []);
  });

  test('lists what it would change where the client does not let it write', async () => {
    const reader = await Driver.start({ fs: { readTextFile: true } });
    const session = await reader.newSession(folder);
    await reader.prompt(session, 'rename add to sum');
    assert.match(reader.said(session), /\*\*0 of 3 files written\.\*\*/);
    assert.match(
      reader.said(session),
      /`src\/use\.ts` \| 3 places \| this client offers no writing/,
    );
    await reader.stop();
  });

  test('adds licence headers where none are, and a name with a bar breaks no table', async () => {
    await answered('add licence headers', ['allow_always']);
    assert.equal(text('src/add.ts'), `// ${HEADER}export function add() {}\n`);
    assert.equal(text('src/done.ts'), '// SPDX-License-Identifier: MIT\n');
    assert.match(driver.said(id), /Left as it is: 1 file with one\./);
    assert.match(driver.said(id), /\| `src\/c\\\|d\.ts` \| 2 lines \| written \|/);
    const before = driver.writes.length;
    await answered('add licence headers', []);
    assert.match(driver.said(id), /There is no header to add\./);
    assert.equal(driver.writes.length, before);
  });

  test('says which licence it is, and does not guess between two', async () => {
    await answered('which license does this have?', []);
    assert.match(driver.said(id), /`LICENSE` says \*\*`MIT`\*\*/);
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "license": "ISC" }\n');
    await answered('add a licence header to src/add.ts', []);
    assert.match(driver.said(id), /`package\.json` says `ISC`, but `LICENSE` reads like `MIT`/);
    fs.rmSync(path.join(folder, 'LICENSE'));
    await answered('add a licence header to src/add.ts', ['allow_once']);
    assert.equal(
      text('src/add.ts'),
      '// SPDX-License-Identifier: ISC\n\nexport function add() {}\n',
    );
  });

  test('makes a test skeleton that runs, and passes where what it imports is there', async () => {
    fs.writeFileSync(
      path.join(folder, 'src/sum.mjs'),
      'export function sum() {}\nexport const zero = 0;\nexport default class Sums {}\n',
    );
    await answered('write a test for src/sum.mjs', ['allow_once']);
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const args = ['--test', '--test-reporter=tap', path.join(folder, 'src/sum.test.mjs')];
    const output = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.match(output, /^# pass 3$/m);
    assert.match(output, /^# fail 0$/m);
    assert.match(output, /^# todo 3$/m);
  });

  test('makes a test skeleton, and none where tests are already', async () => {
    await answered('write a test for src/add.ts', ['allow_once']);
    const made = text('src/add.test.ts');
    assert.match(made, /import \{ add \} from '\.\/add\.ts';/);
    assert.match(made, /test\.todo\('add does what it should'\)/);
    await answered('/skeleton src/add.ts', []);
    assert.match(driver.said(id), /Tests are there already, in `src\/add\.test\.ts`/);
    await answered('/skeleton src/add.test.ts', []);
    assert.match(driver.said(id), /is a test itself/);
    await answered('/skeleton README.md', []);
    assert.match(driver.said(id), /I know no tests for a file like `README\.md`/);
    await answered('/skeleton src/done.ts', []);
    assert.match(driver.said(id), /I see nothing in `src\/done\.ts` that a test could import/);
  });

  test('stays inside the folder, whatever is asked', async () => {
    for (const words of [
      'add a licence header to ../x.ts',
      '/rename a b /etc',
      '/skeleton ../../x.ts',
      '/files ..',
      'find x in /etc/passwd',
    ]) {
      const before = driver.said(id).length;
      await answered(words, []);
      assert.match(driver.said(id).slice(before), /outside this chat's folder/, words);
    }
    assert.deepEqual(driver.writes, []);
  });

  test('reads through the client all that it tells about files it names', async () => {
    await answered('which licence is this', []);
    assert.ok(driver.reads.includes(path.join(folder, 'LICENSE')));
  });
});
