import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Driver, choose, chunksOf, makeFolder, until } from './agentDriver.ts';

const SOURCE = [
  '/** Adds numbers. */',
  "import { log } from './log.ts';",
  '',
  'export function add(a: number, b: number): number {',
  '  // TODO: overflow',
  '  return a + b;',
  '}',
  '',
].join('\n');

describe('the reference agent in conversation', () => {
  const folders: string[] = [];
  let folder = '';
  let driver: Driver;
  let id = '';

  beforeEach(async () => {
    folder = makeFolder({
      'README.md': '# Sample\n\nA folder to try things in.\n',
      'src/add.ts': SOURCE,
      'src/log.ts': 'export const log = console.error;\n',
      'data.json': '{\n  "a": 1\n}\n',
      'picture.bin': Buffer.from([1, 0, 2, 0]),
      'node_modules/x/index.js': 'function add() {} // TODO: not ours\n',
    });
    folders.push(folder);
    driver = await Driver.start();
    id = await driver.newSession(folder);
  });
  afterEach(async () => {
    assert.deepEqual(await driver.stop(), { code: 0, signal: null });
  });
  after(() => {
    for (const made of folders) fs.rmSync(made, { recursive: true, force: true });
  });

  test('advertises its commands with descriptions after the session is known', async () => {
    const update = await until('the commands', () =>
      driver.updates(id).find((one) => one.sessionUpdate === 'available_commands_update'),
    );
    const names = update.availableCommands.map(({ name }) => name);
    for (const name of [
      'help',
      'edit',
      'stream',
      'think',
      'plan',
      'search',
      'read',
      'slow',
      'fail',
      'todos',
    ]) {
      assert.ok(names.includes(name), `no command ${name}`);
    }
    assert.ok(update.availableCommands.every(({ description }) => description.length > 10));
    assert.ok(update.availableCommands.find(({ name }) => name === 'edit')?.input);
  });

  test('says what it can do, and that there is no model inside, for /help and for plain words', async () => {
    for (const words of ['/help', 'What can you do?', 'hello']) {
      const before = driver.said(id).length;
      assert.equal((await driver.prompt(id, words)).stopReason, 'end_turn');
      const said = driver.said(id).slice(before);
      assert.match(said, /no language model/);
      assert.match(said, /\/edit/);
    }
  });

  test('names the chat after the first prompt, once', async () => {
    await driver.prompt(id, '  explain\n src/add.ts\u0007 ');
    await driver.prompt(id, '/help');
    const titles = driver
      .updates(id)
      .flatMap((one) => (one.sessionUpdate === 'session_info_update' ? [one.title] : []));
    assert.deepEqual(titles, ['explain src/add.ts']);
  });

  test('explains a file that is named in plain words', async () => {
    assert.equal(
      (await driver.prompt(id, 'Could you please explain `src/add.ts`?')).stopReason,
      'end_turn',
    );
    const said = driver.said(id);
    assert.match(said, /TypeScript file of \*\*7 lines\*\*/);
    assert.match(said, /Adds numbers\./);
    assert.match(said, /\| 4 \| function, exported \| `add` \|/);
    assert.match(said, /`\.\/log\.ts`/);
    assert.deepEqual(driver.toolStates(id).get('Read src/add.ts'), ['in_progress', 'completed']);
    assert.deepEqual(driver.reads, [path.join(folder, 'src/add.ts')]);
  });

  test('explains what the editor has, not what the disk has', async () => {
    driver.unsaved.set(path.join(folder, 'src/add.ts'), 'export class Unsaved {}\n');
    await driver.prompt(id, 'explain src/add.ts');
    assert.match(driver.said(id), /`Unsaved`/);
  });

  test('explains an attached file, by its link or by its text', async () => {
    const uri = `file://${folder}/src/add.ts`;
    await driver.prompt(id, [
      { type: 'text', text: 'explain this' },
      { type: 'resource_link', uri, name: 'add.ts' },
    ]);
    assert.match(driver.said(id), /`add`/);
    const reads = driver.reads.length;
    await driver.prompt(id, [
      { type: 'text', text: 'explain this' },
      {
        type: 'resource',
        resource: { uri: 'file:///elsewhere/other.ts', text: 'export class Embedded {}' },
      },
    ]);
    assert.match(driver.said(id), /`Embedded`/);
    assert.equal(driver.reads.length, reads);
  });

  test('finds words with their places, and leaves out what nobody wrote', async () => {
    await driver.prompt(id, 'where is the function add defined?');
    const said = driver.said(id);
    assert.match(said, /`src\/add\.ts:4` \(declared here\)/);
    assert.doesNotMatch(said, /node_modules\/x/);
    const done = driver
      .updates(id)
      .find((one) => one.sessionUpdate === 'tool_call_update' && one.status === 'completed');
    assert.ok(done?.sessionUpdate === 'tool_call_update');
    assert.ok(
      done.locations?.some((at) => at.path === path.join(folder, 'src/add.ts') && at.line === 4),
    );
  });

  test('says so when a search finds nothing', async () => {
    await driver.prompt(id, '/search "no such words"');
    assert.match(driver.said(id), /I found no `no such words` in the 4 text files/);
  });

  test('lists to-dos in plain words and as a command', async () => {
    for (const words of ['list todos', '/todos', 'find TODOs']) {
      const before = driver.said(id).length;
      await driver.prompt(id, words);
      assert.match(driver.said(id).slice(before), /1 match in 1 file:\n\n- `src\/add\.ts:5`/);
    }
  });

  test('makes a plan and works it off, one step at a time', async () => {
    await driver.prompt(id, 'make a plan');
    const plans = driver
      .updates(id)
      .flatMap((one) =>
        one.sessionUpdate === 'plan' ? [one.entries.map(({ status }) => status)] : [],
      );
    assert.equal(plans.length, 6);
    plans.forEach((statuses, done) => {
      const expected = Array.from({ length: 5 }, (_, at) =>
        at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
      );
      assert.deepEqual(statuses, expected);
    });
    assert.match(driver.said(id), /\| TypeScript \| 2 \| 8 \|/);
  });

  for (const lines of ['src/add.ts:4-5', 'src/add.ts 4 2', '"src/add.ts" 4 2']) {
    test(`shows some lines of a file for “${lines}”, and asks the client for just those`, async () => {
      const before = driver.said(id).length;
      await driver.prompt(id, `/read ${lines}`);
      assert.match(
        driver.said(id).slice(before),
        /lines 4 to 5:\n\n```ts\nexport function add\(a: number, b: number\): number \{\n {2}\/\/ TODO: overflow\n```$/,
      );
      assert.deepEqual(driver.ranges.at(-1), { line: 4, limit: 2 });
    });
  }

  test('shows a file from a line on', async () => {
    await driver.prompt(id, '/read src/add.ts 4');
    assert.match(driver.said(id), /lines 4 to \d+:/);
    assert.deepEqual(driver.ranges.at(-1), { line: 4, limit: undefined });
  });

  test('streams so many sections in many small pieces, the same each time', async () => {
    await driver.prompt(id, '/stream 16');
    const first = chunksOf(driver.updates(id), 'agent_message_chunk');
    await driver.prompt(id, '/stream 16');
    const text = first.join('');
    assert.equal(driver.said(id), text + text);
    assert.equal(text.match(/^##+ Section \d+ of 16$/gm)?.length, 16);
    assert.ok(first.every((chunk) => chunk.length < 40));
    for (const kind of [/^\| :---/m, /^- \[x\]/m, /^```ts$/m, /^> /m, /^1\. /m])
      assert.match(text, kind);
  });

  test('gives all chunks of one message the same id, and the next message another', async () => {
    await driver.prompt(id, '/think about src/add.ts');
    const ids = driver.updates(id).flatMap((one) => {
      const chunk =
        one.sessionUpdate === 'agent_message_chunk' || one.sessionUpdate === 'agent_thought_chunk';
      return chunk ? [`${one.sessionUpdate} ${one.messageId ?? ''}`] : [];
    });
    assert.deepEqual(
      [...new Set(ids)],
      ['agent_thought_chunk message-1', 'agent_message_chunk message-2'],
    );
    assert.match(driver.thought(id), /no language model/);
  });

  test('fails on request: a failed tool call, then an error with a clear sentence', async () => {
    await assert.rejects(driver.prompt(id, '/fail'), /failed because you asked for it with \/fail/);
    assert.deepEqual([...driver.toolStates(id).values()], [['in_progress', 'failed']]);
    assert.equal((await driver.prompt(id, '/help')).stopReason, 'end_turn');
  });

  test('answers unknown commands and unknown wishes honestly, in the words of the person', async () => {
    await driver.prompt(id, '/dance the tango');
    assert.match(driver.said(id), /I know no command `\/dance`/);
    const before = driver.said(id).length;
    await driver.prompt(id, 'Does the authentication work on Mondays?');
    const said = driver.said(id).slice(before);
    assert.match(said, /You wrote: `Does the authentication work on Mondays\?`/);
    assert.match(said, /no language model/);
    assert.match(said, /`find authentication`/);
  });

  describe('when it edits', () => {
    const file = (): string => path.join(folder, 'src/add.ts');
    const marked = `// Edited by the Parley reference agent\n${SOURCE}`;

    test('shows the change as a diff, asks with three options, writes when allowed', async () => {
      const turn = driver.prompt(id, '/edit src/add.ts');
      const open = await driver.permission();
      assert.deepEqual(
        open.params.options.map(({ kind }) => kind),
        ['allow_once', 'allow_always', 'reject_once'],
      );
      assert.equal(open.params.sessionId, id);
      assert.equal(open.params.toolCall.title, 'Edit src/add.ts');
      assert.deepEqual(open.params.toolCall.content, [
        { type: 'diff', path: file(), oldText: SOURCE, newText: marked },
      ]);
      assert.equal(fs.readFileSync(file(), 'utf8'), SOURCE);
      open.answer(choose(open, 'allow_once'));
      assert.equal((await turn).stopReason, 'end_turn');
      assert.equal(fs.readFileSync(file(), 'utf8'), marked);
      assert.deepEqual(driver.toolStates(id).get('Edit src/add.ts'), [
        'pending',
        'in_progress',
        'completed',
      ]);
      assert.match(driver.said(id), /Done: `src\/add\.ts` is written/);
    });

    test('writes nothing when rejected, and says so', async () => {
      const turn = driver.prompt(id, '/edit src/add.ts');
      const open = await driver.permission();
      open.answer(choose(open, 'reject_once'));
      assert.equal((await turn).stopReason, 'end_turn');
      assert.deepEqual(driver.writes, []);
      assert.match(driver.said(id), /You rejected the change/);
    });

    test('asks no more in a chat in which every edit is allowed, but in another chat it does', async () => {
      const first = driver.prompt(id, '/edit src/add.ts');
      const open = await driver.permission();
      open.answer(choose(open, 'allow_always'));
      await first;
      assert.equal((await driver.prompt(id, '/edit README.md')).stopReason, 'end_turn');
      assert.deepEqual(driver.writes, [file(), path.join(folder, 'README.md')]);
      const other = await driver.newSession(folder);
      const second = driver.prompt(other, '/edit README.md');
      const again = await driver.permission();
      again.answer(choose(again, 'reject_once'));
      await second;
    });

    test('takes an answer that is no option of its own as cancelled, never as a yes', async () => {
      const turn = driver.prompt(id, '/edit src/add.ts');
      const open = await driver.permission();
      open.answer({ outcome: { outcome: 'selected', optionId: 'sure, why not' } });
      assert.equal((await turn).stopReason, 'cancelled');
      assert.deepEqual(driver.writes, []);
    });

    test('writes nothing over a file that changed while the person was thinking', async () => {
      const turn = driver.prompt(id, '/edit src/add.ts');
      const open = await driver.permission();
      fs.writeFileSync(file(), 'something else\n');
      open.answer(choose(open, 'allow_once'));
      await turn;
      assert.equal(fs.readFileSync(file(), 'utf8'), 'something else\n');
      assert.match(driver.said(id), /has changed since I read it/);
      assert.deepEqual(driver.toolStates(id).get('Edit src/add.ts'), [
        'pending',
        'in_progress',
        'failed',
      ]);
    });

    test('renames a word in a file, asked in plain words', async () => {
      const turn = driver.prompt(id, 'rename add to sum in src/add.ts');
      const open = await driver.permission();
      open.answer(choose(open, 'allow_once'));
      await turn;
      assert.match(fs.readFileSync(file(), 'utf8'), /export function sum\(a/);
      assert.match(driver.said(id), /`add` became `sum` in 1 place/);
    });

    test('proposes a new file with no text before it', async () => {
      const turn = driver.prompt(id, '/new notes/idea.md');
      const open = await driver.permission();
      const [diff] = open.params.toolCall.content ?? [];
      assert.ok(diff?.type === 'diff' && diff.oldText === null);
      open.answer(choose(open, 'allow_once'));
      await turn;
      assert.ok(fs.existsSync(path.join(folder, 'notes/idea.md')));
    });
  });
});
