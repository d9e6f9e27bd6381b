import { Complaint } from '../complaint.ts';
import { code } from '../markdown.ts';
import type { Skill } from '../turn.ts';

const DEFAULT_USED = 12_000;
const DEFAULT_SIZE = 200_000;
const MAX_TOKENS = 1_000_000_000;

/** Reports a usage of context and a cost, so that it can be seen where a client shows them. */
export const usage: Skill = {
  name: 'usage',
  description: 'Report an invented usage of tokens and a cost, to see where they are shown',
  hint: 'tokens used, size of the context, cost in US dollars',
  example: '/usage 12000 200000 0.42',

  async run(turn, argument) {
    const [used = DEFAULT_USED, size = DEFAULT_SIZE, cost] = argument
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(Number);
    const isGood = [used, size, cost ?? 0].every((n) => n >= 0 && n <= MAX_TOKENS);
    if (!isGood || !Number.isInteger(used) || !Number.isInteger(size) || size === 0) {
      throw new Complaint(
        `I need whole numbers of tokens, and a cost, as in ${code(usage.example)}.`,
      );
    }
    await turn.client.update({
      sessionUpdate: 'usage_update',
      used,
      size,
      ...(cost === undefined ? {} : { cost: { amount: cost, currency: 'USD' } }),
    });
    const price = cost === undefined ? '' : ` and a cost of ${cost} USD`;
    await turn.say(
      `I have reported ${used.toLocaleString('en-US')} of ${size.toLocaleString('en-US')} tokens${price}. ` +
        'The numbers are made up: without a model I use no tokens.',
    );
    return 'end_turn';
  },
};
