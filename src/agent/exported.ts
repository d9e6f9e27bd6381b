import { outline, splitLines } from './outline.ts';

/** Something that a file gives to others. */
export interface Exported {
  readonly name: string;
  /** A function or a class. */
  readonly isCallable: boolean;
  readonly isDefault: boolean;
}

const MAX_NAMES = 30;
const CALLABLE = /^(?:function|class|def|fn)$/;
/** Gone at run time, or part of something else. */
const NOT_GIVEN = /^(?:type|interface|namespace|method|impl)$/;

/**
 * What a file exports, as far as patterns can tell: types, which are gone at run time, are left out, and so are the few
 * names that a test needs for itself.
 */
export function exportsOf(file: string, text: string): readonly Exported[] {
  const { language, declarations } = outline(file, text);
  const lines = splitLines(text);
  const isScript = /^(?:Type|Java)Script$/.test(language);
  const listed = new Set(isScript ? listedIn(text) : []);
  const found = new Map<string, Exported>();
  for (const { name, kind, exported, line } of declarations) {
    if (NOT_GIVEN.test(kind)) listed.delete(name);
    else if (isGiven(language, kind, name, exported) || listed.has(name)) {
      const isDefault = /^export\s+default\b/.test(lines[line - 1] ?? '');
      found.set(name, { name, isCallable: CALLABLE.test(kind), isDefault });
    }
  }
  for (const name of listed) {
    if (!found.has(name)) found.set(name, { name, isCallable: false, isDefault: false });
  }
  return [...found.values()]
    .filter(({ name }) => /^(?!(?:assert|describe|expect|it|test)$)[A-Za-z_$][\w$]*$/.test(name))
    .slice(0, MAX_NAMES);
}

/** Whether others can use it, in the way of its language. */
function isGiven(language: string, kind: string, name: string, exported: boolean): boolean {
  if (language === 'Python') return !name.startsWith('_');
  if (language === 'Go') return kind === 'function' && /^[A-Z]/.test(name);
  return exported && (language !== 'Rust' || kind === 'fn');
}

/** Names in `export { a, b as c }`, `module.exports = { a, b }` and `exports.a = …`. */
function listedIn(text: string): readonly string[] {
  const lists = /^(?:export|module\.exports\s*=)\s*\{([^{}]{0,2000})\}(?!\s*from)/gm;
  const single = /^(?:module\.)?exports\.([\w$]{1,100})\s*=/gm;
  return [...text.matchAll(lists), ...text.matchAll(single)]
    .flatMap(([, list = '']) => list.split(','))
    .map((part) => part.replace(/^[^]*\bas\s+|:[^]*$/g, '').trim())
    .filter((name) => name !== 'default');
}
