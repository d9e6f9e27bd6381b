import { runCommand } from '../command.ts';
import { DEMO_OPTION } from '../terminalDemo.ts';
import type { Skill } from '../turn.ts';

/** Shows what a terminal in the chat looks like: colours, a progress bar, an exit code. */
export const terminal: Skill = {
  name: 'terminal',
  description: 'Show colours and a progress bar in a terminal of the editor',
  example: '/terminal',

  run(turn) {
    const [program = ''] = process.argv.slice(1);
    return runCommand(turn, {
      title: 'Show colours and a progress bar',
      isOwn: true,
      request: {
        command: process.execPath,
        args: [program, DEMO_OPTION],
        // VS Code's own runtime is Node only when it is told so.
        env: [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }],
      },
    });
  },
};
