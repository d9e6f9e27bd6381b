import { S } from '../strings.ts';
import { element, icon } from './dom.ts';

/** Lines per run: an open block is laid out run by run, so that a line more costs one run, not the block. */
const RUN_LINES = 40;

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  dockerfile: 'Dockerfile',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsonc: 'JSON',
  jsx: 'JavaScript',
  kotlin: 'Kotlin',
  markdown: 'Markdown',
  md: 'Markdown',
  php: 'PHP',
  powershell: 'PowerShell',
  ps1: 'PowerShell',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  ruby: 'Ruby',
  rust: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Shell',
};

/** A code block in its well: language, copy button, text that may grow. */
export class CodeBlock {
  readonly root: HTMLElement;
  private readonly code = element('code');
  private run: Text | null = null;
  private lines = 0;

  /** @param info What follows the fence: the language first. */
  constructor(info: string) {
    const label = languageName(info);
    const copy = element(
      'button',
      {
        class: 'icon-btn',
        type: 'button',
        'data-act': 'copy-code',
        'aria-label': S.copyCode,
        title: S.copyCode,
      },
      [icon('copy small')],
    );
    const pre = element('pre', { tabindex: '0', dir: 'ltr', 'aria-label': S.codeBlock(label) }, [
      this.code,
    ]);
    pre.setAttribute('role', 'group');
    this.root = element('figure', { class: 'well code' }, [
      element('figcaption', { class: 'bar sticky' }, [
        element('span', { class: 'grow cut' }, [label]),
        copy,
      ]),
      pre,
    ]);
  }

  /** Appends whole lines, each with its line end. */
  append(text: string): void {
    let start = 0;
    while (start < text.length) {
      const { end, lines } = span(text, start, RUN_LINES - this.lines);
      this.appendToRun(text.slice(start, end));
      this.lines += lines;
      if (this.lines === RUN_LINES) {
        this.lines = 0;
        this.run = null;
      }
      start = end;
    }
  }

  /** Shows the beginning of a line that is still coming in; replaces the one shown before. */
  hold(text: string, held: Text | null): Text | null {
    held?.remove();
    if (text === '') return null;
    const node = document.createTextNode(text);
    (this.run?.parentNode ?? this.code).appendChild(node);
    return node;
  }

  private appendToRun(text: string): void {
    if (this.run !== null) {
      this.run.appendData(text);
      return;
    }
    this.run = document.createTextNode(text);
    this.code.appendChild(element('span', { class: 'run' }, [this.run]));
  }
}

/** The end of at most `limit` lines from `start`, and how many they are. */
function span(text: string, start: number, limit: number): { end: number; lines: number } {
  let end = start;
  for (let lines = 0; lines < limit; lines++) {
    const next = text.indexOf('\n', end);
    if (next === -1) return { end: text.length, lines };
    end = next + 1;
  }
  return { end, lines: limit };
}

/** A whole block at once. `text` is marked's: without its last line end. */
export function codeBlock(info: string, text: string): HTMLElement {
  const block = new CodeBlock(info);
  if (text !== '') block.append(`${text.replace(/\n$/, '')}\n`);
  return block.root;
}

/** The text of the block around a node, as the agent wrote it; `null` outside a block. */
export function codeOf(node: Element): string | null {
  const code = node.closest('figure.code')?.querySelector('pre > code');
  return code?.textContent.replace(/\n$/, '') ?? null;
}

function languageName(info: string): string {
  const id = info.trim().split(/[\s,{]/, 1)[0] ?? '';
  if (id === '') return S.code;
  const name = id.toLowerCase();
  return Object.hasOwn(LANGUAGES, name) ? (LANGUAGES[name] ?? id) : id.slice(0, 40);
}
