import {
  FileFault,
  type DecodedText,
  type Documents,
  type OpenDocument,
  type TextCodec,
} from '../ports.ts';
import { orCancelled, stopIfAborted } from './fileQueue.ts';
import { softlyEqual } from './lines.ts';
import type { FileUse, Place } from './place.ts';
import { SavedTexts } from './savedTexts.ts';
import type { Saved, Store } from './stores.ts';
import { decoded } from './textBytes.ts';

/** The text of a file as the person sees it now. */
export type Present =
  /** What is typed and not saved, or the document of a file that is saved as it is. */
  | {
      readonly kind: 'document';
      readonly text: string;
      readonly document: OpenDocument;
      readonly unsaved: boolean;
      /** As it is on the disk, line ends included; `text` where that does not count. */
      readonly saved: string;
    }
  | {
      readonly kind: 'saved';
      readonly text: string;
      readonly saved: Saved;
      /** See `DecodedText.encoding`. */
      readonly encoding: string;
    }
  | { readonly kind: 'missing'; readonly text: null };

/** How often it is looked again when the person types while it is looked. */
const LOOKS = 5;

/** Finds out what a file's present text is, between the editor's documents and what is saved. */
export class Presence {
  private readonly texts = new SavedTexts();

  constructor(
    private readonly documents: Documents,
    private readonly codec: TextCodec,
  ) {}

  /**
   * What is typed comes first; a clean document only counts while nothing newer is saved. To be read, bytes are decoded as
   * the settings say now; to be changed, the same bytes are still the text that they were, in the same encoding.
   */
  async look(place: Place, use: FileUse, store: Store, signal: AbortSignal): Promise<Present> {
    for (let looks = 0; looks < LOOKS; looks++) {
      stopIfAborted(signal);
      const unsaved = this.unsavedOf(place);
      if (unsaved !== undefined) return ofDocument(unsaved, true);
      const saved = await store.read(signal);
      const present = await this.compare(place, use, saved, signal);
      if (this.unsavedOf(place) === undefined) return present;
    }
    const document = this.unsavedOf(place);
    if (document !== undefined) return ofDocument(document, true);
    throw new FileFault('failed', `The file is being changed all the time: ${place.path}`);
  }

  /** What is saved under a document that is not; `''` where that is no text. */
  async savedText(place: Place, store: Store, signal: AbortSignal): Promise<string> {
    try {
      const saved = await store.read(signal);
      if (saved === null) return '';
      return (await decoded(this.codec, saved.bytes, place.path)).text;
    } catch (error) {
      if (error instanceof FileFault) return '';
      throw error;
    }
  }

  /** The document of a place, if it holds what is not saved. */
  unsavedOf(place: Place): OpenDocument | undefined {
    const document = this.documentOf(place);
    return document !== undefined && (document.isDirty || document.isUntitled)
      ? document
      : undefined;
  }

  /** Lets a clean document take up what was saved under it. */
  async refresh(place: Place, text: string): Promise<void> {
    const document = this.documentOf(place);
    if (document !== undefined) await this.documents.refreshed(document.path, text);
  }

  private documentOf(place: Place): OpenDocument | undefined {
    const document = this.documents.find(place.path);
    return document === undefined && place.kind === 'disk' && place.real !== place.path
      ? this.documents.find(place.real)
      : document;
  }

  /** To be remembered: what was written to a place that has no document. */
  wrote(place: Place, bytes: Uint8Array, decodedText: DecodedText): void {
    this.texts.set(place, bytes, decodedText);
  }

  private async compare(
    place: Place,
    use: FileUse,
    saved: Saved | null,
    signal: AbortSignal,
  ): Promise<Present> {
    if (saved === null) return { kind: 'missing', text: null };
    const document = this.documentOf(place);
    // A document may be in an encoding that the person chose for it alone.
    if (document !== undefined && (await this.isSavedAs(document, saved))) {
      return ofDocument(document, false);
    }
    const { text, encoding } = await this.decoded(place, use, saved);
    if (document === undefined) return { kind: 'saved', text, saved, encoding };
    if (!softlyEqual(document.text(), text)) await orCancelled(this.refresh(place, text), signal);
    const fresh = this.documentOf(place);
    if (fresh !== undefined && softlyEqual(fresh.text(), text)) {
      return { ...ofDocument(fresh, false), saved: text };
    }
    return { kind: 'saved', text, saved, encoding };
  }

  private async decoded(place: Place, use: FileUse, { bytes }: Saved): Promise<DecodedText> {
    const known = use === 'write' ? this.texts.get(place, bytes) : undefined;
    if (known !== undefined) return known;
    const found = await decoded(this.codec, bytes, place.path);
    this.texts.set(place, bytes, found);
    return found;
  }

  private async isSavedAs(document: OpenDocument, { bytes }: Saved): Promise<boolean> {
    try {
      const own = await this.codec.encode(document.text(), document.path, document.encoding);
      return Buffer.compare(own, bytes) === 0;
    } catch {
      return false;
    }
  }
}

function ofDocument(document: OpenDocument, unsaved: boolean): Present & { kind: 'document' } {
  const text = document.text();
  return { kind: 'document', text, document, unsaved, saved: text };
}
