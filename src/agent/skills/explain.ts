import { basename } from 'node:path';
import { readAsTool } from '../files.ts';
import { cell, code, count, bytes, quoted, shorten } from '../markdown.ts';
import type { Declaration, Outline } from '../outline.ts';
import { outline } from '../outline.ts';
import type { Skill } from '../turn.ts';
import { cleanPath } from '../words.ts';

const MAX_ROWS = 40;
const MAX_NAMES = 12;

/** Outlines a file: what it declares, imports and says about itself. */
export const explain: Skill = {
  name: 'explain',
  description: 'Outline a file: what it declares, imports and says about itself',
  hint: 'path of a file',
  example: '/explain src/index.ts',

  async run(turn, argument) {
    const attached = turn.attachments.find(
      ({ name, text }) => name === argument && text !== undefined,
    );
    const file =
      attached?.text === undefined
        ? await readAsTool(turn, cleanPath(argument))
        : { name: basename(attached.name), text: attached.text };
    await turn.say(describe(file.name, file.text, outline(file.name, file.text)));
    return 'end_turn';
  },
};

function describe(name: string, text: string, found: Outline): string {
  if (text === '') return `${code(name)} is empty.`;
  const own = found.lines - found.blank - found.comments;
  const parts = [
    `${code(name)} is a ${found.language} file of **${count(found.lines, 'line')}** (${bytes(Buffer.byteLength(text))}): ` +
      `${own} with content, ${found.comments} of comment, ${found.blank} blank.`,
  ];
  if (found.about !== '') parts.push(`In its own words:\n\n> ${quoted(found.about)}`);
  if (found.declarations.length > 0) parts.push(declared(found));
  if (found.imports.length > 0) parts.push(imported(found.imports));
  if (found.todos.length > 0) {
    parts.push(
      `**To do**: a mark in ${lineNumbers(found.todos)}. ${code('list todos')} shows them.`,
    );
  }
  parts.push(
    'I read it line by line, by patterns. Why it is written so, I cannot say: there is no model inside me.',
  );
  return parts.join('\n\n');
}

function declared({ declarations, lines }: Outline): string {
  const marks = declarations.some(({ exported }) => exported);
  const rows = declarations
    .slice(0, MAX_ROWS)
    .map(
      (one) =>
        `| ${one.line} | ${one.kind}${one.exported ? ', exported' : ''} | ${cell(one.name)} |`,
    );
  const more = declarations.length - rows.length;
  const exported = declarations.filter((one) => one.exported).length;
  return [
    `**What it holds**: ${count(declarations.length, 'part')}${marks ? `, ${exported} of them exported` : ''}. ${largest(declarations, lines)}`.trimEnd(),
    '',
    '| Line | What | Name |',
    '| ---: | :--- | :--- |',
    ...rows,
    ...(more > 0 ? ['', `and ${more} more.`] : []),
  ].join('\n');
}

/** The part with the most lines until the next one begins. */
function largest(declarations: readonly Declaration[], lines: number): string {
  const outer = declarations.filter(({ kind }) => kind !== 'method');
  const sized = outer.map((one, at) => ({
    ...one,
    size: (outer[at + 1]?.line ?? lines + 1) - one.line,
  }));
  const [first, ...rest] = sized;
  if (!first || rest.length === 0) return '';
  const most = rest.reduce((best, one) => (one.size > best.size ? one : best), first);
  return `The largest is ${code(most.name)} with about ${count(most.size, 'line')}.`;
}

function imported(imports: readonly string[]): string {
  const own = imports.filter((source) => /^[./]/.test(source));
  const foreign = imports.filter((source) => !/^[./]/.test(source));
  const groups = [
    ...(foreign.length > 0 ? [`from outside ${names(foreign)}`] : []),
    ...(own.length > 0 ? [`from its neighbours ${names(own)}`] : []),
  ];
  return `**It imports** ${groups.join('; ')}.`;
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, MAX_NAMES).map((name) => code(shorten(name, 80)));
  const more = all.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function lineNumbers(lines: readonly number[]): string {
  const shown = lines.slice(0, MAX_NAMES);
  const more = lines.length - shown.length;
  return `${shown.length === 1 ? 'line' : 'lines'} ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
