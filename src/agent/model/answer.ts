import type { Turn } from '../turn.ts';
import type { ModelCall } from './callPieces.ts';
import { CallPieces } from './callPieces.ts';
import type { Delta, TokenCount } from './delta.ts';
import type { Spoken } from './thinkTags.ts';
import { ThinkTags } from './thinkTags.ts';

/** One answer of the model, which the person sees while it comes. */
export class Answer {
  /** Its words so far. */
  text = '';
  /** Thoughts that came in a field of their own. */
  thought = '';
  finish = '';
  tokens: TokenCount | undefined;
  private readonly tags = new ThinkTags();
  private readonly pieces: CallPieces;
  private readonly ids = new Map<Spoken['voice'], string>();

  constructor(
    private readonly turn: Turn,
    host: string,
  ) {
    this.pieces = new CallPieces(host);
  }

  /** Shows it as it comes. @throws what the stream throws; what came until then stays. */
  async stream(deltas: AsyncIterable<Delta>): Promise<void> {
    for await (const delta of deltas) {
      this.thought += delta.thought;
      await this.show([{ voice: 'thought', text: delta.thought }]);
      await this.show(this.tags.push(delta.text));
      for (const piece of delta.calls) this.pieces.add(piece);
      this.finish = delta.finish ?? this.finish;
      this.tokens = delta.tokens ?? this.tokens;
    }
    await this.show(this.tags.end());
  }

  /** Of an answer that was cut off nothing is called: a part of a call is none. */
  get calls(): readonly ModelCall[] {
    return this.finish === 'length' ? [] : this.pieces.all();
  }

  private async show(spoken: readonly Spoken[]): Promise<void> {
    for (const { voice, text } of spoken) {
      if (text === '') continue;
      const id = this.ids.get(voice) ?? this.turn.nextMessageId();
      this.ids.set(voice, id);
      if (voice === 'text') {
        this.text += text;
        await this.turn.client.message(text, id);
      } else {
        await this.turn.client.thought(text, id);
      }
    }
  }
}
