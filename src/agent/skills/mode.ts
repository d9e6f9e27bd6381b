import { Complaint } from '../complaint.ts';
import { code, plain } from '../markdown.ts';
import type { ModeId } from '../modes.ts';
import { isModeId, MODES, modeName } from '../modes.ts';
import { switchMode } from '../options.ts';
import type { Skill } from '../turn.ts';

/** Shows or changes the mode, for clients that offer no list of modes. */
export const mode: Skill = {
  name: 'mode',
  description: 'Show how far I may go by myself, or change it',
  hint: MODES.map(({ id }) => id).join(', '),
  example: '/mode plan',

  async run(turn, argument) {
    const { choices } = turn.memory;
    const wanted = argument.toLowerCase();
    if (wanted === '') {
      await turn.say(`The mode is **${modeName(choices.mode)}**.\n\n${listOf(choices.mode)}`);
      return 'end_turn';
    }
    if (!isModeId(wanted)) {
      const names = MODES.map(({ id }) => code(id)).join(', ');
      throw new Complaint(`There is no mode ${code(plain(argument, 40))}. There are ${names}.`);
    }
    await switchMode(choices, wanted, turn.client);
    await turn.say(`The mode is **${modeName(wanted)}** now. ${descriptionOf(wanted)}.`);
    return 'end_turn';
  },
};

function listOf(current: ModeId): string {
  return MODES.map(
    ({ id }) => `- ${code(`/mode ${id}`)}: ${descriptionOf(id)}${id === current ? ' (now)' : ''}`,
  ).join('\n');
}

function descriptionOf(wanted: ModeId): string {
  return MODES.find(({ id }) => id === wanted)?.description ?? '';
}
