import path from 'node:path/posix';
import type { Exported } from './exported.ts';

/** A file of the workspace: its name relative to it, with `/`, and its text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The file to test. */
export interface Subject extends NamedText {
  readonly exported: readonly Exported[];
}

const JS = /\.([cm]?[jt]sx?)$/;
const TEST_FILE =
  /(?:^|\/)(?:test_[^/]+\.py|[^/]+_test\.(?:py|go)|[^/]+\.(?:test|spec)\.[cm]?[jt]sx?)$/;

/** Whether a file holds tests, by its name. */
export function isTestFile(name: string): boolean {
  return TEST_FILE.test(name);
}

/** Whether two files are tested in the same way: both JavaScript of some kind, or both Python, and so on. */
export function isKin(one: string, other: string): boolean {
  return JS.test(one) ? JS.test(other) : path.extname(one) === path.extname(other);
}

/**
 * The test framework for a file, as a test that is there imports it, or else a manifest names it, or else the one that
 * comes with the language. Undefined for a language whose tests are not known.
 */
export function frameworkFor(name: string, sample: string, manifests: string): string | undefined {
  const ending = path.extname(name);
  if (ending === '.go') return 'go test';
  if (ending === '.rs') return 'cargo test';
  const isPython = ending === '.py';
  if (!isPython && !JS.test(name)) return undefined;
  const known = isPython
    ? /\b(pytest|unittest)\b/
    : /["'](node:test|vitest|jest|mocha)["']|["']@(jest)\/globals/;
  const found = known.exec(sample) ?? known.exec(manifests);
  // A Python test without a class is for pytest, which need not be imported.
  const fallback = isPython ? (/^def test_/m.test(sample) ? 'pytest' : 'unittest') : 'node:test';
  return found?.[1] ?? found?.[2] ?? fallback;
}

/**
 * A test that runs: it looks whether each export is there, and marks what a person has to write. For cargo it is the
 * subject itself, with tests at its end. Undefined where the subject cannot be imported.
 *
 * @param sample A test that is there already: where tests stand and how they import is as in this one.
 */
export function skeletonFor(
  subject: Subject,
  framework: string,
  sample: NamedText = { name: '', text: '' },
): NamedText | undefined {
  const { dir, ext, name: stem } = path.parse(subject.name);
  if (framework === 'cargo test') return { name: subject.name, text: rust(subject) };
  if (framework === 'go test')
    return { name: path.join(dir, `${stem}_test.go`), text: go(subject) };
  const isPython = ext === '.py';
  const [, mark = 'test'] = /\.(test|spec)\.\w+$/.exec(sample.name) ?? [];
  const [, top] = /^((?:tests?|spec)(?:\/unit)?)\//.exec(sample.name) ?? [];
  const inner = isPython ? '' : dir.replace(/^(?:src|lib)(?:\/|$)/, '');
  const beside = path.join(dir, sample.name.includes('__tests__/') ? '__tests__' : '');
  const folder = top === undefined ? beside : path.join(top, inner);
  const name = path.join(folder, isPython ? `test_${stem}.py` : `${stem}.${mark}${ext}`);
  if (!isPython) return { name, text: javascript(subject, name, framework, sample.text) };
  const text = python(subject, framework);
  return text === undefined ? undefined : { name, text };
}

