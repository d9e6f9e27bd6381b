import { UserError } from '../../base/errors.ts';

const SAFE_WORD = /^[\w@%+=:,./-]+$/;

/** A command and its arguments as one line that a person can read and a POSIX shell would take apart again. For show. */
export function commandLine(command: string, args: readonly string[]): string {
  // Without quotes a shell would take one with `=` for a variable that is set, and the next word for the program.
  const program =
    command.includes('=') && SAFE_WORD.test(command) ? `'${command}'` : quote(command);
  return [program, ...args.map(quote)].join(' ');
}

function quote(word: string): string {
  if (SAFE_WORD.test(word)) return word;
  // Line ends and control characters would let a line look like another one: they are written out.
  if (hasControlCharacter(word)) return `$${quoteEscaped(word)}`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function hasControlCharacter(word: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word);
}

function quoteEscaped(word: string): string {
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => {
      const code = (char.codePointAt(0) ?? 0).toString(16);
      // Beyond four digits the shell would take the rest for text.
      return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
    });
  return `'${escaped}'`;
}

/** What stands for something else in the settings of an agent. */
export interface Variables {
  /** `null` with no folder open. */
  readonly workspaceFolder: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Replaces `${workspaceFolder}` and `${env:NAME}`.
 * @param where The setting, for the error: a `UserError` if a variable is unknown or has no value.
 */
export function expand(text: string, variables: Variables, where: string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (whole: string, name: string) => {
    const value = valueOf(name, variables);
    if (value !== undefined) return value;
    throw new UserError(`${where} uses ${whole}, ${whyUnknown(name)}.`, ['openSettings']);
  });
}

function valueOf(name: string, variables: Variables): string | undefined {
  if (name === 'workspaceFolder') return variables.workspaceFolder ?? undefined;
  if (name.startsWith('env:')) return variables.env[name.slice('env:'.length)];
  return undefined;
}

function whyUnknown(name: string): string {
  if (name === 'workspaceFolder') return 'but no folder is open';
  if (name.startsWith('env:')) return 'but there is no such environment variable';
  return 'which Parley does not know: it knows ${workspaceFolder} and ${env:NAME}';
}
