import { setTimeout as sleep } from 'node:timers/promises';
import type { Skill } from '../turn.ts';

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 3_600;

/** Takes its time, so that stopping can be tried. The second is real: the pace of other answers does not change it. */
export const slow: Skill = {
  name: 'slow',
  description: 'Say a line a second for a minute, or until you stop it',
  hint: 'seconds, 60 if you name none',
  example: '/slow 10',

  async run(turn, argument) {
    const asked = Number.parseInt(argument, 10);
    const seconds = asked > 0 ? Math.min(asked, MAX_SECONDS) : DEFAULT_SECONDS;
    await turn.sayAll(lines(seconds, turn.signal));
    return 'end_turn';
  },
};

async function* lines(seconds: number, signal: AbortSignal): AsyncGenerator<string> {
  yield `One line a second, ${seconds} of them. Stop me whenever you like.\n\n`;
  for (let second = 1; second <= seconds; second += 1) {
    await sleep(1000, undefined, { signal });
    yield `${second}. second ${second} of ${seconds}\n`;
  }
  yield '\nThat was all of it.';
}
