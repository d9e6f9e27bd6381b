import type { PlanEntry, PlanEntryStatus } from '../../protocol/acp.ts';
import { readAsTool } from '../files.ts';
import { code, count } from '../markdown.ts';
import { todosIn } from '../matches.ts';
import { outline } from '../outline.ts';
import { scan } from '../scan.ts';
import { isSource } from '../survey.ts';
import type { Skill, Turn } from '../turn.ts';
import { describeSurvey, readDescription, surveyAsTool } from './overview.ts';

const STEPS: readonly Pick<PlanEntry, 'content' | 'priority'>[] = [
  { content: 'Count what is in the folder', priority: 'high' },
  { content: 'Read what it says about itself', priority: 'high' },
  { content: 'Outline the largest source file', priority: 'medium' },
  { content: 'Collect the to-dos', priority: 'medium' },
  { content: 'Sum up', priority: 'low' },
];

/** Makes a plan to get to know the folder and works it off, step by step. */
export const plan: Skill = {
  name: 'plan',
  description: 'Make a plan to get to know this folder, and work it off',
  example: '/plan',

  async run(turn) {
    await showProgress(turn, 0);
    await turn.say('I have made a plan to get to know this folder. I work it off now.');
    const found = await surveyAsTool(turn);
    await advance(turn, 1);
    const about = await readDescription(turn);
    await advance(turn, 2);
    const largest = [...found.files]
      .filter(({ language }) => isSource(language))
      .sort((a, b) => b.lines - a.lines)[0];
    const core = largest
      ? await outlineOf(turn, largest.path)
      : 'There is no source file to outline.';
    await advance(turn, 3);
    const open = await scan(turn, 'Look for to-dos', todosIn);
    await advance(turn, 4);
    await turn.say(
      [
        '### What I found',
        '',
        describeSurvey(found),
        '',
        `- **About**: ${about}`,
        `- **Largest source file**: ${core}`,
        `- **To do**: ${open.hits.length === 0 ? 'no marks' : `${count(open.hits.length, 'mark')}; \`list todos\` shows them`}.`,
      ].join('\n'),
    );
    await advance(turn, STEPS.length);
    return 'end_turn';
  },
};

async function advance(turn: Turn, done: number): Promise<void> {
  await turn.beat();
  await showProgress(turn, done);
}

/** Sends the whole plan, with so many of its steps done and the next one in progress. */
async function showProgress(turn: Turn, done: number): Promise<void> {
  await turn.plan(STEPS.map((step, at) => ({ ...step, status: statusOf(at, done) })));
}

function statusOf(at: number, done: number): PlanEntryStatus {
  if (at < done) return 'completed';
  return at === done ? 'in_progress' : 'pending';
}

async function outlineOf(turn: Turn, target: string): Promise<string> {
  const file = await readAsTool(turn, target);
  const { declarations, imports, lines } = outline(file.name, file.text);
  return `${code(file.name)}: ${count(lines, 'line')}, ${count(declarations.length, 'part')}, ${count(imports.length, 'import')}.`;
}
