import {
  FileFault,
  type ConflictAnswer,
  type Documents,
  type Log,
  type Settings,
  type TextCodec,
  type VirtualFiles,
  type WriteConflicts,
} from '../ports.ts';
import { TooLargeFault } from './diskFile.ts';
import { FileQueue, orCancelled, stopIfAborted } from './fileQueue.ts';
import { keyOf, type KnownTexts } from './knownTexts.ts';
import { Leftovers } from './leftovers.ts';
import { withEnds, withLineEndsOf } from './lineEnds.ts';
import { sliceLines, softlyEqual, type LineSpan } from './lines.ts';
import { merge } from './merge.ts';
import { minimalEdits } from './minimalEdits.ts';
import type { Place } from './place.ts';
import { Presence, type Present } from './presence.ts';
import { footingOf } from './realFolder.ts';
import { SYSTEM_CALLS, type Replacing } from './replaceFile.ts';
import { DiskStore, VirtualStore, type Store } from './stores.ts';
import { encoded } from './textBytes.ts';

export interface TextFilesParts {
  readonly documents: Documents;
  readonly codec: TextCodec;
  readonly virtual: VirtualFiles;
  readonly conflicts: WriteConflicts;
  readonly settings: Pick<Settings, 'maxReadBytes' | 'runSaveActions'>;
  readonly log: Log;
}

/** Who writes. */
export interface Writer {
  /** For people. */
  readonly agentName: string;
  readonly known: KnownTexts;
}

/** What a write changed. */
export interface Written {
  /** The whole text before; `null` for a new file. */
  readonly before: string | null;
  /** The whole text now: what the agent wrote, or a merge of it with what the person typed. */
  readonly after: string;
}

/** The person's answer, and the text that it was given to: it counts for no other. */
interface Decision {
  readonly answer: ConflictAnswer;
  readonly mine: string;
}

/** How often a write begins again because the file was changed meanwhile. */
const ROUNDS = 20;

/**
 * Text files as the person sees them, for agents. Where files may be is not decided here: whoever calls has judged the
 * place. Errors are `FileFault`s with a sentence for a model, and `Cancelled`.
 */
export class TextFiles {
  private readonly presence: Presence;
  /** Whole writes, the questions to the person included. */
  private readonly queue = new FileQueue();
  private readonly diskWrites = new FileQueue();
  private readonly replacing: Replacing;

  /** @param system What a test puts in the place of the system. */
  constructor(
    private readonly parts: TextFilesParts,
    system: Partial<Pick<Replacing, 'footing' | 'platform' | 'calls'>> = {},
  ) {
    this.presence = new Presence(parts.documents, parts.codec);
    this.replacing = {
      footing: footingOf(process.platform),
      platform: process.platform,
      calls: SYSTEM_CALLS,
      log: parts.log,
      leftovers: new Leftovers(),
      ...system,
    };
  }

  /**
   * The text, or some of its lines. A file of more bytes than the settings allow needs a range, and the range may have as
   * many. Whole texts are remembered as known, also when a range of them was asked for.
   */
  async read(
    place: Place,
    span: LineSpan,
    known: KnownTexts,
    signal: AbortSignal,
  ): Promise<string> {
    stopIfAborted(signal);
    const store = this.storeOf(place);
    const isRange = (span.line ?? 0) > 1 || span.limit !== null;
    let present: Present;
    try {
      present = await this.presence.look(place, 'read', store, signal);
    } catch (error) {
      if (!(error instanceof TooLargeFault) || !isRange) throw error;
      known.forget(place);
      return store.readRange(span, signal);
    }
    if (present.kind === 'missing') {
      known.forget(place);
      throw new FileFault('notFound', `There is no such file: ${place.path}`);
    }
    const text = present.kind === 'document' ? present.saved : present.text;
    const answer = sliceLines(text, span);
    if (present.kind === 'document') this.refuseLarge(answer, place);
    known.set(place, text);
    return answer;
  }

  /**
   * Writes a whole text: through the file's document if there is one, else where it is saved. What the person changed
   * since the agent knew the file is merged; where both changed the same lines, the person is asked. Two writes of the same
   * file come one after the other.
   */
  write(place: Place, content: string, writer: Writer, signal: AbortSignal): Promise<Written> {
    return this.queue.run(
      keyOf(place),
      () => this.writeInRounds(place, content, writer, signal),
      signal,
    );
  }

