import { Complaint } from '../../complaint.ts';
import { shorten } from '../../markdown.ts';
import { askApproval, NEEDS_NEW_PLAN, PLAN_TITLE } from '../../skills/approvePlan.ts';
import { textContent } from '../../turn.ts';
import type { Outcome, Tool } from './tool.ts';
import { Abandoned, TEXT } from './tool.ts';

const MAX_PLAN = 20_000;

/** In mode "plan" this is the way out, and it goes through the person. */
export const approvePlan: Tool = {
  name: 'approve_plan',
  description:
    'Put your plan to the user: all of it, in Markdown. Only when they have approved it may you change files and run commands. If they reject it, it needs a new plan.',
  parameters: { plan: { schema: TEXT } },
  isOffered: () => true,

  prepare(turn, given) {
    const text = shorten(given.text('plan').trim(), MAX_PLAN);
    if (text === '') throw new Complaint('The plan is empty.');
    const kind = 'switch_mode' as const;
    const content = [textContent(text)];
    return Promise.resolve({
      start: { title: PLAN_TITLE, kind },
      run: async ({ toolCallId }): Promise<Outcome> => {
        const answer = await askApproval(turn, { toolCallId, title: PLAN_TITLE, kind, content });
        if (answer === 'cancelled') throw new Abandoned('The question was taken back.');
        if (answer === 'approved') {
          return { told: 'The user approved the plan. Carry it out now.', content };
        }
        return {
          told: 'The user rejected the plan: it needs a new plan. Ask what should be different, or make another one.',
          content: [...content, textContent(NEEDS_NEW_PLAN)],
          failed: true,
        };
      },
    });
  },
};
