import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { ALL_FILES, Driver, choose, exitOf, makeFolder, until } from './agentDriver.ts';

const FILES = {
  'README.md': '# Sample\n\nA folder to try things in.\n',
  'src/add.ts': 'export function add() {\n  return 1;\n}\n\nexport const other = 2;\n',
  'src/use.ts': "import { add } from './add.ts';\n\nadd();\nconst addend = 1;\n",
  'lib/tool.py': 'x = 1\n',
};

describe('the reference agent shows and counts', () => {
  const folder = makeFolder(FILES);
  let driver: Driver;
  let id = '';

  beforeEach(async () => {
    driver = await Driver.start({ ...ALL_FILES, terminal: true });
    id = await driver.newSession(folder);
  });
  afterEach(async () => {
    await driver.stop();
  });
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** What it says to these words, which ask for nothing that needs permission. */
  async function said(words: string): Promise<string> {
    const before = driver.said(id).length;
    assert.equal((await driver.prompt(id, words)).stopReason, 'end_turn');
    return driver.said(id).slice(before);
  }

  test('counts languages as a table with shares', async () => {
    const answer = await said('count the languages');
    // 5 + 4 lines of 9 + 3 + 1.
    assert.match(answer, /\| TypeScript \| 2 \| 9 \| 69\.2 % \|/);
    assert.match(answer, /\| Markdown \| 1 \| 3 \| 23\.1 % \|/);
    assert.match(answer, /\| Python \| 1 \| 1 \| 7\.7 % \|/);
    assert.match(answer, /A folder to try things in\./);
  });

  test('lists a folder one level deep', async () => {
    assert.match(
      await said('list the files'),
      /4 files.*\n\n- `README\.md`\n- `lib\/` 1 file\n- `src\/` 2 files$/,
    );
    assert.match(
      await said("what's in src?"),
      /`src` holds \*\*2 files\*\*.*\n\n- `add\.ts`\n- `use\.ts`$/,
    );
  });

  test('tells a symbol from a text: whole words, its declaration first, and what it looks like', async () => {
    const symbol = await said('where is add used?');
    assert.match(symbol, /`add` is declared in 1 place and stands in 2 other lines, in 2 files\./);
    assert.match(symbol, /```ts\nexport function add\(\) \{\n {2}return 1;\n\}\n```/);
    assert.match(symbol, /- `src\/add\.ts:1` \(declared here\)/);
    assert.doesNotMatch(symbol, /addend/);
    assert.match(await said('find "add"'), /const addend/);
  });

  test('looks for the text where no such name is', async () => {
    assert.match(await said('/symbol ADDEND'), /I found 1 match of `ADDEND`/);
  });

  test('looks for a text in one place only, if one is named', async () => {
    const answer = await said('find add in src/use.ts');
    assert.match(answer, /3 matches of `add` in 1 file/);
    // "in" may be a part of the text.
    assert.match(
      await said('find nothing in particular'),
      /I found no `nothing in particular`.*`find particular`/,
    );
  });

  test('says that it guesses, where a sentence names a file and nothing else is understood', async () => {
    assert.match(
      await said('have a look at src/add.ts'),
      /^I do not understand that sentence\. My best guess is `\/explain src\/add\.ts`:\n\n`add\.ts`|^I do not understand that sentence\. My best guess is `\/explain src\/add\.ts`:\n\n`src\/add\.ts` is a TypeScript file/,
    );
  });

  test('says in German that it understands only English, and what it can do', async () => {
    const answer = await said('Wie groß ist das Projekt?');
    assert.match(answer, /nur Englisch/);
    assert.match(answer, /`what is in this folder`/);
  });

  test('shows a picture that no file is behind', async () => {
    await said('/image');
    const image = driver
      .updates(id)
      .flatMap((one) =>
        one.sessionUpdate === 'agent_message_chunk' && one.content.type === 'image'
          ? [one.content]
          : [],
      );
    assert.equal(image.length, 1);
    assert.equal(image[0]?.mimeType, 'image/png');
    assert.equal(Buffer.from(image[0].data, 'base64').toString('latin1', 1, 4), 'PNG');
  });

  test('gives the chat another title', async () => {
    assert.match(await said('/title Trying\n\u202ethings'), /`Trying things`/);
    const titles = driver
      .updates(id)
      .flatMap((one) => (one.sessionUpdate === 'session_info_update' ? [one.title] : []));
    assert.equal(titles.at(-1), 'Trying things');
    assert.match(await said('/title'), /Which title\?/);
  });

  test('reports the usage that it is told, and nothing that is no usage', async () => {
    await said('/usage 5 10 0.25');
    await said('/usage');
    assert.match(await said('/usage -1 0'), /whole numbers/);
    assert.match(await said('/usage many'), /whole numbers/);
    const usages = driver
      .updates(id)
      .flatMap((one) =>
        one.sessionUpdate === 'usage_update' ? [[one.used, one.size, one.cost]] : [],
      );
    assert.deepEqual(usages, [
      [5, 10, { amount: 0.25, currency: 'USD' }],
      [12_000, 200_000, undefined],
    ]);
  });

  for (const kind of ['allow_once', 'allow_always', 'reject_once', 'reject_always']) {
    test(`asks for permission with every kind of option, and says that ${kind} came back`, async () => {
      const turn = driver.prompt(id, '/permission');
      const open = await driver.permission();
      assert.deepEqual(
        open.params.options.map((option) => option.kind),
        ['allow_once', 'allow_always', 'reject_once', 'reject_always'],
      );
      open.answer(choose(open, kind));
      assert.equal((await turn).stopReason, 'end_turn');
      assert.match(driver.said(id), new RegExp(`\`${kind}\` came back`));
      const end = kind.startsWith('allow') ? 'completed' : 'failed';
      assert.deepEqual([...driver.toolStates(id).values()], [['pending', end]]);
    });
  }

  test('tells the client what each command takes', async () => {
    const { availableCommands } = await until('the commands', () =>
      driver.updates(id).find((one) => one.sessionUpdate === 'available_commands_update'),
    );
    const withHint = availableCommands.filter(({ input }) => input).map(({ name }) => name);
    for (const name of ['usage', 'crash', 'title', 'symbol', 'licence', 'skeleton', 'files'])
      assert.ok(withHint.includes(name), name);
    for (const name of ['image', 'permission', 'tests'])
      assert.ok(
        !withHint.includes(name) && availableCommands.some((one) => one.name === name),
        name,
      );
  });
});

