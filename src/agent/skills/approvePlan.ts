import type { PermissionOption, StopReason, ToolCallContent } from '../../protocol/acp.ts';
import { switchMode } from '../options.ts';
import type { Turn } from '../turn.ts';
import { textContent } from '../turn.ts';

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'ask', name: 'Approve, and ask before each change', kind: 'allow_once' },
  { optionId: 'auto', name: 'Approve, and allow all edits', kind: 'allow_always' },
  { optionId: 'plan', name: 'Reject: make a new plan', kind: 'reject_once' },
];

/** What a rejected plan says of itself. */
export const NEEDS_NEW_PLAN = 'You rejected this plan: it needs a new plan.';

/** A plan as a call that the client shows. */
export interface ShownPlan {
  readonly toolCallId: string;
  readonly title: string;
  readonly kind: 'switch_mode';
  /** Words, diffs. */
  readonly content: ToolCallContent[];
}

export const PLAN_TITLE = 'Carry out the plan';

/**
 * Puts a plan to the person, who alone can approve it: that leaves the mode "plan". Nobody else answers for them, and
 * nothing is an approval but one of the options.
 */
export async function askApproval(
  turn: Turn,
  plan: ShownPlan,
): Promise<'approved' | 'rejected' | 'cancelled'> {
  const asked = { ...plan, status: 'pending' as const };
  const answer = await turn.client.requestPermission(asked, OPTIONS, turn.signal);
  if (answer.outcome === 'cancelled') return 'cancelled';
  const { optionId } = answer.option;
  if (optionId !== 'ask' && optionId !== 'auto') return 'rejected';
  await switchMode(turn.memory.choices, optionId, turn.client);
  return 'approved';
}

/**
 * In mode "plan" a change is a proposal until the person has approved it.
 *
 * @param content What is going to be done.
 * @returns Undefined when it may be done, else how the turn ends.
 */
export async function beforeChange(
  turn: Turn,
  content: readonly ToolCallContent[],
): Promise<StopReason | undefined> {
  if (turn.memory.choices.mode !== 'plan') return undefined;
  const toolCallId = turn.nextCallId();
  const plan = {
    toolCallId,
    title: PLAN_TITLE,
    kind: 'switch_mode' as const,
    content: [...content],
  };
  await turn.client.toolCall({ ...plan, status: 'pending' });
  const answer = await askApproval(turn, plan);
  if (answer === 'cancelled') return 'cancelled';
  if (answer === 'approved') {
    await turn.client.toolCallUpdate({ toolCallId, status: 'completed' });
    return undefined;
  }
  await turn.client.toolCallUpdate({
    toolCallId,
    status: 'failed',
    content: [...content, textContent(NEEDS_NEW_PLAN)],
    rawOutput: { reason: 'rejected' },
  });
  await turn.say(`${NEEDS_NEW_PLAN} Nothing was changed. Tell me what should be different.`);
  return 'end_turn';
}
