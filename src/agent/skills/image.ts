import { picture } from '../picture.ts';
import type { Skill } from '../turn.ts';

/** Shows an image that is made on the spot. */
export const image: Skill = {
  name: 'image',
  description: 'Show a small picture in the answer',
  example: '/image',

  async run(turn) {
    await turn.say('I have drawn this, pixel by pixel; no file is behind it:\n\n');
    // No id: it goes on with the message before it.
    await turn.client.update({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'image', mimeType: 'image/png', data: picture().toString('base64') },
    });
    return 'end_turn';
  },
};
