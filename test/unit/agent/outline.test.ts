import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outline, splitLines } from '../../../src/agent/outline.ts';

const text = (...lines: string[]): string => `${lines.join('\n')}\n`;

describe('the outline of a file', () => {
  test('lists declarations of TypeScript with their lines, kinds and exports', () => {
    const found = outline(
      'a.ts',
      text(
        "import fs from 'node:fs';",
        'import {',
        '  one,',
        "} from './one.ts';",
        "const lazy = await import('./two.ts');",
        'export default async function main() {',
        '  if (fs) {',
        '    call();',
        '  }',
        '}',
        'export abstract class Box<T> {',
        '  constructor(private readonly a: T) {}',
        '  async open(): Promise<void> {',
        '    if (this.a) return;',
        '    run(this.a);',
        '  }',
        '  static #secret() {}',
        '}',
        'type Pair = [number, number];',
      ),
    );
    assert.deepEqual(
      found.declarations.map(({ line, kind, name, exported }) => [line, kind, name, exported]),
      [
        [5, 'const', 'lazy', false],
        [6, 'function', 'main', true],
        [11, 'class', 'Box', true],
        [13, 'method', 'open', false],
        [17, 'method', '#secret', false],
        [19, 'type', 'Pair', false],
      ],
    );
    assert.deepEqual(found.imports, ['node:fs', './one.ts', './two.ts']);
  });

  test('reads Python, Go, Rust and C as well', () => {
    const names = (name: string, source: string): readonly string[] =>
      outline(name, source).declarations.map((one) => `${one.kind} ${one.name}`);
    assert.deepEqual(names('a.py', text('class A:', '    def b(self):', 'async def c():')), [
      'class A',
      'method b',
      'def c',
    ]);
    assert.deepEqual(names('a.go', text('func (s *S) Run() error {', 'type S struct {')), [
      'function Run',
      'type S',
    ]);
    assert.deepEqual(names('a.rs', text('pub fn a() {', 'impl B for C {', '    fn d(&self) {')), [
      'fn a',
      'impl B for C',
      'method d',
    ]);
    assert.deepEqual(names('a.c', text('#define MAX 1', 'static int add(int a)', '{')), [
      'macro MAX',
      'function add',
    ]);
    assert.deepEqual(outline('a.py', text('from os.path import join', 'import sys')).imports, [
      'os.path',
      'sys',
    ]);
  });

  test('counts lines, blank lines and comment lines, whatever the line ends are', () => {
    const lines = ['// one', 'a', '', '/* two', '   three */', 'b /* no */', '   ', '// four'];
    for (const end of ['\n', '\r\n', '\r']) {
      const found = outline('a.js', lines.join(end) + end);
      assert.deepEqual([found.lines, found.blank, found.comments], [8, 2, 4], JSON.stringify(end));
    }
  });

  test('quotes the first comment that is not about the licence', () => {
    const found = outline(
      'a.ts',
      text(
        '// Copyright someone',
        '// All rights reserved.',
        '',
        '/**',
        ' * Adds',
        ' * numbers.',
        ' */',
        'x',
      ),
    );
    assert.equal(found.about, 'Adds numbers.');
    assert.equal(outline('a.sh', text('#!/bin/sh', '# Cleans up.', 'rm x')).about, 'Cleans up.');
    assert.equal(outline('a.py', text('"""Says hello."""', 'x = 1')).about, 'Says hello.');
    assert.equal(outline('a.py', text('"""Says', 'hello.', '"""', 'x = 1')).about, 'Says hello.');
  });

  test('takes headings of Markdown for its parts and the first paragraph for its words', () => {
    const found = outline(
      'a.md',
      text('# Title', '', '[![badge](x)](y)', '', 'First words', 'go on.', '', '## Next'),
    );
    assert.deepEqual(
      found.declarations.map(({ line, name }) => [line, name]),
      [
        [1, '# Title'],
        [8, '## Next'],
      ],
    );
    assert.equal(found.about, 'First words go on.');
  });

  test('knows to-dos by their marks in capitals', () => {
    assert.deepEqual(
      outline('a.txt', text('TODO a', 'todo b', 'x FIXME: c', 'TODOS')).todos,
      [1, 3],
    );
  });

  test('has nothing to say about an empty file', () => {
    const found = outline('a.ts', '');
    assert.deepEqual(
      [found.lines, found.declarations, found.imports, found.about],
      [0, [], [], ''],
    );
  });

  test('is quick with what machines write', () => {
    const hostile = [
      `${'a '.repeat(200_000)}(`,
      `import ${'{'.repeat(100_000)}`,
      `/*${'*'.repeat(100_000)}`,
      'static '.repeat(50_000),
    ];
    for (const name of ['a.ts', 'a.c', 'a.java', 'a.css', 'a.rs', 'a.md', 'a.sql']) {
      const start = performance.now();
      for (const source of hostile) outline(name, source);
      assert.ok(performance.now() - start < 2_000, name);
    }
  });

  test('splits lines so that a newline at the end begins no further one', () => {
    assert.deepEqual(splitLines('a\nb\n'), ['a', 'b']);
    assert.deepEqual(splitLines('a\n\n'), ['a', '']);
    assert.deepEqual(splitLines('a'), ['a']);
    assert.deepEqual(splitLines(''), []);
  });
});
