import { runCommand } from '../command.ts';
import type { Skill } from '../turn.ts';

/** A program in one line: colours, a progress bar that writes over itself, and an end. No double quotes, for every shell. */
const DEMO = [
  'const e = String.fromCharCode(27);',
  'const w = (t) => process.stdout.write(t);',
  'for (let c = 1; c < 8; c++) w(e + `[3${c}m colour ${c} ` + e + `[9${c}m bright ` + e + `[0m\\n`);',
  'for (let i = 0; i < 40; i++) w(e + `[38;2;${i * 6};120;${240 - i * 6}m█`);',
  'w(e + `[0m\\n` + e + `[1mbold ` + e + `[3mitalic ` + e + `[4munderlined` + e + `[0m\\n`);',
  'let n = 0;',
  'const t = setInterval(() => {',
  '  n += 5;',
  '  w(`\\r[${`#`.repeat(n / 5).padEnd(20)}] ${n} %`);',
  '  if (n === 100) { clearInterval(t); w(`\\ndone\\n`); }',
  '}, 100);',
].join('\n');

/** Shows what a terminal in the chat looks like: colours, a progress bar, an exit code. */
export const terminal: Skill = {
  name: 'terminal',
  description: 'Run a small program with colours and a progress bar in a terminal of the editor',
  example: '/terminal',

  run(turn) {
    return runCommand(turn, {
      title: 'Show colours and a progress bar',
      request: {
        command: process.execPath,
        args: ['-e', DEMO],
        // VS Code's own runtime is Node only when it is told so.
        env: [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }],
      },
    });
  },
};
