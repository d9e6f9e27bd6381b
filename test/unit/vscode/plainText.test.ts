import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cut,
  escapeLabel,
  escapeLine,
  escapeLines,
  escapeNotice,
} from '../../../src/vscode/ports/plainText.ts';

test('an icon in a label is text: VS Code draws an escaped one as it is written', () => {
  assert.equal(escapeLabel('$(check) Allow'), '\\$(check) Allow');
  assert.equal(escapeLabel('$(loading~spin)$(x)'), '\\$(loading~spin)\\$(x)');
});

test('a backslash that the agent wrote before an icon is shown, and does not undo the escape', () => {
  assert.equal(escapeLabel('\\$(check)'), '\\\\$(check)');
});

test('what is no icon to VS Code gets no backslash', () => {
  assert.equal(escapeLabel('echo $(cat a.txt) $5 ($x)'), 'echo $(cat a.txt) $5 ($x)');
});

test('a command substitution that looks like an icon is shown as it is written', () => {
  assert.equal(escapeLabel('echo $(date)'), 'echo \\$(date)');
});

test('control characters can be seen', () => {
  assert.equal(escapeLine('a\u001b[31mb\u0000\u007f'), 'a␛[31mb␀\\u{7f}');
  assert.equal(escapeLine('a\nb\r\nc\td'), 'a↵b␍↵c d');
});

test('characters that turn the direction of text or hide in it can be seen', () => {
  assert.equal(escapeLine('rm \u202egpj.exe'), 'rm \\u{202e}gpj.exe');
  assert.equal(escapeLine('a\u2066b\u2069c\u200fd'), 'a\\u{2066}b\\u{2069}c\\u{200f}d');
  assert.equal(escapeLine('a\u200bb\ufeffc\u{e0041}'), 'a\\u{200b}b\\u{feff}c\\u{e0041}');
  assert.equal(escapeLine('a\u2028b'), 'a\\u{2028}b');
});

test('words of all languages and emoji stay as they are', () => {
  const text = 'Zulassen — 許可する — السماح — 👩‍💻 क्‍ष';
  assert.equal(escapeLine(text), text);
});

test('several lines keep their ends and nothing else', () => {
  assert.equal(escapeLines('a\r\nb\u0007\rc'), 'a\nb␇\nc');
});

test('a notification has no links that an agent wrote', () => {
  assert.equal(
    escapeNotice('[Show](command:workbench.action.quit)'),
    '[Show] (command:workbench.action.quit)',
  );
});

test('what is cut says so', () => {
  assert.equal(cut('abcdef', 6), 'abcdef');
  assert.equal(cut('abcdefg', 6), 'abcde…');
});
