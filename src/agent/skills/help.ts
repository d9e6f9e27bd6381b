import { code } from '../markdown.ts';
import type { Skill } from '../turn.ts';

/** Says what the agent can do. @param others Everything else that it can do, in the order to show it. */
export function createHelp(others: readonly Skill[]): Skill {
  return {
    name: 'help',
    description: 'Say what I can do, with examples',
    example: '/help',

    async run(turn) {
      const canWrite = turn.client.capabilities.fs?.writeTextFile === true;
      await turn.say(
        [
          'I am the **Parley reference agent**: a program that speaks the Agent Client Protocol, works offline and always does the same. There is **no language model inside**, so I cannot reason or write code; what I do with your files is real.',
          '',
          '**In your own words**',
          '',
          '- `explain src/index.ts` or `summarise README.md`: an outline of a file',
          '- `find parseConfig` or `where is parseConfig`: a search in this folder',
          '- `list todos`, `make a plan`, `what is in this folder`',
          '- `rename oldName to newName in src/index.ts`: a real edit, after your permission',
          '',
          '**Commands**',
          '',
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
