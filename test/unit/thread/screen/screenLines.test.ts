import assert from 'node:assert/strict';
import test from 'node:test';

import { outputEnd, screenLines } from '../../../../src/thread/screen.ts';

const ESC = '\u001b';

/** What is on screen, as text; rows of blanks at the end are not there. */
function shown(raw: string): string[] {
  return screenLines(raw, 1000).lines.map((line) => line.map(({ text }) => text).join(''));
}

const TABLE: readonly (readonly [what: string, raw: string, lines: readonly string[]])[] = [
  ['nothing is nothing', '', []],
  ['lines are lines', 'one\ntwo', ['one', 'two']],
  ['blank lines between are kept, those at the end are not', 'a\n\nb\n\n\n', ['a', '', 'b']],
  ['CRLF is one line end', 'a\r\nb\r\n', ['a', 'b']],
  ['a carriage return writes over the line', '10 %\r55 %\rdone', ['done']],
  ['what is longer than its successor stays', 'abcdef\rxyz', ['xyzdef']],
  ['a progress bar cleared to its end', `12345\r${ESC}[K67`, ['67']],
  ['backspace goes back and takes nothing away', 'abc\b\bX', ['aXc']],
  ['backspace stops at the first column', 'a\b\b\b\bb', ['b']],
  ['a bell is not heard', 'a\u0007b', ['ab']],
  ['a tab at the end stays a tab', 'a\tb', ['a\tb']],
  ['a tab goes to the next eighth column', 'a\tb\rxxxxxxxxB', ['xxxxxxxxB']],
  ['a tab inside of a line only moves', 'abcdefghij\r\tX', ['abcdefghXj']],
  ['writing into a tab makes it blanks', 'a\tb\r  X', ['  X     b']],
  ['up and over', `one\ntwo\n${ESC}[2AONE`, ['ONE', 'two']],
  ['up stops at the first line', `one\n${ESC}[99AX`, ['Xne']],
  ['down, in what is there', `a\nb\nc${ESC}[2A${ESC}[1BX`, ['a', 'bX', 'c']],
  ['left and right', `abc${ESC}[3DX${ESC}[1CY`, ['XbY']],
  ['a gap is blanks', `a${ESC}[3Cb`, ['a   b']],
  ['to a column', `abcdef${ESC}[3GX`, ['abXdef']],
  ['to the line before and its first column', `ab\ncd${ESC}[FX`, ['Xb', 'cd']],
  ['to the next line and its first column', `ab\ncd${ESC}[A${ESC}[EX`, ['ab', 'Xd']],
  ['to a place', `a\nb\nc${ESC}[2;3HX`, ['a', 'b X', 'c']],
  ['erase to the end', `abcdef${ESC}[3G${ESC}[K`, ['ab']],
  ['erase to the start', `abcdef${ESC}[3G${ESC}[1K`, ['   def']],
  ['erase the line and stay in the column', `abc${ESC}[2KX`, ['   X']],
  ['erase characters', `abcdef\r${ESC}[2X`, ['  cdef']],
  ['erase all below', `a\nb\nc${ESC}[2;1H${ESC}[J`, ['a']],
  ['erase all above', `a\nb\nc${ESC}[1J`, []],
  ['clear the screen and begin anew', `a\nb\n${ESC}[2J${ESC}[Hc`, ['c']],
  [
    'two lines of progress redrawn',
    `a 1\nb 1\n${ESC}[2A${ESC}[2Ka 2\n${ESC}[2Kb 2\n`,
    ['a 2', 'b 2'],
  ],
  ['the place is saved and found again', `ab${ESC}7cd${ESC}8X`, ['abXd']],
  ['the same, as another dialect says it', `ab${ESC}[scd${ESC}[uX`, ['abXd']],
  ['colours are not text', `${ESC}[1;31mred${ESC}[0m.`, ['red.']],
  ['titles are swallowed, ended by BEL or ST', `${ESC}]0;t\u0007a${ESC}]2;t${ESC}\\b`, ['ab']],
  [
    'a link keeps its words',
    `${ESC}]8;;https://example.org${ESC}\\here${ESC}]8;;${ESC}\\.`,
    ['here.'],
  ],
  [
    'a link to a command is its words and no more',
    `${ESC}]8;;command:x\u0007run${ESC}]8;;\u0007`,
    ['run'],
  ],
  [
    'pictures and other strings are swallowed',
    `a${ESC}Pq#0;2;0${ESC}\\b${ESC}_Gx${ESC}\\c`,
    ['abc'],
  ],
  ['a title that is never closed hides one line', `${ESC}]0;evil\nnext`, ['', 'next']],
  ['modes and queries are swallowed', `${ESC}[?25l${ESC}[6n${ESC}[?1049ha${ESC}[>c`, ['a']],
  ['a character set is swallowed', `${ESC}(Ba${ESC})0b`, ['ab']],
  ['a sequence with an intermediate is swallowed', `${ESC}[2 qa${ESC}[!pb`, ['ab']],
  ['a sequence that breaks off is forgotten', `${ESC}[31\nx`, ['', 'x']],
  ['an unfinished sequence is held back', `a${ESC}[3`, ['a']],
  ['half a character is held back', 'a\ud83d', ['a']],
  ['wide characters take two columns', `漢字\r${ESC}[2CX`, ['漢X ']],
  ['half of a wide character is none', '漢字\r X', [' X字']],
  ['a mark stands on its letter', `e\u0301x\r${ESC}[CX`, ['e\u0301X']],
  ['a mark on nothing is not there', '\u0301a', ['a']],
  [
    'an emoji of several is kept together',
    '\u{1f469}\u200d\u{1f4bb}',
    ['\u{1f469}\u200d\u{1f4bb}'],
  ],
  ['what turns text around is not there', 'a\u202eb\u2066c', ['abc']],
  ['NUL and DEL are not there', 'a\u0000b\u007fc', ['abc']],
  ['the one-byte introducer', 'a\u009b31mb', ['ab']],
  ['a title between one-byte controls', 'a\u009d0;title\u009cb', ['ab']],
  ['a device string between one-byte controls', 'a\u0090qdata\u009cb', ['ab']],
  ['a one-byte control that breaks a title off', 'a\u001b]0;ti\u009b31mb', ['ab']],
  ['a one-byte next line that breaks a title off', 'a\u001b]0;ti\u0085b', ['a', 'b']],
  ['markup is text', '<b>&amp;', ['<b>&amp;']],
];

