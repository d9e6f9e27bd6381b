import { CodeBlock } from './codeBlock.ts';
import type { OpenBlock } from './growing.ts';

const OPENING = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n/;

/** A code block that has not ended: its lines are appended, nothing is read twice. */
export class OpenFence implements OpenBlock {
  private readonly block: CodeBlock;
  private held: Text | null = null;

  private constructor(
    private readonly indent: number,
    private readonly fence: string,
    info: string,
    readonly consumed: number,
  ) {
    this.block = new CodeBlock(info);
  }

  /** `null` where the source begins with no fence, or with one that has ended. */
  static from(source: string): OpenFence | null {
    const match = OPENING.exec(source);
    const [whole, indent, marks, info] = match ?? [];
    if (whole === undefined || indent === undefined || marks === undefined) return null;
    const fence = new OpenFence(indent.length, marks, info ?? '', whole.length);
    const lines = source.slice(whole.length).split('\n');
    return lines.some((line) => fence.isEnd(line)) ? null : fence;
  }

  get root(): HTMLElement {
    return this.block.root;
  }

  take(text: string, final: boolean): { text: string; closed: boolean } {
    this.held = this.block.hold('', this.held);
    let start = 0;
    let lines = '';
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = text.slice(start, end);
      start = end + 1;
      if (this.isEnd(line)) {
        this.block.append(lines);
        return { text: text.slice(start), closed: true };
      }
      lines += `${this.dedent(line)}\n`;
    }
    this.block.append(lines);
    const part = text.slice(start);
    if (final) {
      if (part !== '' && !this.isEnd(part)) this.block.append(`${this.dedent(part)}\n`);
      return { text: '', closed: true };
    }
    if (!this.mayBecomeEnd(part)) this.held = this.block.hold(part, null);
    return { text: part, closed: false };
  }

  private dedent(line: string): string {
    let spaces = 0;
    while (spaces < this.indent && line[spaces] === ' ') spaces++;
    return line.slice(spaces);
  }

  private isEnd(line: string): boolean {
    const marks = this.marksOf(line);
    return marks !== null && marks.count >= this.fence.length && marks.rest === '';
  }

  /** A line that has only marks so far is not shown: it would vanish when the block ends. */
  private mayBecomeEnd(line: string): boolean {
    return this.marksOf(line)?.rest === '';
  }

  private marksOf(line: string): { count: number; rest: string } | null {
    const start = line.search(/[^ ]/);
    if (start === -1 || start > 3) return null;
    let end = start;
    while (line[end] === this.fence[0]) end++;
    return end === start ? null : { count: end - start, rest: line.slice(end).trim() };
  }
}
