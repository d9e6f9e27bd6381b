type Below = (limit: number) => number;

/** Pieces of output, whole sequences or not, as a program in bad faith would print them. */
export function randomOutput(below: Below, pieces: number): string {
  return Array.from({ length: below(pieces) }, () => randomPiece(below)).join('');
}

function randomPiece(below: Below): string {
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? '';
  switch (below(12)) {
    case 0:
      return pick(['\n', '\n\n', '\r\n', '\r', '\b', '\t', '\u000b', '\u0085']);
    case 1:
      return `\u001b[${below(6)}${pick(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'd', 'X'])}`;
    case 2:
      return `\u001b[${below(30)};${below(12)}H`;
    case 3:
      return `\u001b[${below(4)}${pick(['J', 'K'])}`;
    case 4:
      return `\u001b[${pick(['0', '1', '31', '7', '48;5;9', '38;2;1;2;3', '4:3', '22', '39'])}m`;
    case 5:
      return pick([
        '\u001b7',
        '\u001b8',
        '\u001b[s',
        '\u001b[u',
        '\u001bM',
        '\u001bD',
        '\u001bE',
        '\u001bc',
      ]);
    case 6:
      return pick([
        '\u001b]0;title\u0007',
        '\u001b]8;;x:y\u001b\\',
        '\u001bPq\u001b\\',
        '\u001b(B',
        '\u001b[?25l',
      ]);
    case 7:
      return pick([
        '\u001b',
        '\u001b[',
        '\u001b[3',
        '\u001b]',
        '\u001b]0;t\u001b',
        '\ud83d',
        '\u001b(',
        '\u009b',
        '\u009d0;t',
        '\u0090q',
        '\u009c',
      ]);
    case 8:
      return pick([
        '漢',
        '字é',
        'e\u0301',
        '\u{1f600}',
        '\u{1f469}\u200d\u{1f4bb}',
        '\u202e',
        '│█⠋',
      ]);
    case 9:
      // At the edge of a row, and beyond.
      return below(6) === 0 ? 'w'.repeat(990 + below(30)) : 'x';
    default:
      return 'abcdefghij klmnop'.slice(below(8), 8 + below(9));
  }
}