for (const [what, raw, lines] of TABLE) {
  test(what, () => {
    assert.deepEqual(shown(raw), lines);
  });
}

/** Style fields that are not as the theme has it. */
function styles(raw: string): object[] {
  return screenLines(raw, 10)
    .lines.flat()
    .map(({ text, style }) => ({
      text,
      ...Object.fromEntries(
        Object.entries(style ?? {}).filter(([, value]) => value !== null && value !== false),
      ),
    }));
}

const STYLES: readonly (readonly [what: string, raw: string, spans: readonly object[]])[] = [
  ['the eight colours', `${ESC}[32mx`, [{ text: 'x', fg: 2 }]],
  ['the eight bright ones', `${ESC}[97;100mx`, [{ text: 'x', fg: 15, bg: 8 }]],
  ['a ground', `${ESC}[41mx`, [{ text: 'x', bg: 1 }]],
  ['one of 256', `${ESC}[38;5;208;48;5;0mx`, [{ text: 'x', fg: 208, bg: 0 }]],
  ['a true colour', `${ESC}[38;2;1;2;255mx`, [{ text: 'x', fg: '#0102ff' }]],
  ['a true colour with colons', `${ESC}[48:2::1:2:3mx`, [{ text: 'x', bg: '#010203' }]],
  ['with colons and no colour space', `${ESC}[38:2:1:2:3mx`, [{ text: 'x', fg: '#010203' }]],
  ['a true colour, then bold', `${ESC}[38;2;1;2;3;1mx`, [{ text: 'x', fg: '#010203', bold: true }]],
  ['no colour beyond 255', `${ESC}[38;5;256mx${ESC}[38;2;1;2;999mx`, [{ text: 'xx' }]],
  ['the colour of an underline is not one of text', `${ESC}[58;5;1mx`, [{ text: 'x' }]],
  [
    'all the others',
    `${ESC}[1;2;3;4;7;9mx`,
    [
      {
        text: 'x',
        bold: true,
        dim: true,
        italic: true,
        underline: true,
        inverse: true,
        strike: true,
      },
    ],
  ],
  ['each has its end', `${ESC}[1;2;3;4;7;9;31;41m${ESC}[22;23;24;27;29;39;49mx`, [{ text: 'x' }]],
  [
    'a curly underline is one',
    `${ESC}[4:3mx${ESC}[4:0my`,
    [{ text: 'x', underline: true }, { text: 'y' }],
  ],
  ['nothing is a reset', `${ESC}[31m${ESC}[mx`, [{ text: 'x' }]],
  ['an empty code is a reset', `${ESC}[31;;1mx`, [{ text: 'x', bold: true }]],
  [
    'a style goes over line ends',
    `${ESC}[31ma\nb`,
    [
      { text: 'a', fg: 1 },
      { text: 'b', fg: 1 },
    ],
  ],
  ['neighbours in one style are one', `${ESC}[31ma${ESC}[31mb`, [{ text: 'ab', fg: 1 }]],
  [
    'written over in another style',
    `${ESC}[31mabc\r${ESC}[mX`,
    [{ text: 'X' }, { text: 'bc', fg: 1 }],
  ],
  ['a coloured ground without text is seen', `${ESC}[41m  \n`, [{ text: '  ', bg: 1 }]],
];