  private async writeInRounds(
    place: Place,
    content: string,
    writer: Writer,
    signal: AbortSignal,
  ): Promise<Written> {
    const store = this.storeOf(place);
    let decision: Decision | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      stopIfAborted(signal);
      const present = await this.presence.look(place, 'write', store, signal);
      const base = await this.baseOf(place, store, present, writer.known, signal);
      // In front of a file that is there, a byte-order mark is no text.
      const theirs = present.kind === 'missing' ? content : withoutMark(content);
      const goal = goalOf(present.text, base, theirs, decision, writer.agentName);
      if (goal.kind === 'conflict') {
        decision = await this.ask(place, goal, theirs, writer, signal);
        continue;
      }
      const after = await this.put(place, store, present, goal.text, signal);
      if (after === null) continue;
      writer.known.set(place, withoutMark(content));
      return { before: present.text, after };
    }
    throw new FileFault(
      'failed',
      `The file was changed again and again while it was to be written. Nothing was written; read it again: ${place.path}`,
    );
  }

  /** The text that the agent's began with; `null` if what is there may simply be replaced. */
  private async baseOf(
    place: Place,
    store: Store,
    present: Present,
    known: KnownTexts,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (present.kind === 'missing') return null;
    const base = known.get(place);
    if (base !== undefined) return base;
    if (present.kind === 'saved' || !present.unsaved) return null;
    return this.presence.savedText(place, store, signal);
  }

  private async ask(
    place: Place,
    { mine, marked }: Conflict,
    theirs: string,
    { agentName }: Writer,
    signal: AbortSignal,
  ): Promise<Decision> {
    const conflict = { path: place.path, agentName, mine, theirs, marked };
    const answer = await orCancelled(this.parts.conflicts.resolve(conflict, signal), signal);
    if (answer.kind === 'mine') {
      throw new FileFault(
        'refused',
        `The person changed ${place.path} since you read it and keeps that text. Read it again.`,
      );
    }
    return { answer, mine };
  }

  /** @returns The text that is there now; `null` if it was changed meanwhile, and nothing was written. */
  private async put(
    place: Place,
    store: Store,
    present: Present,
    goal: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    if (present.kind === 'document') return this.putInDocument(store, present, goal, signal);
    const isNew = present.kind === 'missing';
    const text = isNew ? goal : withLineEndsOf(present.text, withoutMark(goal));
    const saved = isNew ? null : present.saved;
    const encoding = isNew ? null : present.encoding;
    // Not even a new date for a file that stays what it is.
    if (!isNew && text === present.text) return text;
    const bytes = await encoded(this.parts.codec, text, place.path, encoding);
    stopIfAborted(signal);
    const isCurrent = (): boolean => this.presence.unsavedOf(place) === undefined;
    if (!(await store.write(bytes, saved, isCurrent, signal))) return null;
    const after = withoutMark(text);
    if (encoding !== null) this.presence.wrote(place, bytes, { text: after, encoding });
    await this.presence.refresh(place, after).catch((error: unknown) => {
      this.parts.log.warn(`A document was not refreshed: ${String(error)}`);
    });
    return after;
  }

  private async putInDocument(
    store: Store,
    { document, text: before }: Present & { kind: 'document' },
    goal: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    const text = withEnds(withoutMark(goal), before.includes('\r\n') ? '\r\n' : '\n');
    const edits = minimalEdits(before, text);
    if (edits.length > 0 || document.isDirty || document.isUntitled) {
      await store.admitSaving(document.path);
      // Saving would write what the encoding lacks as question marks.
      await encoded(this.parts.codec, text, document.path, document.encoding);
      stopIfAborted(signal);
    }
    if (edits.length > 0 && !(await document.edit(before, edits))) return null;
    if (document.isDirty || document.isUntitled) {
      await document.save(this.parts.settings.runSaveActions());
    }
    return document.text();
  }

  private refuseLarge(answer: string, place: Place): void {
    const maxBytes = this.parts.settings.maxReadBytes();
    if (answer.length * 3 <= maxBytes) return;
    const size = Buffer.byteLength(answer);
    if (size > maxBytes) throw new TooLargeFault(place.path, size, maxBytes);
  }

  private storeOf(place: Place): Store {
    const { codec, settings, virtual } = this.parts;
    const maxBytes = settings.maxReadBytes();
    if (place.kind === 'virtual') return new VirtualStore(place, { virtual, maxBytes });
    return new DiskStore(place, {
      codec,
      writing: this.diskWrites,
      replacing: this.replacing,
      maxBytes,
    });
  }
}

interface Conflict {
  readonly kind: 'conflict';
  readonly mine: string;
  readonly marked: string;
}

/** What the file is to hold. */
function goalOf(
  mine: string | null,
  base: string | null,
  theirs: string,
  decision: Decision | null,
  agentName: string,
): { readonly kind: 'text'; readonly text: string } | Conflict {
  if (mine === null || base === null) return { kind: 'text', text: theirs };
  if (softlyEqual(mine, base) || softlyEqual(mine, theirs)) return { kind: 'text', text: theirs };
  if (decision?.mine === mine) {
    const { answer } = decision;
    return { kind: 'text', text: answer.kind === 'merged' ? answer.text : theirs };
  }
  const merged = merge(base, mine, theirs, { mine: 'yours', theirs: oneLine(agentName) });
  return merged.kind === 'clean'
    ? { kind: 'text', text: merged.text }
    : { kind: 'conflict', mine, marked: merged.marked };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 100);
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
