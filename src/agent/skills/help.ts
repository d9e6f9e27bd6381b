import { code } from '../markdown.ts';
import type { Skill } from '../turn.ts';

const OFFLINE =
  'I am the **Parley reference agent**: a program that speaks the Agent Client Protocol, works offline and always does the same. There is **no language model inside**, so I cannot reason or write code; what I do with your files is real. With a model of your own I can: `/model` says how.';

const WITH_MODEL =
  'I am the **Parley reference agent**, and the language model that you gave me answers: `/model` says which. It reads and searches this folder by itself, and changes files and runs commands after your permission.';

const IN_YOUR_OWN_WORDS = [
  '**In your own words**',
  '',
  '- `explain src/index.ts` or `summarise README.md`: an outline of a file',
  '- `find some words` or `where is parseConfig used`: a search in this folder',
  '- `what is in this folder`, `count the languages`, `list todos`, `make a plan`',
  '- `rename oldName to newName`, `add licence headers`, `write a test for src/index.ts`: real edits, after your permission',
  '- `run the tests`: runs them after your permission, and reads the result',
];

/** Says what the agent can do. @param others Everything else that it can do, in the order to show it. */
export function createHelp(others: readonly Skill[]): Skill {
  return {
    name: 'help',
    description: 'Say what I can do, with examples',
    example: '/help',

    async run(turn) {
      const canWrite = turn.client.capabilities.fs?.writeTextFile === true;
      const plainWords = turn.model.isThere
        ? [WITH_MODEL, '', '**Commands**, which the model does not see', '']
        : [OFFLINE, '', ...IN_YOUR_OWN_WORDS, '', '**Commands**', ''];
      await turn.say(
        [
          ...plainWords,
          ...others.map((skill) => `- ${code(usage(skill))}: ${skill.description}`),
          '',
          canWrite
            ? 'I write a file only after you have allowed it, and only inside this folder.'
            : 'This client does not let me write files, so I only read.',
        ].join('\n'),
      );
      return 'end_turn';
    },
  };
}

function usage(skill: Skill): string {
  return skill.example;
}
