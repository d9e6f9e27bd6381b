import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { understood } from '../../../src/agent/intents.ts';
import { code, codeBlock, plain, shorten } from '../../../src/agent/markdown.ts';
import { Pace, chunks } from '../../../src/agent/pace.ts';
import { section } from '../../../src/agent/samples.ts';
import { VERSION } from '../../../src/agent/version.ts';
import { cleanPath, pathIn, unquoted } from '../../../src/agent/words.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** What a sentence is taken to ask for. */
function meant(sentence: string): string | undefined {
  const wish = understood(sentence, []);
  return wish && `${wish.skill.name} ${wish.argument}`.trim();
}

describe('what people mean', () => {
  for (const [sentence, expected] of [
    ['explain src/x.ts', 'explain src/x.ts'],
    ['Hi, could you summarise the file `my notes.md` please?', 'explain my notes.md'],
    ['What does src/agent/main.ts do?', 'explain src/agent/main.ts'],
    ['tell me about "package.json".', 'explain package.json'],
    ['find parseConfig', 'search parseConfig'],
    ['where is the function parseConfig defined?', 'symbol parseConfig'],
    ['Where is "hello world"?', 'search "hello world"?'],
    ['search for all references to Thread in this project', 'symbol Thread'],
    ['help me find the word needle', 'search needle'],
    ['list todos', 'todos'],
    ['find TODOs', 'todos'],
    ['any FIXMEs left?', 'todos'],
    ['what can you do?', 'help'],
    ['hello there!', 'help'],
    ['make a plan', 'plan'],
    ['Please give me a plan for today', 'plan'],
    ['rename foo to bar in src/x.ts', 'rename foo bar src/x.ts'],
    ['please replace `foo` with `bar` in the file "src/x.ts"', 'rename foo bar src/x.ts'],
    ['what is in this folder?', 'overview'],
    ['how many lines are there', 'overview'],
    ['explain the project', 'overview'],
    ['show me README.md', 'read README.md'],
    ['edit ./a.txt', 'edit ./a.txt'],
    ['run npm test', 'run npm test'],
    ['Please run npm test now.', 'run npm test'],
    ['run the tests please', 'run the tests'],
    ['run `ls -la`', 'run ls -la'],
    ['could you execute the command `ls -la` for me?', 'run ls -la'],
    ['run this: `make all`', 'run make all'],
    ['start `npm start`', 'run npm start'],
    ['run echo `date`', 'run echo `date`'],
    ['run eslint .', 'run eslint .'],
    ['run go test ./...', 'run go test ./...'],
    ['run ls ..', 'run ls ..'],
    ['run the linter', undefined],
    ['start over', undefined],
    ['start writing', undefined],
    ['run', undefined],
    ['write a poem about the sea', undefined],
    ['why is the sky blue', undefined],
  ] as const) {
    test(`"${sentence}" is ${expected ?? 'not understood'}`, () => {
      assert.equal(meant(sentence), expected);
    });
  }

  test('paths lose what stands around them and nothing else', () => {
    assert.equal(cleanPath(' "src/a b.ts". '), 'src/a b.ts');
    assert.equal(cleanPath('@src/a.ts'), 'src/a.ts');
    assert.equal(cleanPath('`../x`,'), '../x');
    assert.equal(cleanPath('..'), '..');
    assert.equal(cleanPath('.env'), '.env');
    assert.equal(pathIn('look at https://example.com/a.ts please'), undefined);
    assert.equal(pathIn('in the Makefile'), 'Makefile');
    assert.equal(pathIn('open the README, please'), 'README');
    assert.equal(unquoted("'two words'"), 'two words');
  });
});

describe('what the agent says', () => {
  test('code cannot be closed by what is in it', () => {
    assert.equal(code('a`b'), '``a`b``');
    assert.equal(code('`a'), '`` `a ``');
    assert.equal(code('two\nlines'), '`two lines`');
    assert.equal(codeBlock('x\n```\ny'), '````\nx\n```\ny\n````');
  });

  test('titles hold one line without control or direction characters', () => {
    assert.equal(plain('a\n\u202eb\u0000  c', 20), 'a b c');
    assert.equal(shorten('abc🚀def', 5), 'abc…');
  });

  test('chunks join to the same text and split no character', () => {
    for (const text of ['', 'a', '🚀'.repeat(500), section(3, 9), 'x'.repeat(100_000)]) {
      const pieces = chunks(text);
      assert.equal(pieces.join(''), text);
      assert.ok(pieces.every((piece) => Buffer.from(piece).toString('utf8') === piece));
      assert.ok(pieces.length < 700);
    }
  });

  test('the pace comes from the environment, and nonsense is passed over', async () => {
    for (const value of [undefined, '', 'fast', '-1', '1001', 'NaN']) {
      assert.deepEqual(Pace.fromEnvironment(value), new Pace(8), value);
    }
    assert.deepEqual(Pace.fromEnvironment('0'), new Pace(0));
    const ended = new AbortController();
    ended.abort();
    await assert.rejects(new Pace(0).chunk(ended.signal), { name: 'AbortError' });
    await assert.rejects(new Pace(9).step(ended.signal), { name: 'AbortError' });
  });

  test('the version is that of the package', () => {
    assert.equal(VERSION, manifest.version);
  });
});
