import type { ClientCapabilities, SessionConfigOption } from '../protocol/acp.ts';
import type { ModeId } from './modes.ts';
import { isModeId, MODES } from './modes.ts';
import { Pace } from './pace.ts';
import type { SessionClient } from './server/api.ts';

const PACES = ['natural', 'slow', 'instant'] as const;
type PaceId = (typeof PACES)[number];

/** Milliseconds between two pieces, where they are slow enough to be counted. */
const SLOW_MS = 60;
const SHOWN = 'shown';
const HIDDEN = 'hidden';

/** What the person has chosen for one chat. */
export class Choices {
  mode: ModeId = 'ask';
  /** The mode that the client was last told. */
  toldMode: ModeId = 'ask';
  pace: PaceId = 'natural';
  /** Thoughts are told. */
  thoughts = true;

  /** @param kept What `toJSON` once gave, or anything else: what is none of ours stays as it is at first. */
  constructor(kept: Readonly<Record<string, unknown>> = {}) {
    for (const [id, value] of Object.entries(kept)) this.set(id, value);
    this.toldMode = this.mode;
  }

  /** @returns Whether it was a choice that there is. */
  set(id: string, value: unknown): boolean {
    if (id === 'mode' && isModeId(value)) this.mode = value;
    else if (id === 'pace' && isPaceId(value)) this.pace = value;
    else if (id === 'thoughts') this.thoughts = value === true || value === SHOWN;
    else return false;
    return true;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    const { mode, pace, thoughts } = this;
    return { mode, pace, thoughts };
  }

  /** @param natural The pace where nothing else was chosen. */
  paceOf(natural: Pace): Pace {
    if (this.pace === 'natural') return natural;
    return new Pace(this.pace === 'slow' ? SLOW_MS : 0);
  }

  /** The choices as a client shows them. A client that knows no switches gets a list of two instead. */
  options({ session }: ClientCapabilities): readonly SessionConfigOption[] {
    const thoughts = {
      id: 'thoughts',
      name: 'Thoughts',
      description: 'Whether what I think is shown',
      category: 'thought_level',
    };
    return [
      {
        type: 'select',
        id: 'mode',
        name: 'Mode',
        description: 'How far I may go by myself',
        category: 'mode',
        currentValue: this.mode,
        options: MODES.map(({ id, name, description = null }) => ({
          value: id,
          name,
          description,
        })),
      },
      {
        type: 'select',
        id: 'pace',
        name: 'Pace',
        description: 'How fast an answer comes',
        currentValue: this.pace,
        options: [
          {
            group: 'streamed',
            name: 'Piece by piece',
            options: [
              { value: 'natural', name: 'Natural' },
              { value: 'slow', name: 'Slow' },
            ],
          },
          {
            group: 'whole',
            name: 'Without pauses',
            options: [{ value: 'instant', name: 'At once' }],
          },
        ],
      },
      session?.configOptions?.boolean
        ? { ...thoughts, type: 'boolean', currentValue: this.thoughts }
        : {
            ...thoughts,
            type: 'select',
            currentValue: this.thoughts ? SHOWN : HIDDEN,
            options: [
              { value: SHOWN, name: 'Shown' },
              { value: HIDDEN, name: 'Hidden' },
            ],
          },
    ];
  }
}

/** Puts a chat into another mode and tells the client, whichever of the two it shows. */
export async function switchMode(
  choices: Choices,
  mode: ModeId,
  client: SessionClient,
): Promise<void> {
  choices.mode = mode;
  if (choices.toldMode === mode) return;
  choices.toldMode = mode;
  await client.mode(mode);
  await client.settings(choices.options(client.capabilities));
}

function isPaceId(value: unknown): value is PaceId {
  return PACES.some((id) => id === value);
}
