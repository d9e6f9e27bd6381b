import path from 'node:path';
import { runCommand } from '../command.ts';
import { Complaint } from '../complaint.ts';
import { code } from '../markdown.ts';
import type { Skill, Turn } from '../turn.ts';

/** What tells how a folder is tested: the file, a pattern that its text must have, and the command. */
const TESTERS: readonly (readonly [file: string, pattern: RegExp, command: string])[] = [
  ['package.json', /"test"\s*:/, 'npm test'],
  ['Cargo.toml', /\[package\]|\[workspace\]/, 'cargo test'],
  ['go.mod', /^module /m, 'go test ./...'],
  ['pyproject.toml', /pytest|\[project\]/, 'python -m pytest'],
  ['pytest.ini', /./, 'python -m pytest'],
  ['Makefile', /^test:/m, 'make test'],
];

/** Runs what the person names in a terminal of the client; for "the tests", the folder's own test command. */
export const run: Skill = {
  name: 'run',
  description: 'Ask for permission and run a command in a terminal of the editor',
  hint: 'a command line, or "tests" for the test command of this folder',
  example: '/run npm test',

  async run(turn, argument) {
    if (argument === '')
      throw new Complaint(`Which command? For example ${code('/run npm test')}.`);
    const line = meansTests(argument) ? await testCommand(turn) : argument;
    // One text with blanks and no arguments: the client gives it to the person's own shell, as if it was typed there.
    return runCommand(turn, { title: line, request: { command: line } });
  },
};

/** "the tests", "all unit tests", "our test suite". */
export function meansTests(words: string): boolean {
  return /^(?:the |my |our |your |all |these )*(?:unit )?tests?(?: suite)?$/i.test(words);
}

async function testCommand({ workspace }: Turn): Promise<string> {
  for (const [file, pattern, command] of TESTERS) {
    const text = await workspace.textOf(path.join(workspace.folder, file));
    if (text !== undefined && pattern.test(text)) return command;
  }
  throw new Complaint(
    `I found no test command here: I look into ${TESTERS.map(([file]) => code(file)).join(', ')}. Name the command, for example ${code('/run npm test')}.`,
  );
}
