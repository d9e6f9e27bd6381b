import type { PermissionQuestion } from '../../client/ports.ts';
import { escapeLine, escapeLines, splitLines } from './plainText.ts';

/** As many characters as fit into one row of a quick pick in VS Code's own font. */
const ROW_TEXT = /.{1,84}/gsu;
/** Rows of the subject that stand in the pick itself; more are one key away. */
const ROWS = 8;

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
    question.options.map((option) => option.name).join(' | '),
    ...(question.reason === '' ? [] : [whyAsked(question)]),
  ];
  return [...facts.map(escapeLine), '', escapeLines(question.subject), ''].join('\n');
}

/** Whose question it is, and why; `''` where the agent asks. */
export function whyAsked({ reason }: PermissionQuestion): string {
  return reason === '' ? '' : `Parley asks: ${reason}`;
}

function wrap(line: string): readonly string[] {
  return line.match(ROW_TEXT) ?? [''];
}
