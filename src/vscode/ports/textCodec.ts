import { FileFault, type DecodedText, type TextCodec } from '../../client/ports.ts';

/** Text and bytes as this VS Code and its settings for a file read and write them. */
export class EditorCodec implements TextCodec {
  decode(bytes: Uint8Array, path: string): Promise<DecodedText> {
    return Promise.reject(new FileFault('failed', `${path} ${bytes.length}`));
  }

  encode(text: string, path: string, encoding: string | null): Promise<Uint8Array> {
    return Promise.reject(new FileFault('failed', `${path} ${text.length} ${String(encoding)}`));
  }
}
