import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportsOf } from '../../../src/agent/exported.ts';
import type { NamedText } from '../../../src/agent/skeleton.ts';
import { frameworkFor, isKin, isTestFile, skeletonFor } from '../../../src/agent/skeleton.ts';

const names = (file: string, text: string): readonly string[] =>
  exportsOf(file, text).map(({ name }) => name);

function made(file: NamedText, framework: string, sample?: NamedText): NamedText {
  const result = skeletonFor(
    { ...file, exported: exportsOf(file.name, file.text) },
    framework,
    sample,
  );
  assert.ok(result);
  return result;
}

describe('what a file gives to others', () => {
  test('in TypeScript is what it exports and what is there at run time', () => {
    const text =
      'export function a() {}\nexport class B {}\nexport const c = 1;\nexport type D = 1;\nexport interface E {}\nfunction f() {}\nclass G {}\nexport { f as h, f, G };\nexport { z } from "./z";\n';
    assert.deepEqual(exportsOf('x.ts', text), [
      { name: 'a', isCallable: true, isDefault: false },
      { name: 'B', isCallable: true, isDefault: false },
      { name: 'c', isCallable: false, isDefault: false },
      { name: 'f', isCallable: true, isDefault: false },
      { name: 'G', isCallable: true, isDefault: false },
      { name: 'h', isCallable: false, isDefault: false },
    ]);
    assert.deepEqual(exportsOf('x.ts', 'export default function main() {}\n'), [
      { name: 'main', isCallable: true, isDefault: true },
    ]);
    assert.deepEqual(names('x.ts', 'export const test = 1;\nexport const tested = 1;\n'), [
      'tested',
    ]);
    assert.deepEqual(names('x.ts', 'interface A {}\nexport { A, type B };\n'), []);
  });

  test('in CommonJS is what it hangs on `exports`', () => {
    assert.deepEqual(
      names('x.js', 'function a() {}\nmodule.exports = {\n  a,\n  b: 1,\n};\nexports.c = a;\n'),
      ['a', 'b', 'c'],
    );
  });

  test('in Python, Go and Rust is what their rules say', () => {
    assert.deepEqual(
      names('x.py', 'def a():\n  pass\ndef _b():\n  pass\nclass C:\n    def d(self):\n'),
      ['a', 'C'],
    );
    assert.deepEqual(
      names('x.go', 'func Add(a int) int {\n}\nfunc sub() {\n}\ntype T struct {\n'),
      ['Add'],
    );
    assert.deepEqual(names('x.rs', 'pub fn a() {}\nfn b() {}\npub struct C;\n'), ['a']);
  });
});

describe('the test style of a folder', () => {
  test('is that of a test that is there, else of a manifest, else of the language', () => {
    assert.equal(frameworkFor('a.ts', "import { test } from 'vitest';", '"jest": "1"'), 'vitest');
    assert.equal(frameworkFor('a.ts', "import test from 'node:test';", '"jest": "1"'), 'node:test');
    assert.equal(frameworkFor('a.ts', "import { it } from '@jest/globals';", ''), 'jest');
    assert.equal(frameworkFor('a.ts', '', '{ "devDependencies": { "mocha": "1" } }'), 'mocha');
    assert.equal(frameworkFor('a.ts', '', '{ "name": "a-jest-like-thing" }'), 'node:test');
    assert.equal(frameworkFor('a.py', 'def test_x():\n    pass\n', ''), 'pytest');
    assert.equal(frameworkFor('a.py', '', '[tool.pytest.ini_options]'), 'pytest');
    assert.equal(frameworkFor('a.py', 'import unittest\n', 'pytest'), 'unittest');
    assert.equal(frameworkFor('a.py', '', ''), 'unittest');
    assert.equal(frameworkFor('a.go', '', ''), 'go test');
    assert.equal(frameworkFor('a.rs', '', ''), 'cargo test');
    assert.equal(frameworkFor('a.java', '', ''), undefined);
  });

  test('is seen in files that are tests by their name', () => {
    for (const name of ['a.test.ts', 'x/a.spec.mjs', 'test_a.py', 'tests/a_test.py', 'a_test.go'])
      assert.ok(isTestFile(name), name);
    for (const name of ['a.ts', 'test.ts', 'latest.py', 'contest_a.py'])
      assert.ok(!isTestFile(name), name);
    assert.ok(
      isKin('a.ts', 'b.test.mjs') && !isKin('a.ts', 'test_b.py') && isKin('a.py', 'test_b.py'),
    );
  });
});

