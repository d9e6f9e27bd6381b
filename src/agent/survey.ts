import { grammarFor } from './grammars.ts';
import { splitLines } from './outline.ts';
import type { Workspace } from './workspace.ts';

/** A text file, counted. */
export interface CountedFile {
  readonly path: string;
  readonly name: string;
  readonly language: string;
  readonly lines: number;
}

/** What a folder holds. */
export interface Survey {
  readonly files: readonly CountedFile[];
  /** Files that are no text, or too big to be read. */
  readonly others: number;
  /** The most lines first. */
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly lines: number;
  }[];
}

/** Whether a language is one that programs are written in, and not their texts and settings. */
export function isSource(language: string): boolean {
  return !/^(?:Markdown|JSON|Plain text|YAML|TOML|HTML)$/.test(language);
}

/** Counts files and lines by language. */
export async function survey(workspace: Workspace, signal: AbortSignal): Promise<Survey> {
  const files: CountedFile[] = [];
  let others = 0;
  for await (const { path, name } of workspace.walk(signal)) {
    const text = await workspace.textOf(path);
    if (text === undefined) others += 1;
    else
      files.push({
        path,
        name,
        language: grammarFor(name).language,
        lines: splitLines(text).length,
      });
  }
  const totals = new Map<string, { language: string; files: number; lines: number }>();
  for (const { language, lines } of files) {
    const total = totals.get(language) ?? { language, files: 0, lines: 0 };
    total.files += 1;
    total.lines += lines;
    totals.set(language, total);
  }
  const languages = [...totals.values()].sort((a, b) => b.lines - a.lines);
  return { files, others, languages };
}

/** The languages as a Markdown table. */
export function languageTable({ languages }: Survey): string {
  const all = languages.reduce((sum, { lines }) => sum + lines, 0);
  return [
    '| Language | Files | Lines | Share |',
    '| :--- | ---: | ---: | ---: |',
    ...languages.map(({ language, files, lines }) => {
      const share = ((100 * lines) / Math.max(1, all)).toFixed(1);
      return `| ${language} | ${files} | ${lines.toLocaleString('en-US')} | ${share} % |`;
    }),
  ].join('\n');
}