for (const [what, raw, spans] of STYLES) {
  test(`style: ${what}`, () => {
    assert.deepEqual(styles(raw), spans);
  });
}

test('what is shown is plain JSON', () => {
  const { lines } = screenLines(`a${ESC}[1;38;2;1;2;3mb\tc\n漢`, 10);
  assert.deepEqual(JSON.parse(JSON.stringify(lines)), lines);
});

test('of more lines than wanted the last are shown, and the others counted', () => {
  const raw = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('');
  const { lines, omitted } = screenLines(raw, 100);
  assert.equal(lines.length, 100);
  assert.equal(omitted, 4900);
  assert.equal(lines[0]?.[0]?.text, 'line 4900');
});

test('a line of any length is one line, as far as it is kept', () => {
  const { lines, omitted } = screenLines('x'.repeat(10_000_000), 50);
  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.[0]?.text.length, 50_000);
  assert.equal(omitted, 9950);
});

test('a jump to nowhere makes no rows and no columns', () => {
  for (const jump of ['999999;999999H', '999999B', '999999C', '999999d', '999999E']) {
    const { lines } = screenLines(`${ESC}[${jump}x`, 1000);
    assert.ok(lines.length <= 24, jump);
    assert.ok(lines.flat().reduce((sum, { text }) => sum + text.length, 0) <= 1000, jump);
  }
});

test('blanks that jumps make are bounded by what came in', () => {
  const raw = `${ESC}[999Cx\n`.repeat(20_000);
  const { lines } = screenLines(raw, 100_000);
  const size = lines.flat().reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(size <= 3 * raw.length + 65_536, `${size}`);
});

test('marks on one character are bounded', () => {
  const { lines } = screenLines(`a${'\u0301'.repeat(100_000)}`, 10);
  assert.ok((lines[0]?.[0]?.text.length ?? 0) <= 8);
});

test('a sequence of a megabyte is swallowed', () => {
  assert.deepEqual(shown(`a${ESC}[${'1;'.repeat(500_000)}mb`), ['ab']);
  assert.deepEqual(shown(`a${ESC}]8;;${'x'.repeat(1_000_000)}\u0007b`), ['ab']);
  assert.deepEqual(shown(`a${ESC}${'('.repeat(1_000_000)}Bb`), ['ab']);
});

const ENDS: readonly (readonly [what: string, raw: string, end: string])[] = [
  ['short output is whole', `${ESC}[31mab`, `${ESC}[31mab`],
  ['it begins at a line', `${'x'.repeat(30)}\n${'y'.repeat(15)}`, 'y'.repeat(15)],
  ['else at a character', `${'\u{1f600}'.repeat(20)}a`, `${'\u{1f600}'.repeat(9)}a`],
  [
    'else with the sequence that it would have cut',
    `ab${ESC}[38;5;208m${'y'.repeat(15)}`,
    `${ESC}[38;5;208m${'y'.repeat(15)}`,
  ],
];
for (const [what, raw, end] of ENDS) {
  test(`the end of output: ${what}`, () => {
    assert.equal(outputEnd(raw, 20), end);
  });
}
