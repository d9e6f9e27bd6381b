/** A command of an agent, ready to be started: nothing in it is looked up or expanded any more. */
export interface TerminalCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
  /** For people: quoted as a shell would need it, or the shell line itself. */
  readonly shown: string;
  /** Names only: values may be secrets. */
  readonly changedVariables: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly windowsVerbatimArguments?: boolean;
}

/** `terminal/create`, as far as it says what to start. */
export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly cwd: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform | 'posix';
  /** The person's shell: an absolute path or the name of its program. */
  readonly shell: string;
  /** The environment of our own process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
}

/** How a command of an agent becomes a process. Throws a `RequestError` in words for what cannot be run. */
export function resolveCommand(_request: CommandRequest, _machine: Machine): TerminalCommand {
  throw new Error('not yet');
}
