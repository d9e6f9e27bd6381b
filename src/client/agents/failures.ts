import type { AuthMethod } from '../../protocol/acp.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import type { AgentFailure } from '../../thread/status.ts';
import type { Failure } from '../../thread/thread.ts';
import type { ProcessExit } from './agentProcess.ts';
import { commandLine } from './commandLine.ts';

/** Characters of an agent's own error text that a card shows. */
const DETAIL_LIMIT = 4_000;

/** The agent cannot be reached: it did not start, or it went away. */
export class AgentGone extends Error {
  override readonly name = 'AgentGone';

  constructor(readonly failure: AgentFailure) {
    super(failure.message);
  }
}

/** An exit in words: `exit code 3`, `signal SIGKILL`; `null` while it is not known. */
export function exitInWords(exit: ProcessExit | null): string | null {
  if (exit === null) return null;
  if (exit.signal !== null) return `signal ${exit.signal}`;
  return exit.code === null ? null : `exit code ${exit.code}`;
}

/** The failure of an agent, with what the process left behind. */
export function agentFailure(
  message: string,
  details = '',
  exit: string | null = null,
  stderr = '',
): AgentFailure {
  return { message, details: cut(details), exit, stderr: stderr.slice(-DETAIL_LIMIT) };
}

/** What went wrong with a request, for the chat. `how` is what helps to sign in to this agent. */
export function requestFailure(error: unknown, agentName: string, how: SignIn): Failure {
  if (error instanceof AgentGone) return goneFailure(error.failure);
  if (error instanceof UserError) return { message: error.message, details: '' };
  if (error instanceof RequestError) return errorInWords(error, agentName, how);
  return { message: `Something went wrong in Parley: ${messageOf(error)}`, details: '' };
}

/** What an agent said about signing in to it. */
export interface SignIn {
  readonly command: string;
  readonly args: readonly string[];
  readonly methods: readonly AuthMethod[];
}

function goneFailure(failure: AgentFailure): Failure {
  const parts = [
    failure.details,
    failure.exit === null ? '' : `It ended with ${failure.exit}.`,
    failure.stderr === '' ? '' : `Last lines of its stderr:\n${failure.stderr}`,
  ];
  return {
    message: failure.message,
    details: parts.filter((part) => part !== '').join('\n\n'),
  };
}

function errorInWords(error: RequestError, agentName: string, how: SignIn): Failure {
  const own = ownWords(error);
  if (error.code === ErrorCode.authRequired) {
    return {
      message: `${agentName} wants you to sign in first. Parley cannot do that for you yet: sign in with the agent's own command in a terminal, then restart the agent.`,
      details: cut([signInHelp(how), own].filter((part) => part !== '').join('\n\n')),
    };
  }
  const meaning = MEANINGS.get(error.code);
  return {
    message:
      meaning === undefined
        ? `${agentName} answered with an error: ${firstLine(error.message)}`
        : `${agentName} ${meaning}`,
    details: own,
  };
}

const MEANINGS: ReadonlyMap<number, string> = new Map<number, string>([
  [ErrorCode.parse, 'could not read what Parley sent it.'],
  [ErrorCode.invalidRequest, 'did not accept the request.'],
  [ErrorCode.methodNotFound, 'does not know this kind of request.'],
  [ErrorCode.invalidParams, 'did not accept what the request contained.'],
  [ErrorCode.internal, 'had an internal error.'],
  [ErrorCode.notFound, 'did not find what the request names. It may have lost this session.'],
  [ErrorCode.cancelled, 'cancelled the request.'],
]);

/** The agent's own text and data: some put the reason only there. */
function ownWords(error: RequestError): string {
  const data =
    error.data === undefined || error.data === null
      ? ''
      : typeof error.data === 'string'
        ? error.data
        : JSON.stringify(error.data, null, 2);
  const text = `${error.message} (code ${error.code})`;
  return cut(data === '' ? text : `${text}\n${data}`);
}

function signInHelp(how: SignIn): string {
  const lines = how.methods.map((method) => {
    const terminal =
      'type' in method
        ? `: ${commandLine(how.command, [...how.args, ...(method.args ?? [])])}`
        : '';
    const description = method.description ?? '';
    return `- ${method.name}${terminal}${description === '' ? '' : ` (${description})`}`;
  });
  const start = `The agent is started with: ${commandLine(how.command, how.args)}`;
  return lines.length === 0
    ? start
    : `${start}\nIt names these ways to sign in:\n${lines.join('\n')}`;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function cut(text: string): string {
  return text.length > DETAIL_LIMIT ? `${text.slice(0, DETAIL_LIMIT - 1)}…` : text;
}