describe('the reference agent ends itself', () => {
  for (const [words, code] of [
    ['/crash', 1],
    ['/crash 0', 0],
    ['/crash 42', 42],
    ['/crash 256', 1],
    ['/crash now', 1],
  ] as const) {
    test(`with exit code ${code} for “${words}”, in the middle of a message`, async () => {
      const folder = makeFolder();
      const driver = await Driver.start();
      const id = await driver.newSession(folder);
      await assert.rejects(driver.prompt(id, words));
      assert.deepEqual(await exitOf(driver.child), { code, signal: null });
      assert.match(driver.said(id), /in the mid$/);
      fs.rmSync(folder, { recursive: true, force: true });
    });
  }
});

describe('the reference agent runs the tests of a folder', () => {
  async function told(files: Readonly<Record<string, string>>, words: string) {
    const folder = makeFolder(files);
    const driver = await Driver.start({ ...ALL_FILES, terminal: true });
    const id = await driver.newSession(folder);
    const ended = driver.prompt(id, words).then(() => undefined);
    const open = await Promise.race([driver.permission(), ended]);
    if (open) open.answer(choose(open, 'allow_once'));
    await ended;
    const [command] = driver.terminals;
    const answer = driver.said(id);
    await driver.stop();
    fs.rmSync(folder, { recursive: true, force: true });
    return { command: command?.command, answer };
  }

  test('and reads how many passed and what failed', async () => {
    const { command, answer } = await told(
      {
        Makefile: 'test:\n\t@env -u NODE_TEST_CONTEXT node --test --test-reporter=tap\n',
        'a.test.mjs':
          "import test from 'node:test';\ntest('good', () => {});\ntest('bad | one', () => { throw new Error('x'); });\n",
      },
      'do the tests pass?',
    );
    assert.equal(command, 'make test');
    assert.match(
      answer,
      /`make test` ended with exit code [12]\. \*\*1 test passed\*\*, \*\*1 failed\*\*, as node:test tells it/,
    );
    assert.match(answer, /- `bad \| one`/);
  });

  test('with the package manager that the lock file names', async () => {
    const { command } = await told(
      { 'package.json': '{ "scripts": { "test": "x" } }', 'pnpm-lock.yaml': '' },
      '/tests',
    );
    assert.equal(command, 'pnpm test');
  });

  test('and does not take for tests what npm writes where none are', async () => {
    const { command, answer } = await told(
      {
        'package.json':
          '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }',
      },
      'run the tests',
    );
    assert.equal(command, undefined);
    assert.match(answer, /found no test command/);
  });

  test('and says it where none failed and the command still did', async () => {
    const { answer } = await told(
      { Makefile: "test:\n\t@echo '# pass 2'; echo '# fail 0'; exit 3\n" },
      'run tests',
    );
    assert.match(
      answer,
      /\*\*2 tests passed\*\*, \*\*none failed\*\*.*No test is counted as failed, and yet/,
    );
  });
});
