import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HarmlessOutput } from '../../../src/vscode/ui/harmlessOutput.ts';

const ESC = '\u001B';
const filtered = (text: string): string => new HarmlessOutput().filter(text);

describe('goes through as it is', () => {
  for (const [what, text] of [
    ['text in every script', 'häß 日本 😀\ttab'],
    [
      'colours',
      `${ESC}[31mred${ESC}[0m ${ESC}[38;5;200m256${ESC}[48;2;1;2;3m true ${ESC}[4:3mcurl`,
    ],
    ['a progress bar', `10%\r20%${ESC}[K\r${ESC}[1A${ESC}[2K30%\b\b`],
    ['moves and erasing', `${ESC}[2J${ESC}[H${ESC}[3;4H${ESC}[5G${ESC}[1L${ESC}7x${ESC}8`],
    ['the second screen and the cursor', `${ESC}[?1049h${ESC}[?25l${ESC}[?25;7h${ESC}[?1049l`],
  ] as const) {
    test(what, () => {
      assert.equal(filtered(text), text);
    });
  }
});

describe('what could do harm, ask or be mistaken is left out', () => {
  for (const [what, text, rest = 'ab'] of [
    ['a write to the clipboard', `a${ESC}]52;c;ZXZpbA==\u0007b`],
    ['a write to the clipboard that ends with ST', `a${ESC}]52;c;ZXZpbA==${ESC}\\b`],
    [
      'a link that runs a command',
      `a${ESC}]8;;command:workbench.action.quit${ESC}\\x${ESC}]8;;${ESC}\\b`,
      'axb',
    ],
    ['a title', `a${ESC}]0;Trusted${ESC}\\b`],
    ['marks of a shell integration', `a${ESC}]633;E;rm -rf /;nonce\u0007b`],
    ['a question for the colours', `a${ESC}]10;?${ESC}\\b`],
    ['a question for the device', `a${ESC}[cb${ESC}[>c${ESC}[=c${ESC}[0c`],
    ['a question for the status and the place', `a${ESC}[5n${ESC}[6n${ESC}[?6nb`],
    ['a question for a mode', `a${ESC}[?2004$pb`],
    ['a question for the version', `a${ESC}[>0qb`],
    ['a question for the keyboard', `a${ESC}[?ub`],
    ['a resize or a question for the size', `a${ESC}[8;1;1t${ESC}[18tb`],
    ['mouse, paste and focus reports', `a${ESC}[?1000h${ESC}[?1006h${ESC}[?2004h${ESC}[?1004hb`],
    ['a mode among harmless ones', `a${ESC}[?25;1000hb`],
    ['a device control string', `a${ESC}P$qm${ESC}\\b`],
    ['private, status and program strings', `a${ESC}Xx${ESC}\\${ESC}^y${ESC}\\${ESC}_z${ESC}\\b`],
    ['the same in the form of one character', 'a\u009D52;c;eA==\u009C\u009Bcb\u0090q\u009C'],
    ['a change of the alphabet', `a${ESC}(0b\u000E\u000F`],
    ['a request for the answerback and the bell', 'a\u0005\u0007b'],
    ['a full reset', `a${ESC}cb`],
    ['a repetition of a million', `a${ESC}[1000000bb`],
    ['a sequence without an end', `ab${ESC}[${'1;'.repeat(10_000)}m`],
    ['a string without an end', `ab${ESC}]0;${'x'.repeat(10_000)}`],
    ['deleting and null', 'a\u007F\u0000b'],
  ] as const) {
    test(what, () => {
      assert.equal(filtered(text), rest);
    });
  }
});

test('a sequence that comes in pieces is one sequence', () => {
  const text = `a${ESC}[31mb${ESC}]52;c;eA==${ESC}\\c\r\nd\ne`;
  const output = new HarmlessOutput();
  let out = '';
  for (const char of text) out += output.filter(char);
  assert.equal(out, `a${ESC}[31mbc\r\nd\r\ne`);
});

test('what is cancelled in the middle goes on as text', () => {
  assert.equal(filtered(`a${ESC}[3\u0018b${ESC}]0;x\u001Ac`), 'abc');
});

test('a line feed alone also returns', () => {
  assert.equal(filtered('a\nb\r\nc\n\n'), 'a\r\nb\r\nc\r\n\r\n');
});
