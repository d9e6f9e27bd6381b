import { Complaint } from '../complaint.ts';
import { code, plain } from '../markdown.ts';
import type { Skill } from '../turn.ts';

const MAX_TITLE = 80;

/** Names the chat. */
export const title: Skill = {
  name: 'title',
  description: 'Give this chat another title',
  hint: 'the title',
  example: '/title Trying things out',

  async run(turn, argument) {
    const wanted = plain(argument, MAX_TITLE);
    if (wanted === '') throw new Complaint('Which title? Write it behind `/title`.');
    turn.memory.titled = true;
    await turn.client.info({ title: wanted });
    await turn.say(`This chat is called ${code(wanted)} now.`);
    return 'end_turn';
  },
};
