import {
  FileFault,
  type Documents,
  type Log,
  type Settings,
  type TextCodec,
  type VirtualFiles,
  type WriteConflicts,
} from '../ports.ts';
import type { KnownTexts } from './knownTexts.ts';
import type { Place } from './place.ts';

export { KnownTexts } from './knownTexts.ts';

export interface TextFilesParts {
  readonly documents: Documents;
  readonly codec: TextCodec;
  readonly virtual: VirtualFiles;
  readonly conflicts: WriteConflicts;
  readonly settings: Pick<Settings, 'maxReadBytes' | 'runSaveActions'>;
  readonly log: Log;
}

/** A range of lines. */
export interface LineSpan {
  /** 1-based first line; `null` or 0: from the start. */
  readonly line: number | null;
  /** Count of lines; `null`: to the end. */
  readonly limit: number | null;
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

/**
 * Text files as the person sees them, for agents. Where files may be is not decided here: whoever calls has judged the
 * place. Errors are `FileFault`s with a sentence for a model, and `Cancelled`.
 */
export class TextFiles {
  constructor(private readonly parts: TextFilesParts) {}

  read(place: Place, span: LineSpan, known: KnownTexts, signal: AbortSignal): Promise<string> {
    return Promise.reject(new FileFault('failed', `Not read yet: ${place.path}`));
  }

  write(place: Place, content: string, writer: Writer, signal: AbortSignal): Promise<Written> {
    return Promise.reject(new FileFault('failed', `Not written yet: ${place.path}`));
  }
}