function javascript(subject: Subject, name: string, framework: string, sample: string): string {
  const { exported, text } = subject;
  const isOld = /exports\b/.test(text) && !/^(?:import|export)\b/m.test(text);
  const load = (what: string, from: string): string =>
    isOld ? `const ${what} = require(${from});` : `import ${what} from ${from};`;
  const named = exported.filter(({ isDefault }) => !isDefault).map((one) => one.name);
  const wanted = exported.filter(({ isDefault }) => isDefault).map((one) => one.name);
  if (named.length > 0) wanted.push(`{ ${named.join(', ')} }`);
  const isAssert = framework === 'node:test' || framework === 'mocha';
  const [it, later] = framework === 'mocha' ? ['it', 'it'] : ['test', 'test.todo'];
  const is = (one: string, what: string): string =>
    isAssert ? `assert.equal(${one}, ${what});` : `expect(${one}).toBe(${what});`;
  return [
    ...(isAssert ? [load('assert', "'node:assert/strict'")] : []),
    ...(framework === 'node:test' ? [load('{ describe, test }', "'node:test'")] : []),
    ...(framework === 'vitest' ? [load('{ describe, expect, test }', "'vitest'")] : []),
    load(wanted.join(', '), quote(importPath(subject, name, isAssert, sample))),
    '',
    `describe(${quote(subject.name)}, () => {`,
    ...exported.flatMap((one) => [
      ...(one === exported[0] ? [] : ['']),
      `  ${it}('${one.name} is ${one.isCallable ? 'a function' : 'there'}', () => {`,
      `    ${one.isCallable ? is(`typeof ${one.name}`, "'function'") : is(`${one.name} !== undefined`, 'true')}`,
      '  });',
      `  ${later}('${one.name} does what it should');`,
    ]),
    '});',
    '',
  ].join('\n');
}

/** The way from the test to its subject, with the ending that the workspace writes in its imports. */
function importPath({ name, text }: NamedText, test: string, isNode: boolean, sample: string) {
  const way = path.relative(path.dirname(test), name);
  const bare = (way.startsWith('.') ? way : `./${way}`).replace(JS, '');
  const ending = path.extname(name);
  const imports = /\b(?:from|require\()\s*['"]\.[^'"\n]{0,300}(?=['"])/;
  const seen = imports.exec(text)?.[0] ?? imports.exec(sample)?.[0];
  if (seen === undefined) return isNode || !ending.includes('t') ? bare + ending : bare;
  const written = JS.exec(seen)?.[0];
  if (written === undefined) return bare;
  // TypeScript that is compiled names the file that will be there.
  const isCompiled = written.includes('j') && ending.includes('t');
  return bare + (isCompiled ? ending.replace('t', 'j').replace('x', '') : ending);
}

function quote(text: string): string {
  return /['\\\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : `'${text}'`;
}

function python({ name, exported }: Subject, framework: string): string | undefined {
  const module = name.replace(/^src\/|\.py$/g, '').replaceAll('/', '.');
  // What is no name in Python cannot be imported by it.
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(module)) return undefined;
  const isPlain = framework === 'pytest';
  const [indent, self] = isPlain ? ['', ''] : ['    ', 'self'];
  const blank = isPlain ? ['', ''] : [''];
  return [
    `import ${framework}`,
    '',
    `from ${module} import ${exported.map((one) => one.name).join(', ')}`,
    ...(isPlain ? [] : ['', '', 'class Tests(unittest.TestCase):']),
    ...exported.flatMap((one, at) => [
      ...(at === 0 && !isPlain ? [] : blank),
      `${indent}def test_${one.name}_is_callable(${self}):`,
      `${indent}    assert callable(${one.name})`,
      ...blank,
      `${indent}@${isPlain ? 'pytest.mark.' : 'unittest.'}skip(reason="not written yet")`,
      `${indent}def test_${one.name}(${self}):`,
      `${indent}    pass`,
    ]),
    '',
  ].join('\n');
}

function go({ text, exported }: Subject): string {
  const [, pack = 'main'] = /^package (\w+)/m.exec(text) ?? [];
  const tests = exported.map(
    ({ name }) => `func Test${name}(t *testing.T) {\n\tt.Skip("not written yet")\n}\n`,
  );
  return `package ${pack}\n\nimport "testing"\n\n${tests.join('\n')}`;
}

function rust({ text, exported }: Subject): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const tests = exported.flatMap(({ name }) => [
    '',
    '    #[test]',
    '    #[ignore = "not written yet"]',
    `    fn ${name}_does_what_it_should() {`,
    `        let _ = ${name};`,
    '    }',
  ]);
  const lines = ['', '#[cfg(test)]', 'mod tests {', '    use super::*;', ...tests, '}', ''];
  return text.replace(/(?<!\n)$/, eol) + lines.join(eol);
}
