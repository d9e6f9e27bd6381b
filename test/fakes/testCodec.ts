import iconv from 'iconv-lite';
import { FileFault, type DecodedText, type TextCodec } from '../../src/client/ports.ts';

interface Encoding {
  /** For iconv. */
  readonly name: string;
  readonly mark: readonly number[];
}

/** By the editor's name. Those with `bare` are UTF-16 without a byte-order mark. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  utf8: { name: 'utf8', mark: [] },
  utf8bom: { name: 'utf8', mark: [0xef, 0xbb, 0xbf] },
  utf16le: { name: 'utf16le', mark: [0xff, 0xfe] },
  utf16be: { name: 'utf16be', mark: [0xfe, 0xff] },
  utf16lebare: { name: 'utf16le', mark: [] },
  utf16bebare: { name: 'utf16be', mark: [] },
  windows1252: { name: 'windows1252', mark: [] },
  shiftjis: { name: 'shiftjis', mark: [] },
  gbk: { name: 'gbk', mark: [] },
};

const MARKED = ['utf8bom', 'utf16le', 'utf16be'] as const;

/** Text and bytes as the port's documentation says, with one encoding that the settings name. */
export class TestCodec implements TextCodec {
  /** Called before each piece of work. */
  onStep: () => void | Promise<void> = () => undefined;

  constructor(public setting = 'utf8') {}

  async decode(bytes: Uint8Array, _path?: string): Promise<DecodedText> {
    await this.onStep();
    const encoding = this.encodingOf(bytes);
    const { name, mark } = known(encoding);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = buffer.subarray(mark.length);
    return { encoding, text: iconv.decode(body, name, { stripBOM: false }) };
  }

  async encode(text: string, path: string, encoding: string | null): Promise<Uint8Array> {
    await this.onStep();
    const { name, mark } = known(encoding ?? this.setting);
    const body = iconv.encode(text, name, { addBOM: false });
    if (iconv.decode(body, name, { stripBOM: false }) !== text) {
      throw new FileFault('failed', `The encoding ${name} cannot hold the text: ${path}`);
    }
    return Buffer.concat([Uint8Array.from(mark), body]);
  }

  private encodingOf(bytes: Uint8Array): string {
    const marked = MARKED.find((name) => known(name).mark.every((byte, i) => bytes[i] === byte));
    if (marked !== undefined) return marked;
    if (bytes[0] !== 0 && bytes[1] === 0) return 'utf16lebare';
    return bytes[0] === 0 && bytes[1] !== 0 && bytes.length > 1 ? 'utf16bebare' : this.setting;
  }
}

function known(encoding: string): Encoding {
  const found = ENCODINGS[encoding];
  if (found === undefined) throw new Error(`no such encoding: ${encoding}`);
  return found;
}
