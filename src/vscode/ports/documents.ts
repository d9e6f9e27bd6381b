import { FileFault, type Documents, type Log, type OpenDocument } from '../../client/ports.ts';

/** The documents of this window. Dispose it: it listens to saves. */
export class EditorDocuments implements Documents {
  /** @param platform What decides whether paths differ by case. */
  constructor(
    private readonly parts: {
      readonly platform: 'posix' | 'darwin' | 'win32';
      readonly log: Log;
    },
  ) {}

  find(path: string): OpenDocument | undefined {
    this.parts.log.trace(path);
    return undefined;
  }

  refreshed(path: string, text: string): Promise<void> {
    return Promise.reject(new FileFault('failed', `${path} ${text.length}`));
  }

  dispose(): void {
    this.parts.log.trace('');
  }
}
