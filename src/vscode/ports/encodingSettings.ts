import * as vscode from 'vscode';

export interface EncodingSettings {
  /** What the settings name for the file, most likely first; those for one language are among them. */
  readonly encodings: readonly string[];
  /** Whether VS Code looks at the bytes to guess another one. */
  readonly guesses: boolean;
  /** UTF-8 for this file, whatever its language, and no guessing. */
  readonly isPlain: boolean;
}

/** What VS Code can guess, those that hold more characters before those that hold less. */
export const GUESSED: readonly string[] = [
  'windows1252',
  'shiftjis',
  'eucjp',
  'gbk',
  'gb2312',
  'gb18030',
  'cp950',
  'big5hkscs',
  'euckr',
  'windows1251',
  'koi8r',
  'iso88595',
  'cp866',
  'cp1125',
  'windows1250',
  'iso88592',
  'windows1253',
  'iso88597',
  'windows1255',
  'iso88598',
  'windows1254',
  'windows1256',
  'windows1257',
  'iso88591',
];

/** How VS Code's settings say that a file is encoded. */
export function encodingSettings(uri: vscode.Uri): EncodingSettings {
  const files = vscode.workspace.getConfiguration('files', uri);
  const encoding = nameIn(files.get('encoding')) ?? 'utf8';
  const byLanguage = (files.inspect('encoding')?.languageIds ?? []).flatMap((languageId) => {
    const settings = vscode.workspace.getConfiguration('files', { uri, languageId });
    return nameIn(settings.get('encoding')) ?? [];
  });
  const guesses = files.get('autoGuessEncoding') === true || guessesByLanguage(files);
  const candidates: unknown = files.get('candidateGuessEncodings');
  const named =
    guesses && Array.isArray(candidates) ? candidates.flatMap((x) => nameIn(x) ?? []) : [];
  return {
    encodings: [...new Set([encoding, ...byLanguage, ...named])],
    guesses,
    isPlain: !guesses && [encoding, ...byLanguage].every((name) => /^utf8(bom)?$/.test(name)),
  };
}

function guessesByLanguage(files: vscode.WorkspaceConfiguration): boolean {
  return (files.inspect('autoGuessEncoding')?.languageIds ?? []).length > 0;
}

function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
