/**
 * How `cmd.exe` is told to run a command with these arguments, each as it is: it finds programs without their ending,
 * and scripts, which Windows starts in no other way.
 */
export function windowsCommand(command: string, args: readonly string[]): string {
  return `"${[command, ...args].map(quoted).join(' ')}"`;
}

/** Quoted as programs take it apart again, and what means something to `cmd.exe` itself with `^` before it. */
function quoted(word: string): string {
  const inQuotes = word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1');
  return `"${inQuotes}"`.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
