import { runCommand } from '../command.ts';
import { Complaint } from '../complaint.ts';
import { code } from '../markdown.ts';
import type { Skill } from '../turn.ts';
import { tests } from './tests.ts';

/** Runs what the person names in a terminal of the client; for "the tests", the folder's own test command. */
export const run: Skill = {
  name: 'run',
  description: 'Ask for permission and run a command in a terminal of the editor',
  hint: 'a command line, or "tests" for the test command of this folder',
  example: '/run npm test',

  async run(turn, argument) {
    if (argument === '')
      throw new Complaint(`Which command? For example ${code('/run npm test')}.`);
    if (meansTests(argument)) return tests.run(turn, '');
    // One text with blanks and no arguments: the client gives it to the person's own shell, as if it was typed there.
    return runCommand(turn, { title: argument, request: { command: argument } });
  },
};

/** "the tests", "all unit tests", "our test suite". */
export function meansTests(words: string): boolean {
  return /^(?:the |my |our |your |all |these )*(?:unit )?tests?(?: suite)?$/i.test(words);
}
