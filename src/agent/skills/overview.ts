import { readAsTool } from '../files.ts';
import { code, count, quoted } from '../markdown.ts';
import { outline } from '../outline.ts';
import type { Survey } from '../survey.ts';
import { languageTable, survey } from '../survey.ts';
import type { Skill, ToolResult, Turn } from '../turn.ts';
import { textContent } from '../turn.ts';

const MAX_LARGEST = 5;

/** Where a folder says what it is. */
const DESCRIPTIONS = [
  'README.md',
  'readme.md',
  'README',
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
];

/** Counts what the folder holds, by language. */
export const overview: Skill = {
  name: 'overview',
  description: 'Count files and lines in this folder, by language',
  example: '/overview',

  async run(turn) {
    const found = await surveyAsTool(turn);
    const about = await readDescription(turn);
    await turn.say(`${describeSurvey(found)}\n\nAbout it: ${about}`);
    return 'end_turn';
  },
};

export function surveyAsTool(turn: Turn): Promise<Survey> {
  const { folder } = turn.workspace;
  const start = { title: 'Count the files', kind: 'search' as const, rawInput: { folder } };
  return turn.tool(start, async (): Promise<ToolResult<Survey>> => {
    const value = await survey(turn.workspace, turn.signal);
    return { value, content: [textContent(`${count(value.files.length, 'text file')} counted`)] };
  });
}

/** The survey as a table, and the largest files. */
export function describeSurvey(found: Survey): string {
  const { files, others } = found;
  if (files.length === 0) return 'This folder holds no text files that I can see.';
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const largest = [...files].sort((a, b) => b.lines - a.lines).slice(0, MAX_LARGEST);
  return [
    `This folder holds **${count(files.length, 'text file')}** with **${count(lines, 'line')}**` +
      `${others > 0 ? `, and ${count(others, 'file')} that I did not read (binary or big)` : ''}.`,
    '',
    languageTable(found),
    '',
    `The largest: ${largest.map(({ name, lines: size }) => `${code(name)} (${size})`).join(', ')}.`,
  ].join('\n');
}

/** What the folder says about itself, in a sentence. */
export async function readDescription(turn: Turn): Promise<string> {
  for (const name of DESCRIPTIONS) {
    const target = await turn.workspace.locate(name);
    if ((await turn.workspace.kindOf(target)) !== 'file') continue;
    const file = await readAsTool(turn, name);
    const { about, lines } = outline(file.name, file.text);
    return `${code(file.name)}, ${count(lines, 'line')}${about === '' ? '.' : `: “${quoted(about)}”`}`;
  }
  return 'the folder does not describe itself: it has no README and no manifest that I know.';
}
