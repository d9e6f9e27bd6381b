import type { PermissionOption, StopReason, ToolCallContent } from '../protocol/acp.ts';
import { RequestError } from '@agentclientprotocol/sdk';
import { Complaint } from './complaint.ts';
import { code, shorten } from './markdown.ts';
import type { TerminalCommand } from './server/api.ts';
import { beforeChange } from './skills/approvePlan.ts';
import type { Turn } from './turn.ts';
import { textContent } from './turn.ts';

/** A command that the person has not agreed to yet. */
export interface Command {
  /** What it is, in a few words or as a person would type it. */
  readonly title: string;
  readonly request: TerminalCommand;
  /** Part of the agent itself, which does nothing but print: whether it may run is for the client alone to ask. */
  readonly isOwn?: boolean;
  /** What its output says, in words; undefined where it says nothing that is understood. The last line, if left out. */
  readonly read?: (output: string, exitCode: number | null, isCut: boolean) => string | undefined;
}

const OPTIONS: readonly PermissionOption[] = [
  { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
];

/** Bytes of output that the client keeps for us: the end is what tells how it went. */
const OUTPUT_BYTES = 64 * 1024;
/** Characters of the last line that are told. */
const TOLD_CHARACTERS = 200;

/**
 * Asks for permission unless it is the agent's own program, has the client run a command in a terminal that the tool
 * call shows, and says how it went. The agent runs nothing by itself: a client without terminals is told so.
 */
export async function runCommand(turn: Turn, command: Command): Promise<StopReason> {
  if (turn.client.capabilities.terminal !== true) {
    await turn.say(
      `This client does not offer terminals now, and I run nothing by myself, so ${code(command.title)} was not run.`,
    );
    return 'end_turn';
  }
  const stop = await beforeChange(turn, [textContent(`Run ${code(command.title)}.`)]);
  if (stop) return stop;
  const toolCallId = turn.nextCallId();
  const call = {
    toolCallId,
    title: shorten(command.title, 200),
    kind: 'execute' as const,
    // Exactly what is asked of the client afterwards, so that it need not ask again.
    rawInput: { cwd: turn.workspace.folder, ...command.request },
  };
  await turn.client.toolCall({ ...call, status: 'pending' });
  if (command.isOwn !== true) {
    const answer = await turn.client.requestPermission(
      { ...call, status: 'pending' },
      OPTIONS,
      turn.signal,
    );
    if (answer.outcome === 'cancelled') return 'cancelled';
    if (answer.option.kind === 'reject_once') {
      await turn.client.toolCallUpdate({ toolCallId, status: 'failed' });
      await turn.say(`You rejected the command, so ${code(command.title)} was not run.`);
      return 'end_turn';
    }
  }
  await turn.say(await reported(turn, command, toolCallId));
  return 'end_turn';
}

/** @throws Complaint for what the client refuses, which the tool call shows too. */
async function reported(turn: Turn, command: Command, toolCallId: string): Promise<string> {
  try {
    return await carryOut(turn, command, toolCallId);
  } catch (error) {
    if (!(error instanceof RequestError) || turn.signal.aborted) throw error;
    const content = [textContent(error.message)];
    await turn.client.toolCallUpdate({ toolCallId, status: 'failed', content });
    throw new Complaint(`${code(command.title)} could not be run: ${error.message}`);
  }
}

/** @returns What to say about it. */
async function carryOut(turn: Turn, command: Command, toolCallId: string): Promise<string> {
  const terminal = await turn.client.createTerminal(
    { outputByteLimit: OUTPUT_BYTES, cwd: turn.workspace.folder, ...command.request },
    turn.signal,
  );
  try {
    const content: ToolCallContent[] = [{ type: 'terminal', terminalId: terminal.id }];
    await turn.client.toolCallUpdate({ toolCallId, status: 'in_progress', content });
    const { exitCode, signal } = await terminal.waitForExit(turn.signal);
    const { output, truncated } = await terminal.output(turn.signal);
    const status = exitCode === 0 ? 'completed' : 'failed';
    await turn.client.toolCallUpdate({ toolCallId, status, rawOutput: { exitCode, signal } });
    const how =
      typeof exitCode === 'number' ? `exit code ${exitCode}` : `the signal ${signal ?? 'unknown'}`;
    const text = withoutCodes(output);
    const said = command.read?.(text, exitCode ?? null, truncated) ?? lastLine(text);
    return `${code(command.title)} ended with ${how}. ${said}`;
  } finally {
    await terminal.release();
  }
}

/** Without colours and what else only a terminal understands: the terminal shows the rest. */
function withoutCodes(output: string): string {
  return output.replaceAll(
    /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g,
    '',
  );
}

function lastLine(output: string): string {
  const line = output.split(/[\r\n]+/).findLast((each) => each.trim() !== '');
  return line === undefined
    ? 'It printed nothing.'
    : `Its last line: ${code(shorten(line.trim(), TOLD_CHARACTERS))}`;
}
