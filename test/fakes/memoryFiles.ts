import { FileFault, type WorkspaceFiles } from '../../src/client/ports.ts';

/** Text files in memory, with a note of who asked for what. */
export class MemoryFiles implements WorkspaceFiles {
  readonly files = new Map<string, string>();
  readonly asked: string[] = [];
  /** Requests that are being served now, and the most that ever were at a time. */
  busy = 0;
  mostBusy = 0;
  private held: Promise<void> = Promise.resolve();

  /** Lets no request end before the returned function is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async read(
    path: string,
    { line, limit }: { readonly line: number | null; readonly limit: number | null },
  ): Promise<string> {
    this.asked.push(`read ${path}`);
    await this.served();
    const content = this.files.get(path);
    if (content === undefined) throw new FileFault('notFound', 'no such file');
    const first = (line ?? 1) - 1;
    const lines = content.split(/(?<=\n)/);
    return lines.slice(first, limit === null ? undefined : first + limit).join('');
  }

  async write(path: string, content: string): Promise<void> {
    this.asked.push(`write ${path}`);
    await this.served();
    this.files.set(path, content);
  }

  private async served(): Promise<void> {
    this.busy += 1;
    this.mostBusy = Math.max(this.mostBusy, this.busy);
    await this.held;
    this.busy -= 1;
  }
}
