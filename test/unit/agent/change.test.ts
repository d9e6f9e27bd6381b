import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renameWord, smallChange } from '../../../src/agent/change.ts';

const MARK = 'Edited by the Parley reference agent';

describe('the small change of /edit', () => {
  test('is a comment line in the language of the file', () => {
    assert.equal(smallChange('a.ts', 'x;\n')?.text, `// ${MARK}\nx;\n`);
    assert.equal(smallChange('a.py', 'x\n')?.text, `# ${MARK}\nx\n`);
    assert.equal(smallChange('README.md', '# T\n')?.text, `<!-- ${MARK} -->\n# T\n`);
    assert.equal(smallChange('a.css', 'a{}\n')?.text, `/* ${MARK} */\na{}\n`);
    assert.equal(smallChange('deep/Makefile', 'all:\n')?.text, `# ${MARK}\nall:\n`);
  });

  test('stays behind the tag that opens PHP, which would print it', () => {
    assert.equal(smallChange('a.php', '<?php\necho 1;\n')?.text, `<?php\n// ${MARK}\necho 1;\n`);
  });

  test('counts when it is made again, instead of growing the file', () => {
    const once = smallChange('a.ts', 'x;\n')?.text ?? '';
    const twice = smallChange('a.ts', once)?.text ?? '';
    assert.equal(twice, `// ${MARK} (2 times)\nx;\n`);
    assert.equal(smallChange('a.ts', twice)?.text, `// ${MARK} (3 times)\nx;\n`);
  });

  test('keeps line ends, a byte-order mark, and a first line that must stay first', () => {
    assert.equal(smallChange('a.ts', 'x;\r\ny;\r\n')?.text, `// ${MARK}\r\nx;\r\ny;\r\n`);
    assert.equal(smallChange('a.ts', '\uFEFFx;\n')?.text, `\uFEFF// ${MARK}\nx;\n`);
    const script = smallChange('a.sh', '#!/bin/sh\nls\n');
    assert.deepEqual([script?.text, script?.line], [`#!/bin/sh\n# ${MARK}\nls\n`, 2]);
    assert.equal(
      smallChange('a.xml', '<?xml version="1.0"?>\n<a/>\n')?.text,
      `<?xml version="1.0"?>\n<!-- ${MARK} -->\n<a/>\n`,
    );
  });

  test('indents JSON otherwise, and only when no value is touched', () => {
    const two = '{\n  "a": [\n    1\n  ]\n}\n';
    const four = '{\n    "a": [\n        1\n    ]\n}\n';
    assert.equal(smallChange('a.json', two)?.text, four);
    assert.equal(smallChange('a.json', four)?.text, two);
    assert.equal(smallChange('a.json', '{"a": [1]}')?.text, two.trimEnd());
    for (const text of [
      '{"a": 12345678901234567890}',
      '{"a": 1, "a": 2}',
      '{"a": 1.0}',
      '{ broken',
      '',
    ]) {
      assert.equal(smallChange('a.json', text), undefined, text);
    }
    assert.equal(
      smallChange('a.json', '{\n  // why\n  "a": 1\n}\n')?.text,
      `// ${MARK}\n{\n  // why\n  "a": 1\n}\n`,
    );
  });

  test('is a last line in plain text', () => {
    assert.deepEqual(smallChange('a.txt', 'one'), {
      text: `one\n${MARK}.\n`,
      line: 2,
      summary: 'It has one line more at its end.',
    });
    assert.equal(smallChange('a.txt', '')?.text, `${MARK}.\n`);
    assert.equal(smallChange('noending', 'one\r\n')?.text, `one\r\n${MARK}.\r\n`);
  });
});

describe('renaming a word', () => {
  test('replaces whole words only, and says where and how often', () => {
    const change = renameWord('addend\nadd(add)\nadd_one $add\n', 'add', 'sum');
    assert.deepEqual(change && [change.text, change.line, change.times], [
      'addend\nsum(sum)\nadd_one $add\n',
      2,
      2,
    ]);
  });

  test('takes both words literally', () => {
    assert.equal(renameWord('a.b axb', 'a.b', '$&')?.text, '$& axb');
    assert.equal(renameWord('größe', 'größe', 'x')?.text, 'x');
    assert.equal(renameWord('größer', 'größe', 'x'), undefined);
  });

  test('leaves the names of files alone, for they stay as they are', () => {
    const text =
      "import { add } from '../src/add.ts';\nrequire('./add');\nadd(a/add); // see /add\n";
    assert.equal(
      renameWord(text, 'add', 'sum')?.text,
      "import { sum } from '../src/add.ts';\nrequire('./add');\nsum(a/sum); // see /sum\n",
    );
    assert.equal(renameWord("require('./add')", 'add', 'sum'), undefined);
  });

  test('changes nothing where there is nothing to change', () => {
    assert.equal(renameWord('abc', 'x', 'y'), undefined);
    assert.equal(renameWord('abc', 'abc', 'abc'), undefined);
  });
});
