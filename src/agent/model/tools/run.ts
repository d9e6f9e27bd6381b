import { RequestError } from '@agentclientprotocol/sdk';
import type { ToolCallContent } from '../../../protocol/acp.ts';
import { Complaint } from '../../complaint.ts';
import { shorten } from '../../markdown.ts';
import type { ClientTerminal } from '../../server/api.ts';
import type { Turn } from '../../turn.ts';
import { askPermission } from '../permission.ts';
import type { Outcome, Tool } from './tool.ts';
import { TEXT } from './tool.ts';

const MAX_LINE = 8_000;
/** Bytes of output that the client keeps; the end tells how it went. */
const OUTPUT_BYTES = 32 * 1024;
/** Seconds. */
const TIME = { usual: 120, most: 1_800 };

export const run: Tool = {
  name: 'run',
  description:
    'Run a command line in the shell, in the folder. It gets no input; one that does not end is ended after the seconds that you give. The user is asked.',
  parameters: {
    command: { schema: TEXT },
    seconds: { schema: { type: 'integer', description: '120 if left out.' }, optional: true },
  },
  isOffered: ({ terminal }) => terminal === true,

  prepare(turn, given) {
    const line = given.text('command').trim();
    if (line === '' || line.length > MAX_LINE) {
      throw new Complaint(`The command must have 1 to ${MAX_LINE} characters.`);
    }
    const seconds = Math.min(given.count('seconds') ?? TIME.usual, TIME.most);
    const cwd = turn.workspace.folder;
    return Promise.resolve({
      // Exactly what is asked of the client afterwards, so that it need not ask again.
      start: {
        title: shorten(line, 200),
        kind: 'execute' as const,
        rawInput: { cwd, command: line },
      },
      run: async (call): Promise<Outcome> => {
        const { commandsAllowed } = turn.memory;
        // In mode "plan" nothing is allowed, whatever was before.
        if (turn.memory.choices.mode === 'plan' || !commandsAllowed.has(line)) {
          const always = await askPermission(turn, call, 'Always allow this command in this chat');
          if (always) commandsAllowed.add(line);
        }
        try {
          return await carryOut(turn, call.toolCallId, line, seconds);
        } catch (error) {
          if (!(error instanceof RequestError) || turn.signal.aborted) throw error;
          throw new Complaint(`The command could not be run: ${error.message}`);
        }
      },
    });
  },
};

async function carryOut(
  turn: Turn,
  toolCallId: string,
  command: string,
  seconds: number,
): Promise<Outcome> {
  const { client, signal } = turn;
  const request = { command, cwd: turn.workspace.folder, outputByteLimit: OUTPUT_BYTES };
  const terminal = await client.createTerminal(request, signal);
  try {
    const content: ToolCallContent[] = [{ type: 'terminal', terminalId: terminal.id }];
    await client.toolCallUpdate({ toolCallId, status: 'in_progress', content });
    const how = await endOf(terminal, seconds, signal);
    const { output, truncated } = await terminal.output(signal);
    const begin = truncated ? '[the beginning is left out]\n' : '';
    return {
      told: `${how.told}\n${begin}${withoutControls(output)}`,
      rawOutput: how.raw,
      ...(how.raw.exitCode === 0 ? {} : { failed: true as const }),
    };
  } finally {
    await terminal.release();
  }
}

async function endOf(terminal: ClientTerminal, seconds: number, signal: AbortSignal) {
  const time = new AbortController();
  const timer = setTimeout(() => {
    time.abort();
  }, seconds * 1000);
  try {
    const raw = await terminal.waitForExit(AbortSignal.any([signal, time.signal]));
    const told =
      typeof raw.exitCode === 'number'
        ? `Exit code ${raw.exitCode}.`
        : `Ended by the signal ${raw.signal ?? 'unknown'}.`;
    return { told, raw };
  } catch (error) {
    if (!time.signal.aborted || signal.aborted) throw error;
    await terminal.kill();
    const told = `It did not end within ${seconds} s, so it was ended.`;
    return { told, raw: { exitCode: null, signal: null } };
  } finally {
    clearTimeout(timer);
  }
}

/** Without colours and what else only a terminal understands; of a line that wrote over itself, the last state. */
function withoutControls(output: string): string {
  return output
    .replaceAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g, '')
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll(/[^\n]*\r/g, '');
}
