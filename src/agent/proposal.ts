import type { PermissionOption, StopReason, ToolCallContent } from '../protocol/acp.ts';
import { Complaint } from './complaint.ts';
import { demandUnchanged, writeText } from './files.ts';
import { code, codeBlock } from './markdown.ts';
import { beforeChange } from './skills/approvePlan.ts';
import type { Turn } from './turn.ts';
import { textContent } from './turn.ts';

/** A change to one file that the person has not agreed to yet. */
export interface Proposal {
  readonly path: string;
  /** In words, for the tool call: "Edit src/a.ts". */
  readonly title: string;
  /** The file as it is; null where there is none yet. */
  readonly before: string | null;
  readonly after: string;
  /** The lines that change, 1-based: where to look. */
  readonly line: number;
  /** The change in one sentence. */
  readonly summary: string;
}

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow_always', name: 'Always allow in this chat', kind: 'allow_always' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
];

/** What became of a proposal; a complaint says why it could not be written. */
export type Outcome = 'written' | 'rejected' | 'cancelled' | Complaint;

/**
 * Shows a change as a diff, asks for permission unless every edit is allowed in this chat, writes the file through
 * the client and says how it went. Nothing is written without a yes, nor over a file that changed meanwhile.
 */
export async function propose(turn: Turn, proposal: Proposal): Promise<StopReason> {
  const name = turn.workspace.name(proposal.path);
  if (!canWrite(turn)) {
    await turn.say(
      `This client does not offer to write files, and I never write by myself, so ${code(name)} ` +
        `stays as it is. ${proposal.summary} This is how it would look from line ${proposal.line}:\n\n` +
        codeBlock(excerpt(proposal)),
    );
    return 'end_turn';
  }
  const stop = await beforeChange(turn, shownIn([proposal]));
  if (stop) return stop;
  const outcome = await settle(turn, proposal);
  if (outcome === 'cancelled') return 'cancelled';
  if (outcome instanceof Complaint) throw outcome;
  await turn.say(
    outcome === 'rejected'
      ? `You rejected the change, so ${code(name)} stays as it is.`
      : `Done: ${code(name)} is written. ${proposal.summary}`,
  );
  return 'end_turn';
}

/** Proposals as a plan shows them. */
export function shownIn(proposals: readonly Proposal[]): readonly ToolCallContent[] {
  return proposals.flatMap(({ title, summary, path, before, after }): ToolCallContent[] => [
    textContent(`${title}. ${summary}`),
    { type: 'diff', path, oldText: before, newText: after },
  ]);
}

export function canWrite({ client }: Turn): boolean {
  return client.capabilities.fs?.writeTextFile === true;
}

/** Shows, asks and writes as `propose` does, without a word. Only for a client that offers to write. */
export async function settle(turn: Turn, proposal: Proposal): Promise<Outcome> {
  const call = describe(turn, proposal);
  await turn.client.toolCall({ ...call, status: 'pending' });
  const { toolCallId } = call;
  const answer = await decide(turn, call);
  if (answer === 'cancelled') return 'cancelled';
  if (answer === 'rejected') {
    await turn.client.toolCallUpdate({ toolCallId, status: 'failed' });
    return 'rejected';
  }
  await turn.client.toolCallUpdate({ toolCallId, status: 'in_progress' });
  try {
    await write(turn, proposal);
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    const content = [...call.content, textContent(error.message)];
    await turn.client.toolCallUpdate({ toolCallId, status: 'failed', content });
    return error;
  }
  await turn.client.toolCallUpdate({ toolCallId, status: 'completed' });
  return 'written';
}

function describe(turn: Turn, proposal: Proposal) {
  const { path, title, before, after, line } = proposal;
  const content: ToolCallContent[] = [{ type: 'diff', path, oldText: before, newText: after }];
  return {
    toolCallId: turn.nextCallId(),
    title,
    kind: 'edit' as const,
    locations: [{ path, line }],
    rawInput: { path },
    content,
  };
}

async function decide(
  turn: Turn,
  call: ReturnType<typeof describe>,
): Promise<'allowed' | 'rejected' | 'cancelled'> {
  if (turn.memory.editsAllowed) return 'allowed';
  const answer = await turn.client.requestPermission(
    { ...call, status: 'pending' },
    OPTIONS,
    turn.signal,
  );
  if (answer.outcome === 'cancelled') return 'cancelled';
  if (answer.option.kind === 'allow_always') turn.memory.editsAllowed = true;
  return answer.option.kind === 'reject_once' ? 'rejected' : 'allowed';
}

async function write(turn: Turn, proposal: Proposal): Promise<void> {
  const { before, path, after } = proposal;
  await demandUnchanged(turn, path, before);
  await writeText(turn, path, after);
}

function excerpt({ after, line }: Proposal): string {
  const lines = after.split(/\r?\n/);
  return lines.slice(Math.max(0, line - 3), line + 3).join('\n');
}
