import { setTimeout as sleep } from 'node:timers/promises';

/** What makes this program show the demonstration instead of speaking ACP. */
export const DEMO_OPTION = '--terminal-demo';

const STEPS = 20;
const STEP_MS = 100;

/** Prints what terminals can do: the palette, true colour, styles, and a progress bar that writes over itself. */
export async function terminalDemo(print: (text: string) => void): Promise<void> {
  const styled = (codes: string, text: string): string => `\u001b[${codes}m${text}\u001b[0m`;
  for (let colour = 1; colour < 8; colour += 1) {
    print(`${styled(`3${colour}`, `colour ${colour}`)} ${styled(`9${colour}`, 'bright')}\n`);
  }
  for (let column = 0; column < 40; column += 1) {
    print(styled(`38;2;${column * 6};120;${240 - column * 6}`, '█'));
  }
  print(`\n${styled('1', 'bold')} ${styled('3', 'italic')} ${styled('4', 'underlined')}\n`);
  for (let step = 1; step <= STEPS; step += 1) {
    await sleep(STEP_MS);
    print(`\r[${'#'.repeat(step).padEnd(STEPS)}] ${(100 * step) / STEPS} %`);
  }
  print('\ndone\n');
}
