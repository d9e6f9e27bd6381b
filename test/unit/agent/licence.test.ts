import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  headerLines,
  licenceInManifest,
  licenceOf,
  withHeader,
} from '../../../src/agent/licence.ts';

const MIT = 'Permission is hereby granted, free of charge, to any person obtaining a copy';
const BSD = 'Redistribution and use in source and binary forms, with or without modification';

describe('which licence it is', () => {
  for (const [text, id] of [
    [`MIT License\n\n${MIT}`, 'MIT'],
    ['                 Apache License\n           Version 2.0, January 2004', 'Apache-2.0'],
    ['Mozilla Public License Version 2.0', 'MPL-2.0'],
    [BSD, 'BSD-2-Clause'],
    [`${BSD}\n\n3. Neither the name of the copyright holder`, 'BSD-3-Clause'],
    ['Permission to use, copy, modify, and/or distribute this software for any purpose', 'ISC'],
    ['This is free and unencumbered software released into the public domain.', 'Unlicense'],
    ['SPDX-License-Identifier: EUPL-1.2', 'EUPL-1.2'],
    // The text is the same whether a later version may be taken or not, so it does not tell.
    ['GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007', undefined],
    ['All rights reserved.', undefined],
    ['', undefined],
  ] as const) {
    test(`“${text.trim().slice(0, 40)}…” is ${id ?? 'not known'}`, () => {
      assert.equal(licenceOf(text)?.id, id);
    });
  }

  test('the holder is whom the copyright line names, and nobody where it is a template', () => {
    const holder = (line: string): string | undefined => licenceOf(`${line}\n\n${MIT}`)?.holder;
    assert.equal(holder('Copyright (c) 2024 Jane Doe'), '2024 Jane Doe');
    assert.equal(
      holder('Copyright © 2019-2024, Some Company. All rights reserved.'),
      '2019-2024, Some Company.',
    );
    assert.equal(holder('   Copyright [yyyy] [name of copyright owner]'), undefined);
    assert.equal(holder('Copyright (c) <year> <copyright holders>'), undefined);
    assert.equal(holder('no such line'), undefined);
  });

  test('a holder’s name closes no comment', () => {
    const found = licenceOf(`Copyright (c) 2024 Jane */ evil(); --> x\n\n${MIT}`);
    assert.ok(found);
    assert.doesNotMatch(headerLines(found).join('\n'), /\*\/|-->/);
  });

  test('a manifest names it in its own way', () => {
    assert.equal(licenceInManifest('{\n  "name": "x",\n  "license": "MIT"\n}'), 'MIT');
    assert.equal(
      licenceInManifest('{\n  "license": "(MIT OR Apache-2.0)"\n}'),
      'MIT OR Apache-2.0',
    );
    assert.equal(licenceInManifest('[package]\nlicense = "MPL-2.0"\n'), 'MPL-2.0');
    assert.equal(
      licenceInManifest('[project]\nlicense = { text = "BSD-3-Clause" }\n'),
      'BSD-3-Clause',
    );
    assert.equal(licenceInManifest('{ "name": "x", "license": "ISC" }'), 'ISC');
    for (const other of ['UNLICENSED', 'SEE LICENSE IN LICENSE.md', '*/ evil()', '']) {
      assert.equal(licenceInManifest(`{\n  "license": "${other}"\n}`), undefined, other);
    }
    assert.equal(licenceInManifest('{ "keywords": ["license"] }'), undefined);
  });
});

describe('a licence header', () => {
  const header = ['Copyright 2024 Jane Doe', 'SPDX-License-Identifier: MIT'];
  const put = (name: string, text: string) => withHeader(name, text, header);

  test('is a comment in the language of the file, with a blank line behind it', () => {
    const text = '// Copyright 2024 Jane Doe\n// SPDX-License-Identifier: MIT\n\nx;\n';
    assert.deepEqual(put('a.ts', 'x;\n'), { text, line: 1 });
    assert.deepEqual(put('a.ts', '\nx;\n'), { text, line: 1 });
    assert.deepEqual(put('a.css', 'a{}\n'), {
      text: '/* Copyright 2024 Jane Doe */\n/* SPDX-License-Identifier: MIT */\n\na{}\n',
      line: 1,
    });
    assert.equal(put('data.json', '{}'), 'without comments');
  });

  test('stays behind what only works at the top', () => {
    for (const [name, first] of [
      ['a.sh', '#!/bin/sh'],
      ['a.js', "'use strict';"],
      ['a.tsx', '"use client"'],
      ['a.py', '#!/usr/bin/env python3\n# -*- coding: utf-8 -*-'],
      ['a.rb', '# frozen_string_literal: true'],
      ['a.php', '<?php'],
      ['a.html', '<!doctype html>'],
      ['a.css', '@charset "utf-8";'],
    ] as const) {
      const made = put(name, `${first}\nrest\n`);
      assert.ok(typeof made === 'object');
      assert.ok(made.text.startsWith(`${first}\n`), name);
      assert.equal(made.text.split('\n')[made.line - 1]?.includes('Jane Doe'), true, name);
      assert.ok(made.text.endsWith('\n\nrest\n'), name);
    }
  });

  test('keeps line ends and the byte-order mark', () => {
    const made = put('a.ts', '\uFEFFx;\r\n');
    assert.ok(typeof made === 'object');
    assert.equal(
      made.text,
      '\uFEFF// Copyright 2024 Jane Doe\r\n// SPDX-License-Identifier: MIT\r\n\r\nx;\r\n',
    );
  });

  test('is not put where one is, nor into what a tool writes', () => {
    for (const text of [
      '// SPDX-License-Identifier: Apache-2.0\n',
      '/*\n * Copyright 2020 Somebody\n */\n',
      '/*\nCopyright 2020 Somebody\n*/\n',
      '#!/bin/sh\n# Licensed under the MIT license.\n',
      '<!-- (c) 2020 Somebody -->\n',
    ]) {
      assert.equal(put('a.ts', text), 'with one', text);
    }
    assert.equal(put('a.ts', '// Code generated by x. DO NOT EDIT.\nx\n'), 'written by a tool');
    // Code that only speaks of licences has none.
    assert.equal(typeof put('a.ts', "import { licence } from './licence.ts';\n"), 'object');
    assert.equal(typeof put('a.ts', 'const copyrightLine = 1;\n'), 'object');
  });

  test('is never put twice', () => {
    const once = put('a.py', '#!/bin/python\nx\n');
    assert.ok(typeof once === 'object');
    assert.equal(put('a.py', once.text), 'with one');
  });

  test('is quick with what machines write', () => {
    const start = performance.now();
    for (const text of [' '.repeat(1e6), '/* '.repeat(3e5), 'a '.repeat(5e5), '\n'.repeat(1e6)])
      put('a.ts', text);
    assert.ok(performance.now() - start < 2_000);
  });
});
