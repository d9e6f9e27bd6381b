import type { PermissionOption, ToolCallContent } from '../../protocol/acp.ts';
import { Complaint } from '../complaint.ts';
import type { Turn } from '../turn.ts';
import { Abandoned } from './tools/tool.ts';
import type { ShownCall } from './tools/tool.ts';

/** What the model is told, so that it does not look for another way. */
const REJECTED =
  'The user rejected this, and nothing was done. Do not try the same in another way: say what you wanted it for, or ask.';

/** What the model is told in mode "plan". */
const ONLY_PLAN =
  'The mode is "plan": nothing is changed or run before the user has approved your plan. Put it to them with approve_plan.';

/**
 * Asks the person, showing the call as it is.
 *
 * @param always What a lasting yes means, in words.
 * @returns True for a lasting yes.
 * @throws Complaint for a no; Abandoned when there is no answer.
 */
export async function askPermission(
  turn: Turn,
  call: ShownCall & { readonly content?: ToolCallContent[] },
  always: string,
): Promise<boolean> {
  if (turn.memory.choices.mode === 'plan') throw new Complaint(ONLY_PLAN);
  const options: readonly PermissionOption[] = [
    { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'allow_always', name: always, kind: 'allow_always' },
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ];
  const answer = await turn.client.requestPermission(
    { ...call, status: 'pending' },
    options,
    turn.signal,
  );
  if (answer.outcome === 'cancelled') throw new Abandoned('The question was taken back.');
  if (answer.option.kind === 'reject_once') throw new Complaint(REJECTED);
  return answer.option.kind === 'allow_always';
}
