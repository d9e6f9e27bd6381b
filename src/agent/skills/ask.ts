import type { StopReason } from '../../protocol/acp.ts';
import { cell, code } from '../markdown.ts';
import type { Form, FormField } from '../server/forms.ts';
import type { Skill, Turn } from '../turn.ts';

const PAGE = 'https://agentclientprotocol.com/protocol/v1/overview';

/** Every kind of field that there is, with everything that it can demand. */
const FORM: Form = {
  title: 'One of each',
  description: 'Every kind of field that an agent can ask for. Nothing is kept.',
  required: ['name', 'colour', 'days'],
  fields: {
    name: {
      type: 'string',
      title: 'Name',
      description: 'Up to 40 characters',
      minLength: 1,
      maxLength: 40,
    },
    email: { type: 'string', title: 'Email', format: 'email' },
    website: { type: 'string', title: 'Website', format: 'uri' },
    day: { type: 'string', title: 'Day', format: 'date' },
    moment: { type: 'string', title: 'Moment', format: 'date-time' },
    ticket: {
      type: 'string',
      title: 'Ticket',
      description: 'Three capitals and four digits',
      pattern: '^[A-Z]{3}-[0-9]{4}$',
      default: 'ABC-1234',
    },
    colour: { type: 'string', title: 'Colour', enum: ['red', 'green', 'blue'] },
    size: {
      type: 'string',
      title: 'Size',
      default: 'm',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'm', title: 'Medium', description: 'Fits most' },
        { const: 'l', title: 'Large' },
      ],
    },
    count: { type: 'integer', title: 'Count', minimum: 1, maximum: 10, default: 3 },
    share: { type: 'number', title: 'Share', description: 'From 0 to 1', minimum: 0, maximum: 1 },
    news: { type: 'boolean', title: 'News', description: 'Whether you want some', default: true },
    days: {
      type: 'array',
      title: 'Days',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] },
    },
    extras: {
      type: 'array',
      title: 'Extras',
      default: ['cheese'],
      items: {
        anyOf: [
          { const: 'cheese', title: 'More cheese' },
          { const: 'olives', title: 'Olives', description: 'Green ones' },
        ],
      },
    },
  },
};

/** Asks the person with a form that has every kind of field, or to visit a page. */
export const ask: Skill = {
  name: 'ask',
  description: 'Ask you with a form that has every kind of field, or to visit a page',
  hint: 'url, for the page',
  example: '/ask',

  run: (turn, argument) => (/^(?:url|page)\b/i.test(argument) ? askPage(turn) : askForm(turn)),
};

async function askForm(turn: Turn): Promise<StopReason> {
  const { client, signal } = turn;
  if (!client.capabilities.elicitation?.form) return cannot(turn, 'forms', 'elicitation.form');
  const answer = await client.fillIn('Please fill in one of each.', FORM, signal);
  if (answer.action === 'accept') {
    const rows = Object.entries(FORM.fields).map(
      ([name, field]) => `| ${titleOf(name, field)} | ${shown(answer.content[name])} |`,
    );
    await turn.say(
      ['You filled in:\n', '| Field | Value |', '| :--- | :--- |', ...rows].join('\n'),
    );
  } else if (answer.action === 'decline') {
    await turn.say('You declined to fill in the form. That is fine: nothing depends on it.');
  } else if (answer.faults) {
    const faults = answer.faults.map((fault) => `- ${fault}`).join('\n');
    await turn.say(
      `What your client sent does not fit the form, so I take none of it:\n\n${faults}`,
    );
  } else {
    await turn.say('You put the form away.');
  }
  return 'end_turn';
}

async function askPage(turn: Turn): Promise<StopReason> {
  const { client, signal } = turn;
  if (!client.capabilities.elicitation?.url) return cannot(turn, 'pages', 'elicitation.url');
  const page = { id: `page-${turn.nextCallId()}`, url: PAGE };
  const action = await client.visit('Please have a look at the protocol.', page, signal);
  if (action === 'accept') {
    // Other agents learn from the page itself when it is done; ours is only there to be looked at.
    await client.visited(page.id);
    await turn.say(
      'You agreed to visit the page. Whether you did, I cannot see: I never use the network.',
    );
  } else {
    await turn.say(
      action === 'decline' ? 'You declined to visit the page.' : 'You put the question away.',
    );
  }
  return 'end_turn';
}

async function cannot(turn: Turn, what: string, capability: string): Promise<StopReason> {
  await turn.say(
    `This client does not offer ${what} to agents (${code(capability)} is not among its capabilities), so I cannot ask you that way.`,
  );
  return 'end_turn';
}

function titleOf(name: string, field: FormField): string {
  return cell(field.title ?? name);
}

function shown(value: unknown): string {
  if (value === undefined) return 'left empty';
  if (typeof value === 'string') return cell(value);
  return cell(Array.isArray(value) ? value.join(', ') : JSON.stringify(value));
}
