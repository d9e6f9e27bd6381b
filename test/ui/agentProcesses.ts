/** Processes of agents, told apart by a word in their command line. */
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';

/** @returns Their ids, in ascending order. @param marker In an argument of theirs and of nobody else. */
export function processesWith(marker: string): readonly number[] {
  return commandLines()
    .filter(({ line, pid }) => line.includes(marker) && pid !== process.pid)
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

function commandLines(): readonly { readonly pid: number; readonly line: string }[] {
  if (!fs.existsSync('/proc/self/cmdline')) {
    return execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => ({ pid: Number.parseInt(line, 10), line }));
  }
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), line: commandLineOf(name) }));
}

/** `''` if it has just ended. */
function commandLineOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
