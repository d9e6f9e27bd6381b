import type { PermissionQuestion } from '../../client/ports.ts';
import type { PermissionChoice } from '../../thread/thread.ts';
import { escapeLine, escapeLines, splitLines } from './plainText.ts';

/** As many characters as fit into one row of a quick pick in VS Code's own font. */
const ROW_TEXT = /.{1,84}/gsu;
/** Rows of the subject that stand in the pick itself; more are one key away. */
const ROWS = 8;

/** What an option does, in Parley's words: an agent's own name for it may say anything. */
const EFFECTS: Readonly<Record<PermissionChoice['kind'], string>> = {
  allow_once: 'allows once',
  allow_always: 'allows always',
  reject_once: 'rejects once',
  reject_always: 'rejects always',
  other: 'effect not known',
};

/** Names that leave room beside them in a pick of any width. */
const SHORT_NAME = /^[\x20-\x7e]{1,30}$/;

/**
 * What an option of an agent does, beside its name, or in a line of its own where a long name, or one in wide letters,
 * would push it out of sight. Nothing where Parley asks: then the names are its own.
 */
export function effectOf(
  { name, kind }: PermissionChoice,
  { reason }: PermissionQuestion,
): { readonly description?: string; readonly detail?: string } {
  if (reason !== '') return {};
  return SHORT_NAME.test(name) ? { description: EFFECTS[kind] } : { detail: EFFECTS[kind] };
}

/** What stands above the options: who asks, and for what. */
export function questionTitle(question: PermissionQuestion): string {
  const title = question.title === '' ? question.kind : question.title;
  return escapeLine(`${title} — ${question.agentName}, ${question.chatTitle}`);
}

/** Why Parley asks, where it does; else the kind of the action and the start of what it acts on. */
export function questionSummary(question: PermissionQuestion): string {
  if (question.reason !== '') return escapeLine(whyAsked(question));
  const [first = '', ...more] = splitLines(question.subject.trim());
  if (first === '') return escapeLine(question.kind);
  return escapeLine(`${question.kind}: ${first}${more.length > 0 ? ' …' : ''}`);
}

export interface SubjectRows {
  readonly rows: readonly string[];
  /** True if the rows are not all of it. */
  readonly cut: boolean;
}

/** The subject as rows that need no cutting: long lines go on in the next row. Not escaped yet. */
export function subjectRows(subject: string): SubjectRows {
  if (subject.trim() === '') return { rows: [], cut: false };
  const rows: string[] = [];
  for (const line of splitLines(subject.trimEnd())) {
    for (const row of wrap(line)) {
      if (rows.length === ROWS) return { rows, cut: true };
      rows.push(row);
    }
  }
  return { rows, cut: false };
}

/** Everything that the request says, as a document. */
export function questionDocument(question: PermissionQuestion): string {
  const facts = [
    `${question.agentName}, ${question.chatTitle}`,
    question.title,
    question.kind,
    question.options.map((option) => optionWords(option, question)).join(' | '),
    ...(question.reason === '' ? [] : [whyAsked(question)]),
    ...question.facts,
  ];
  return [...facts.map(escapeLine), '', escapeLines(question.subject), ''].join('\n');
}

/** Whose question it is, and why; `''` where the agent asks. */
export function whyAsked({ reason }: PermissionQuestion): string {
  return reason === '' ? '' : `Parley asks: ${reason}`;
}

function optionWords(option: PermissionChoice, question: PermissionQuestion): string {
  const { description, detail } = effectOf(option, question);
  const effect = description ?? detail;
  return effect === undefined ? option.name : `${option.name} (${effect})`;
}

function wrap(line: string): readonly string[] {
  return line.match(ROW_TEXT) ?? [''];
}
