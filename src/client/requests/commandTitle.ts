/** The first line of a command line, as the title of a call. */
export function titleFor(shown: string): string {
  const [line = ''] = shown.split('\n', 1);
  return line.length === shown.length && line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}
