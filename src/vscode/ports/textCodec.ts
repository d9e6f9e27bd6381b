import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { FileFault, type DecodedText, type TextCodec } from '../../client/ports.ts';
import { encodingSettings, GUESSED } from './encodingSettings.ts';
import { decodeUnicode, encodeUnicode, holdsAll, markedAs, UNMARKED } from './unicode.ts';

/** Not an encoding: the bytes are none of any text, and what is shown of them cannot be turned back. */
const LOSSY = 'lossy';

/** VS Code looks for zeros in so many bytes to tell UTF-16 and what is no text. */
const ZEROS_WITHIN = 512;

/** Text and bytes as this VS Code and its settings for a file read and write them. */
export class EditorCodec implements TextCodec {
  /**
   * VS Code tells the text, not the encoding. Which one it was is found by encoding again: the one that gives the same
   * bytes, those that the document or the settings name first. Text that no encoding turns back can be read, not written.
   */
  async decode(bytes: Uint8Array, path: string): Promise<DecodedText> {
    const marked = markedAs(bytes);
    if (marked !== undefined) {
      const text = decodeUnicode(bytes, marked);
      return text === undefined
        ? { text: await this.shown(bytes, path, undefined), encoding: LOSSY }
        : { text, encoding: marked };
    }
    const open = documentEncoding(path);
    const settings = encodingSettings(vscode.Uri.file(path));
    if (isPlain(open ?? 'utf8') && settings.isPlain && !hasZeros(bytes)) {
      const text = decodeUnicode(bytes, 'utf8');
      if (text !== undefined) return { text, encoding: 'utf8' };
    }
    if (open !== undefined) {
      const text = await this.shown(bytes, path, open);
      const encoding = await this.turningBack(text, bytes, [open]);
      if (encoding !== undefined) return { text, encoding };
    }
    const text = await this.shown(bytes, path, undefined);
    const guessed = settings.guesses ? GUESSED : [];
    const candidates = new Set([...settings.encodings, 'utf8', ...UNMARKED, ...guessed]);
    return { text, encoding: (await this.turningBack(text, bytes, candidates)) ?? LOSSY };
  }

  /** What the encoding lacks VS Code writes as a question mark: it is read again before anything is written. */
  async encode(text: string, path: string, encoding: string | null): Promise<Uint8Array> {
    if (encoding === LOSSY) {
      throw new FileFault(
        'refused',
        `The file has bytes that are no text in its encoding, and writing would destroy them, so nothing was written: ${path}`,
      );
    }
    if (encoding !== null) return this.encodeExactly(text, path, encoding);
    const uri = vscode.Uri.file(path);
    const bytes = await vscode.workspace.encode(text, { uri });
    if (decodeUnicode(bytes, markedAs(bytes) ?? 'utf8') === text) return bytes;
    const { encodings } = encodingSettings(uri);
    for (const name of encodings) {
      if ((await vscode.workspace.decode(bytes, { encoding: name })) === text) return bytes;
    }
    const [first = 'utf8'] = encodings;
    throw await this.misfit(text, path, first);
  }

  private async encodeExactly(text: string, path: string, encoding: string): Promise<Uint8Array> {
    const own = encodeUnicode(text, encoding);
    if (own !== undefined && holdsAll(text, encoding)) return own;
    if (own === undefined) {
      const bytes = await vscode.workspace.encode(text, { encoding });
      if ((await vscode.workspace.decode(bytes, { encoding })) === text) return bytes;
    }
    throw await this.misfit(text, path, encoding);
  }

  private async shown(
    bytes: Uint8Array,
    path: string,
    encoding: string | undefined,
  ): Promise<string> {
    try {
      return encoding === undefined
        ? await vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) })
        : await vscode.workspace.decode(bytes, { encoding });
    } catch (error) {
      throw new FileFault('failed', `The file is not text: ${path} (${messageOf(error)})`);
    }
  }

  /** The first encoding that turns the text into these bytes. */
  private async turningBack(
    text: string,
    bytes: Uint8Array,
    encodings: Iterable<string>,
  ): Promise<string | undefined> {
    for (const encoding of encodings) {
      const again =
        encodeUnicode(text, encoding) ?? (await vscode.workspace.encode(text, { encoding }));
      if (Buffer.compare(again, bytes) === 0) return encoding;
    }
    return undefined;
  }

  private async misfit(text: string, path: string, encoding: string): Promise<FileFault> {
    const own = encodeUnicode(text, encoding);
    const back =
      own === undefined
        ? await vscode.workspace.decode(await vscode.workspace.encode(text, { encoding }), {
            encoding,
          })
        : Buffer.from(text, 'utf8').toString('utf8');
    const at = firstDifference(text, back);
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const line = text.slice(0, at).split(/\r\n|\n|\r/).length;
    return new FileFault(
      'failed',
      `The encoding of the file (${encoding}) has no "${character}" (U+${code}, line ${line}), so nothing was written: ${path}`,
    );
  }
}

/** Whether the bytes of a file cannot be turned back from its text. */
export function isLossy({ encoding }: DecodedText): boolean {
  return encoding === LOSSY;
}

function documentEncoding(path: string): string | undefined {
  const uri = vscode.Uri.file(path).toString();
  const document = vscode.workspace.textDocuments.find(
    (candidate) => !candidate.isClosed && candidate.uri.toString() === uri,
  );
  return document?.encoding;
}

function isPlain(encoding: string): boolean {
  return encoding === 'utf8' || encoding === 'utf8bom';
}

function hasZeros(bytes: Uint8Array): boolean {
  return bytes.subarray(0, ZEROS_WITHIN).includes(0);
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length - 1 && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const inside = at > 0 && /[\uDC00-\uDFFF]/.test(one.charAt(at));
  return inside && /[\uD800-\uDBFF]/.test(one.charAt(at - 1)) ? at - 1 : at;
}
