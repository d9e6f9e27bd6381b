import { code, count } from '../markdown.ts';
import type { Survey } from '../survey.ts';
import { survey } from '../survey.ts';
import type { Skill, ToolResult, Turn } from '../turn.ts';
import { textContent } from '../turn.ts';

const MAX_LARGEST = 5;

/** Counts what the folder holds, by language. */
export const overview: Skill = {
  name: 'overview',
  description: 'Count files and lines in this folder, by language',
  example: '/overview',

  async run(turn) {
    const found = await surveyAsTool(turn);
    await turn.say(describeSurvey(found));
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
export function describeSurvey({ files, others, languages }: Survey): string {
  if (files.length === 0) return 'This folder holds no text files that I can see.';
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const largest = [...files].sort((a, b) => b.lines - a.lines).slice(0, MAX_LARGEST);
  return [
    `This folder holds **${count(files.length, 'text file')}** with **${count(lines, 'line')}**` +
      `${others > 0 ? `, and ${count(others, 'file')} that I did not read (binary or big)` : ''}.`,
    '',
    '| Language | Files | Lines |',
    '| :--- | ---: | ---: |',
    ...languages.map(
      (one) => `| ${one.language} | ${one.files} | ${one.lines.toLocaleString('en-US')} |`,
    ),
    '',
    `The largest: ${largest.map(({ name, lines: size }) => `${code(name)} (${size})`).join(', ')}.`,
  ].join('\n');
}
