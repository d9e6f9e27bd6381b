import { MAX_RESULT } from './results.ts';
import type { ModelCall } from './callPieces.ts';
import { shortened, shortenedArguments } from './results.ts';

/** A part of a prompt, where it is more than text. */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as the wire has it. */
export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly Part[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly WireCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A call of the conversation: its id is unique in it, its arguments are JSON. */
export interface NotedCall extends ModelCall {
  /** The arguments as they came, where they are no JSON. */
  readonly isJson: boolean;
}

/** Messages at the end that stay whole as long as possible: what the model works with now. */
const FRESH = 6;
/** When the room is used up, so much of it is freed: the server keeps what it has read of the rest. */
const AIM = 0.7;
/** What an image is taken to need, in characters. */
const IMAGE = 6_000;
/** Characters of older results, and of results at last. */
const OLDER = 400;

/**
 * What has been said in one chat, turn by turn: each begins with what the person wrote and ends with the model's words.
 * Every call has exactly one result right behind it, whatever is cancelled, dropped or shortened.
 */
export class Conversation {
  private turns: Message[][] = [];
  private readonly ids = new Set<string>();
  private open: string[] = [];

  /** A new turn. */
  begin(content: string | readonly Part[]): void {
    this.turns.push([{ role: 'user', content }]);
  }

  /**
   * What the model has answered.
   *
   * @param thought Sent back while the turn lasts, as some services demand; empty if it was not sent as a field.
   * @returns Its calls as they stand in the conversation: each of them waits for its result now.
   */
  answered(text: string, thought: string, calls: readonly ModelCall[]): readonly NotedCall[] {
    const noted = calls.map((call) => {
      const isJson = isObject(call.arguments);
      return { ...call, id: this.uniqueId(call.id), isJson };
    });
    if (text === '' && noted.length === 0) return noted;
    this.add({
      role: 'assistant',
      content: text,
      ...(thought === '' || noted.length === 0 ? {} : { reasoning_content: thought }),
      ...(noted.length === 0 ? {} : { tool_calls: noted.map(wireCall) }),
    });
    this.open = noted.map(({ id }) => id);
    return noted;
  }

  /** The result of a call. */
  result(id: string, content: string): void {
    if (!this.open.includes(id)) return;
    this.open = this.open.filter((each) => each !== id);
    this.add({ role: 'tool', tool_call_id: id, content: shortened(content, MAX_RESULT) });
  }

  /** Ends the turn. @param reason What stands in place of results and words that never came. */
  end(reason: string): void {
    for (const id of this.open) this.result(id, reason);
    const turn = this.turns.at(-1);
    if (!turn) return;
    const last = turn.at(-1);
    if (last?.role !== 'assistant') turn.push({ role: 'assistant', content: `(${reason})` });
    this.replaceLast(turn.map(withoutThought));
  }

  /** Takes the turn back, as if it had never been. */
  forget(): void {
    this.open = [];
    this.turns.pop();
  }

  /** Everything, oldest first. */
  messages(): readonly Message[] {
    return this.turns.flat();
  }

  /**
   * Makes it fit into so many characters: results and arguments are shortened, the oldest first, then the oldest turns
   * are dropped, then what is newest is shortened too. A prompt of the person is never touched: one that is too big by
   * itself is for the endpoint to refuse.
   */
  fit(most: number): void {
    if (this.size() <= most) return;
    const aim = most * AIM;
    this.shortenAll(FRESH, aim);
    this.dropOldest(aim);
    this.shortenAll(1, aim);
    this.shortenAll(0, aim);
  }

  private size(): number {
    return this.messages().reduce((sum, message) => sum + sizeOf(message), 0);
  }

  /** In one pass: a loaded chat may have very many short turns. The latest turn stays. */
  private dropOldest(aim: number): void {
    let size = this.size();
    const first = this.turns.findIndex((turn, at) => {
      if (size <= aim || at === this.turns.length - 1) return true;
      size -= turn.reduce((sum, message) => sum + sizeOf(message), 0);
      return false;
    });
    this.turns = this.turns.slice(Math.max(first, 0));
  }

  private shortenAll(fresh: number, aim: number): void {
    let left = this.messages().length - fresh;
    let size = this.size();
    this.turns = this.turns.map((turn) =>
      turn.map((message) => {
        left -= 1;
        if (left < 0 || size <= aim) return message;
        const short = shortMessage(message);
        size -= sizeOf(message) - sizeOf(short);
        return short;
      }),
    );
  }

  private add(message: Message): void {
    const turn = this.turns.at(-1);
    if (turn) turn.push(message);
    else this.turns.push([message]);
  }

  private replaceLast(turn: Message[]): void {
    this.turns[this.turns.length - 1] = turn;
  }

  /** Servers repeat ids or give none; some take only nine letters and digits. */
  private uniqueId(wanted: string): string {
    const isGood = /^[\w.:-]{1,128}$/.test(wanted) && !this.ids.has(wanted);
    const id = isGood ? wanted : `call${String(this.ids.size).padStart(5, '0')}`;
    if (this.ids.has(id)) return this.uniqueId(`${id}-${this.ids.size}`);
    this.ids.add(id);
    return id;
  }
}

function wireCall({ id, name, arguments: given, isJson }: NotedCall): WireCall {
  // Servers parse what they are sent back, and fail at what is no JSON.
  return { id, type: 'function', function: { name, arguments: isJson ? given : '{}' } };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function withoutThought(message: Message): Message {
  if (message.role !== 'assistant' || message.reasoning_content === undefined) return message;
  const { role, content, tool_calls: calls } = message;
  return { role, content, ...(calls ? { tool_calls: calls } : {}) };
}

function shortMessage(message: Message): Message {
  if (message.role === 'tool') return { ...message, content: shortened(message.content, OLDER) };
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) => ({
      ...call,
      function: {
        ...call.function,
        arguments: shortenedArguments(call.function.arguments, OLDER),
      },
    })),
  };
}

function sizeOf(message: Message): number {
  if (message.role === 'user' && typeof message.content !== 'string') {
    return message.content.reduce(
      (sum, part) => sum + (part.type === 'text' ? part.text.length : IMAGE),
      0,
    );
  }
  const calls = message.role === 'assistant' ? JSON.stringify(message.tool_calls ?? '').length : 0;
  const thought = message.role === 'assistant' ? (message.reasoning_content ?? '').length : 0;
  // A few for what stands around each message.
  return 16 + message.content.length + calls + thought;
}
