/**
 * Plays a file sequence on a stage and keeps account of every piece of text: a piece is in the document or in the saved
 * file until somebody takes it away on purpose. That is more than is promised (the undo history would do, too), and it can
 * be told after each step.
 */
import {
  piecesOf,
  type FileSequence,
  type FileStep,
  type Interruption,
  type WriteFate,
} from './fileSequences.ts';

/** A conflict as the person sees it. */
export interface ShownConflict {
  readonly mine: string;
  readonly theirs: string;
  readonly marked: string;
}

export type StageAnswer =
  | { readonly kind: 'mine' }
  | { readonly kind: 'theirs' }
  | { readonly kind: 'merged'; readonly text: string };

/** How an agent's write meets the person. */
export interface StagedWrite {
  /** Called for each question. */
  answer(conflict: ShownConflict): StageAnswer;
  /**
   * Happens once while the write is under way: the stage calls `interrupt` when that is. Calls none for `null`; what
   * does not happen before the write has ended does not happen.
   */
  readonly interruption: Interruption | null;
  interrupt(): Promise<void>;
}

/** One file, one person, one agent. Each step resolves when the editor has come to rest. */
export interface FileStage {
  open(): Promise<void>;
  /** Only called for a document that is open and clean. */
  close(): Promise<void>;
  /** The open document; `null` if there is none. */
  document(): { readonly text: string; readonly isDirty: boolean } | null;
  /** What is saved. */
  saved(): Promise<string>;
  /** Makes the open document hold `text`, as one undo step. */
  type(text: string): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** May fail, as when the saved file is newer than the document. */
  save(): Promise<void>;
  revert(): Promise<void>;
  /** Another program writes the file. A clean document shows it when this resolves. */
  writeOutside(text: string): Promise<void>;
  /** The same in the middle of an agent's write: the editor need not have noticed when this resolves. */
  writeOutsideSoon(text: string): Promise<void>;
  agentRead(): Promise<string>;
  /** @returns False if the agent was told that it was not written. */
  agentWrite(content: string, write: StagedWrite): Promise<boolean>;
}

/** @returns For each loss a sentence that says what was lost, and when; empty if nothing was. */
export async function playFileSequence(
  sequence: FileSequence,
  stage: FileStage,
): Promise<readonly string[]> {
  const player = new Player(stage, piecesOf(sequence.initial));
  for (const [index, step] of sequence.steps.entries()) {
    await player.play(step);
    const lost = await player.lost();
    if (lost.length > 0) {
      const names = lost.map((piece) => `«${piece}»`).join(', ');
      const left = JSON.stringify({ document: stage.document(), saved: await stage.saved() });
      return [
        `seed ${sequence.seed}, step ${index} ${JSON.stringify(step)}: lost ${names}, ${left}`,
      ];
    }
  }
  return [];
}

class Player {
  /** What the agent last read or wrote. */
  private known: string | null = null;

  constructor(
    private readonly stage: FileStage,
    /** Pieces that must be somewhere. */
    private readonly held: Set<number>,
  ) {}

  async lost(): Promise<readonly number[]> {
    const seen = piecesOf(`${await this.stage.saved()}\n${this.stage.document()?.text ?? ''}`);
    return [...this.held].filter((piece) => !seen.has(piece));
  }

  async play(step: FileStep): Promise<void> {
    const { stage } = this;
    const document = stage.document();
    switch (step.kind) {
      case 'open':
        if (document === null) await stage.open();
        return;
      case 'close':
        if (document?.isDirty === false) await stage.close();
        return;
      case 'type':
        await this.type(step.at, step.text);
        return;
      case 'erase':
        await this.erase(step.at);
        return;
      case 'undo':
      case 'redo':
      case 'revert':
        await this.giveUpBy(() => stage[step.kind]());
        return;
      case 'save':
        if (document !== null) await stage.save();
        return;
      case 'outside':
        await stage.writeOutside(withLine(await stage.saved(), step.at, step.text));
        this.hold(step.text);
        return;
      case 'agentRead':
        this.known = await stage.agentRead();
        return;
      case 'agentEdit':
        if (this.known === null) return;
        await this.write(this.known, edited(this.known, step), step);
        return;
      case 'agentWrite':
        // Who has not read a file replaces what is saved there, and nothing else.
        await this.write(this.known ?? (await stage.saved()), `${step.text}\n`, step);
        return;
    }
  }

