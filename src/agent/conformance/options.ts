import type { Format } from './report.ts';

export interface ConformanceOptions {
  readonly format: Format;
  readonly prompt?: string | undefined;
  readonly cwd?: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly progress: boolean;
  readonly command: string;
  readonly args: readonly string[];
}

const SECONDS = 10;
const MAX_SECONDS = 3_600;

/** What `conformance --help` prints. */
export const CONFORMANCE_USAGE = `Usage
  node agent.js conformance [options] -- COMMAND ARGUMENTS

Starts an ACP agent in a scratch folder, walks through the protocol with it, and tells what holds and what does
not, with the rule of the specification and the frames. The folder is removed, and what was started is ended.

Options
  --format text|json|markdown   how to print the report (text)
  --prompt TEXT                 check turns, too: TEXT is sent up to seven times, which may cost money, and what
                                the agent asks permission for is allowed in the first and the last of them
  --cwd FOLDER                  start the agent here; its sessions are in the scratch folder all the same
  --timeout SECONDS             for an answer (10); a start may take three times as long, a turn six times
  --progress                    tell on stderr which rule is being checked

Exit code 0 if there is no deviation, 1 if there is one, 2 if the agent cannot be started or this line is wrong.
`;

/** @returns What is wrong with the command line, as a sentence, if anything is. */
export function parseOptions(args: readonly string[]): ConformanceOptions | string {
  const separator = args.indexOf('--');
  const [command, ...rest] = separator === -1 ? [] : args.slice(separator + 1);
  const values = new Map<string, string>();
  const words = args.slice(0, separator === -1 ? undefined : separator);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--progress') values.set(word, '');
    else if (['--format', '--prompt', '--cwd', '--timeout'].includes(word)) {
      const value = words[(index += 1)];
      if (value === undefined) return `The option ${word} needs a value.`;
      values.set(word, value);
    } else return `I do not know "${word}" here. The agent's command stands behind "--".`;
  }
  const format = values.get('--format') ?? 'text';
  if (format !== 'text' && format !== 'json' && format !== 'markdown') {
    return 'The format is text, json or markdown.';
  }
  const seconds = Number(values.get('--timeout') ?? SECONDS);
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    return `The timeout is a number of seconds up to ${MAX_SECONDS}.`;
  if (command === undefined) return 'Name the agent\'s command behind "--".';
  return {
    format,
    prompt: values.get('--prompt'),
    cwd: values.get('--cwd'),
    timeout: seconds * 1_000,
    progress: values.has('--progress'),
    command,
    args: rest,
  };
}
