import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { guessed, understood } from '../../../src/agent/intents.ts';
import { apology } from '../../../src/agent/languages.ts';
import type { Attachment } from '../../../src/agent/turn.ts';

/** What a sentence is taken to ask for; with a question mark before it where that is a guess. */
function meant(sentence: string, attachments: readonly Attachment[] = []): string | undefined {
  const sure = understood(sentence, attachments);
  if (sure) return `${sure.skill.name} ${sure.argument}`.trim();
  const guess = guessed(sentence, attachments);
  return guess && `? ${guess.skill.name} ${guess.argument}`;
}

describe('what a newcomer types', () => {
  for (const [sentence, expected] of [
    // Counting and looking around.
    ['count the languages', 'overview'],
    ['Which programming languages are used here?', 'overview'],
    ['how big is this project?', 'overview'],
    ['whats in this folder', 'overview'],
    ['what is this project about', 'overview'],
    ['explain everything', 'overview'],
    ['show me the largest files', 'overview'],
    ['list the files', 'files'],
    ['show me all files in src', 'files src'],
    ["what's in the src/agent folder?", 'files src/agent'],
    ['ls', 'files'],
    ['how many TODOs are there?', 'todos'],
    // Files: in quotes, in backticks, bare, with lines, with a typo.
    ['What does `src/add.ts` do?', 'explain src/add.ts'],
    ['pls expain src/add.ts', 'explain src/add.ts'],
    ['sumarize "notes.md" for me', 'explain notes.md'],
    ['how many lines does src/add.ts have?', 'explain src/add.ts'],
    ['list all functions in src/add.ts', 'explain src/add.ts'],
    ['open the README', 'read README'],
    ['show me lines 4 to 9 of src/add.ts', 'read src/add.ts:4-9'],
    ["what's on line 12 in src/add.ts?", 'read src/add.ts:12-12'],
    ['src/add.ts:4', 'read src/add.ts:4-4'],
    ['can you look at src/add.ts', '? explain src/add.ts'],
    ['compare it with src/add.ts', '? explain src/add.ts'],
    // Names and words.
    ['where is `parseConfig` used?', 'symbol `parseConfig`'],
    ['who calls parseConfig', 'symbol parseConfig'],
    ['what does parseConfig() do?', 'symbol parseConfig()'],
    ['Is there a function called parseConfig?', 'symbol parseConfig'],
    ['which files import parseConfig', 'symbol parseConfig'],
    ['find "return a + b"', 'search "return a + b"'],
    ['serach for needle', 'search needle'],
    ['find add in src/add.ts', 'search add in src/add.ts'],
    ['parseConfig', '? symbol parseConfig'],
    // Changes.
    ['rename add to sum', 'rename add sum'],
    ['rename "add" to "sum", please', 'rename add sum'],
    ['Could you rename the function `add` to `sum` everywhere?', 'rename add sum'],
    ['replace foo with bar in all files', 'rename foo bar'],
    ['rename foo to bar in src/', 'rename foo bar src/'],
    ['create a new file called notes/idea.md', 'new notes/idea.md'],
    ['add a license header to src/add.ts', 'licence src/add.ts'],
    ['please add licence headers', 'licence'],
    ['put the copyright notice on all files in src', 'licence src'],
    ['what license is this under?', 'licence ?'],
    // Tests.
    ['write a test for src/add.ts', 'skeleton src/add.ts'],
    ['make me a test skeleton for `src/add.ts` please', 'skeleton src/add.ts'],
    ['run all tests', 'run all tests'],
    ['do the tests pass?', 'tests'],
    ['test everything', 'tests'],
    // Words that are verbs elsewhere, and files that are called like what is asked for.
    ['explain src/todo.ts', 'explain src/todo.ts'],
    ['what can I do with src/add.ts', 'explain src/add.ts'],
    ['where is the README?', 'search README?'],
    ['write a test plan', 'plan'],
    ['add tests', 'skeleton'],
    ['what does src/licence.ts do?', 'explain src/licence.ts'],
    ['read tests/add.test.ts', 'read tests/add.test.ts'],
    ['show me src', 'symbol src'],
    ['explain add', 'symbol add'],
    ['what is parseConfig?', 'symbol parseConfig'],
    ['explain', 'explain'],
    ['explain how the code works', 'overview'],
    ['I want to find out where log is defined', 'symbol log'],
    ['how do I run this?', 'read README'],
    ['How can I install it', 'read README'],
    ['can you see my files?', 'files'],
    ['git status', '? run git status'],
    ['npm install', '? run npm install'],
    ['who made you', 'help'],
    ['are you ChatGPT?', 'help'],
    // What it has to show.
    ['show me a picture', 'image'],
    ['?', 'help'],
    ['what else can you do', 'help'],
    // What nobody without a model can do, and what is no request at all.
    ['write me a poem', undefined],
    ['fix the bug', undefined],
    ['what is the weather like', undefined],
    ['delete all my branches', undefined],
    ['delete src/add.ts', undefined],
    ['undo that', undefined],
    ['list functions', undefined],
    ['make the tests pass', undefined],
    ['tell me a joke', undefined],
    ['summarise this conversation', undefined],
    ['go', undefined],
    ['Wie groß ist das Projekt?', undefined],
    ['Où est-ce que je commence ?', undefined],
    ['kannst du mir src/add.ts erklären?', '? explain src/add.ts'],
  ] as const) {
    test(`“${sentence}” is ${expected ?? 'not understood'}`, () => {
      assert.equal(meant(sentence), expected);
    });
  }

  for (const [sentence, expected] of [
    ['explain this file', 'explain /w/a.ts'],
    ['what is this?', 'explain /w/a.ts'],
    ['', 'explain /w/a.ts'],
    ['write a test for this', 'skeleton /w/a.ts'],
    ['add a licence header to this file', 'licence /w/a.ts'],
    ['rename add to sum in this file', 'rename add sum /w/a.ts'],
    ['read it', 'read /w/a.ts'],
    ['thoughts?', '? explain /w/a.ts'],
    // What is named goes before what is attached.
    ['explain src/b.ts', 'explain src/b.ts'],
  ] as const) {
    test(`“${sentence}” with a file attached is ${expected}`, () => {
      assert.equal(meant(sentence, [{ name: '/w/a.ts' }]), expected);
    });
  }

  test('what is long or odd is looked at quickly', () => {
    for (const words of [
      `please ${'please '.repeat(280)}`,
      `find ${'function '.repeat(220)}`,
      `rename ${'a '.repeat(990)}`,
      `list ${'the '.repeat(490)}`,
      `add ${'licence '.repeat(240)}header`,
      `make ${' '.repeat(1_900)}test`,
      'x.y/'.repeat(490),
      `what is ${'`'.repeat(1_900)}`,
    ]) {
      const start = performance.now();
      meant(words);
      assert.ok(performance.now() - start < 500, words.slice(0, 20));
    }
  });
});

describe('other languages', () => {
  test('are told in their own words that only English is understood', () => {
    assert.match(apology('Kannst du mir bitte helfen?') ?? '', /nur Englisch/);
    assert.match(apology('Peux-tu m’aider avec le fichier ?') ?? '', /que l’anglais/);
  });

  test('are not seen in English', () => {
    for (const words of [
      'Where is the list?',
      'Why does the authentication fail on Mondays?',
      'an album und',
    ]) {
      assert.equal(apology(words), undefined, words);
    }
  });
});