  private async type(at: number, text: string): Promise<void> {
    const document = this.stage.document();
    if (document === null) return;
    await this.stage.type(withLine(document.text, at, text));
    this.hold(text);
  }

  private async erase(at: number): Promise<void> {
    const document = this.stage.document();
    if (document === null) return;
    const lines = linesOf(document.text);
    const [line] = lines.splice(Math.floor((at * lines.length) / 1000), 1);
    if (line === undefined) return;
    this.giveUp(line);
    await this.stage.type(lines.join(''));
  }

  /** The person takes away what the document then does not hold any more. */
  private async giveUpBy(act: () => Promise<void>): Promise<void> {
    const before = this.stage.document();
    if (before === null) return;
    await act();
    const after = piecesOf(this.stage.document()?.text ?? '');
    for (const piece of piecesOf(before.text)) if (!after.has(piece)) this.held.delete(piece);
  }

  private async write(base: string, content: string, fate: WriteFate): Promise<void> {
    const before = piecesOf(base);
    const after = piecesOf(content);
    const taken = [...before].filter((piece) => !after.has(piece));
    const added = [...after].filter((piece) => !before.has(piece));
    for (const piece of taken) this.held.delete(piece);
    const written = await this.stage.agentWrite(content, {
      interruption: fate.interruption,
      interrupt: () => this.interrupt(fate.interruption),
      answer: (conflict) => this.answer(conflict, fate.answer),
    });
    // An agent that is told of a failure has lost nothing.
    if (!written) return;
    for (const piece of added) this.held.add(piece);
    this.known = content;
  }

  private async interrupt(interruption: Interruption | null): Promise<void> {
    if (interruption === null) return;
    const { by, at, text } = interruption;
    if (by === 'person') {
      await this.type(at, text);
    } else {
      await this.stage.writeOutsideSoon(withLine(await this.stage.saved(), at, text));
      // An agent that has not read the file replaces what is saved, whatever that is by then.
      if (this.known !== null) this.hold(text);
    }
  }

  private answer(conflict: ShownConflict, kind: WriteFate['answer']): StageAnswer {
    if (kind === 'theirs') {
      const theirs = piecesOf(conflict.theirs);
      for (const piece of piecesOf(conflict.mine)) if (!theirs.has(piece)) this.held.delete(piece);
    }
    if (kind !== 'merged') return { kind };
    const lines = conflict.marked.split('\n').filter((line) => !/^(<{7}|={7}|>{7})/.test(line));
    return { kind, text: lines.join('\n') };
  }

  private hold(text: string): void {
    for (const piece of piecesOf(text)) this.held.add(piece);
  }

  private giveUp(text: string): void {
    for (const piece of piecesOf(text)) this.held.delete(piece);
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function withLine(text: string, at: number, line: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = linesOf(text);
  const index = Math.floor((at * (lines.length + 1)) / 1000);
  const above = lines[index - 1];
  if (above !== undefined && !above.endsWith('\n')) lines[index - 1] = above + end;
  lines.splice(index, 0, line + end);
  return lines.join('');
}

function edited(
  text: string,
  {
    at,
    remove,
    text: line,
  }: { readonly at: number; readonly remove: number; readonly text: string },
): string {
  const lines = linesOf(text);
  lines.splice(Math.floor((at * lines.length) / 1000), remove);
  return withLine(lines.join(''), at, line);
}