describe('a test skeleton', () => {
  const add = { name: 'src/math/add.ts', text: "import './x.ts';\nexport function add() {}\n" };

  test('for node:test looks for each export and marks what is to be written', () => {
    assert.deepEqual(made(add, 'node:test', { name: 'test/unit/b.test.ts', text: '' }), {
      name: 'test/unit/math/add.test.ts',
      text: [
        "import assert from 'node:assert/strict';",
        "import { describe, test } from 'node:test';",
        "import { add } from '../../../src/math/add.ts';",
        '',
        "describe('src/math/add.ts', () => {",
        "  test('add is a function', () => {",
        "    assert.equal(typeof add, 'function');",
        '  });',
        "  test.todo('add does what it should');",
        '});',
        '',
      ].join('\n'),
    });
  });

  test('stands where tests of the folder stand, and is called as they are', () => {
    const place = (sample?: string): string =>
      made(add, 'vitest', sample === undefined ? undefined : { name: sample, text: '' }).name;
    assert.equal(place(), 'src/math/add.test.ts');
    assert.equal(place('src/b.spec.ts'), 'src/math/add.spec.ts');
    assert.equal(place('tests/b.test.ts'), 'tests/math/add.test.ts');
    assert.equal(place('src/__tests__/b.test.ts'), 'src/math/__tests__/add.test.ts');
  });

  test('imports with the ending that the folder writes', () => {
    const imported = (text: string, framework: string, sample = ''): string | undefined =>
      /from '(\.[^']*)'/.exec(
        made({ name: 'src/add.ts', text: `${text}export const a = 1;\n` }, framework, {
          name: 'src/b.test.ts',
          text: sample,
        }).text,
      )?.[1];
    assert.equal(imported("import { x } from './x.js';\n", 'vitest'), './add.js');
    assert.equal(imported("import { x } from './x';\n", 'node:test'), './add');
    assert.equal(imported('', 'jest', "import { b } from './b';"), './add');
    assert.equal(imported('', 'vitest'), './add');
    assert.equal(imported('', 'node:test'), './add.ts');
    const jsx = {
      name: 'App.jsx',
      text: "import './x.jsx';\nimport a from './a.jsx';\nexport const App = 1;\n",
    };
    assert.match(made(jsx, 'vitest').text, /from '\.\/App\.jsx'/);
    const tsx = { name: 'App.tsx', text: "import a from './a.js';\nexport const App = 1;\n" };
    assert.match(made(tsx, 'vitest').text, /from '\.\/App\.js'/);
  });

  test('of a CommonJS file requires it', () => {
    const { text } = made({ name: 'add.js', text: 'exports.add = 1;\n' }, 'jest');
    assert.match(text, /^const \{ add \} = require\('\.\/add\.js'\);\n\ndescribe\(/);
    assert.match(text, /expect\(add !== undefined\)\.toBe\(true\)/);
  });

  test('of a default export imports it by its name', () => {
    const { text } = made(
      { name: 'a.mjs', text: 'export default class A {}\nexport const b = 1;\n' },
      'mocha',
    );
    assert.match(text, /^import A, \{ b \} from '\.\/a\.mjs';$/m);
    assert.match(text, /^ {2}it\('A does what it should'\);$/m);
  });

  test('puts a name that is no path of a program into quotes that hold', () => {
    const { text } = made({ name: "src/it's.js", text: 'export const a = 1;\n' }, 'node:test');
    assert.match(text, /from "\.\/it's\.js";/);
    assert.match(text, /describe\("src\/it's\.js"/);
  });

  test('in Python fits pytest or unittest', () => {
    const file = { name: 'src/pack/tool.py', text: 'def greet():\n    pass\n' };
    assert.deepEqual(made(file, 'pytest', { name: 'tests/test_b.py', text: '' }), {
      name: 'tests/test_tool.py',
      text: 'import pytest\n\nfrom pack.tool import greet\n\n\ndef test_greet_is_callable():\n    assert callable(greet)\n\n\n@pytest.mark.skip(reason="not written yet")\ndef test_greet():\n    pass\n',
    });
    assert.deepEqual(made(file, 'unittest'), {
      name: 'src/pack/test_tool.py',
      text: 'import unittest\n\nfrom pack.tool import greet\n\n\nclass Tests(unittest.TestCase):\n    def test_greet_is_callable(self):\n        assert callable(greet)\n\n    @unittest.skip(reason="not written yet")\n    def test_greet(self):\n        pass\n',
    });
    const odd = { name: 'my-tool.py', text: 'def a():\n' };
    assert.equal(
      skeletonFor({ ...odd, exported: exportsOf(odd.name, odd.text) }, 'pytest'),
      undefined,
    );
  });

  test('in Go and Rust stands where these languages want it', () => {
    assert.deepEqual(
      made({ name: 'pkg/add.go', text: 'package pkg\n\nfunc Add() {\n' }, 'go test'),
      {
        name: 'pkg/add_test.go',
        text: 'package pkg\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tt.Skip("not written yet")\n}\n',
      },
    );
    assert.deepEqual(made({ name: 'src/lib.rs', text: 'pub fn add() {}' }, 'cargo test'), {
      name: 'src/lib.rs',
      text: 'pub fn add() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[ignore = "not written yet"]\n    fn add_does_what_it_should() {\n        let _ = add;\n    }\n}\n',
    });
  });
});
