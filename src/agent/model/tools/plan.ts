import type { PlanEntry, PlanEntryStatus } from '../../../protocol/acp.ts';
import { Complaint } from '../../complaint.ts';
import { count, plain } from '../../markdown.ts';
import { fieldsOf } from '../delta.ts';
import type { Tool } from './tool.ts';
import { TEXT } from './tool.ts';

const MAX_STEPS = 50;
const STATES = ['pending', 'in_progress', 'completed'] as const;

export const plan: Tool = {
  name: 'plan',
  description:
    'Show the user your plan for a task of several steps. Send all steps each time one changes.',
  parameters: {
    steps: {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: { step: TEXT, status: { enum: STATES } },
          required: ['step', 'status'],
        },
      },
    },
  },
  isOffered: () => true,

  prepare(turn, given) {
    const entries = given.list('steps').slice(0, MAX_STEPS).map(readStep);
    const done = entries.filter(({ status }) => status === 'completed').length;
    return Promise.resolve({
      start: {
        title: `Plan: ${done} of ${count(entries.length, 'step')} done`,
        kind: 'think' as const,
        rawInput: { steps: entries.length },
      },
      run: async () => {
        await turn.plan(entries);
        return { told: 'The user sees the plan.' };
      },
    });
  },
};

function readStep(value: unknown): PlanEntry {
  const { step, status } = fieldsOf(value);
  if (typeof step !== 'string') throw new Complaint('Each of the steps needs a text "step".');
  return { content: plain(step, 300), status: stateOf(status), priority: 'medium' };
}

function stateOf(status: unknown): PlanEntryStatus {
  return STATES.find((state) => state === status) ?? 'pending';
}
