import assert from 'node:assert/strict';
import fs from 'node:fs';
import { before, describe, test } from 'node:test';
import esbuild from 'esbuild';
import type { FakeHost } from '../fakes/FakeHost.ts';
import type { Probe } from './probe.ts';
import { usePages } from './support.ts';

/** The parts of Markdown, each apt to be cut in the middle. */
const PIECES: readonly string[] = [
  '# Title\n\n',
  'Setext\n======\n\nAnother\n---\n\n',
  'A paragraph with **bold**, *it*, ~~del~~, `code`, <b>tags</b> &amp; &#65;.\nSecond line  \nbroken\n\n',
  '- one\n- two\n  - nested **b**\n\n    para in item\n- three\n\n',
  '* tight\n* list\n+ other\n\n',
  '1. a\n2. b\n\n   loose\n3. c\n\n',
  '7) seven\n8) eight\n\n',
  '- [x] done\n- [ ] open\n- plain\n\n',
  '```ts\nconst a = 1;\n\n\n// `x`\n```\n\n',
  '~~~\n```\nnot the end\n~~~\n\n',
  '  ```js\n  indented\n    more\n  ```\n\n',
  '````md\n```\ninner\n```\n````\n',
  '```\n```\n\n',
  '    indented code\n\n    more\n\n',
  '| a | b |\n|:--|--:|\n| 1 | **2** |\n| `x|y` | z |\n| 5 | 6 |\n| 7 | 8 |\n\n',
  '> quote\nlazy\n> > deeper\n> - list\n\n',
  '---\n\n',
  '[link](https://example.org "t") and [ref][r] and <https://a.example> and www.example.org\n\n',
  '[r]: https://ref.example\n\n',
  '![pic](data:image/png;base64,AA==) ![remote](https://x.example/a.png)\n\n',
  '<div>\nraw *html*\n</div>\n\n',
  '<!-- comment\n\nmore -->\n\n',
  'line one\r\nline two\r\n\r\n',
  'שלום **עולם** \u202eabc\n\n',
  '\ud83d\ude00 \ud83d broken \udc00\n\n',
  'Term\n: not a list\n\n',
  '\\*not\\* \\`code\\`\n\n',
  'Header\n| not | a table |\n\n',
];

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function document(next: () => number): string {
  const count = 3 + Math.floor(next() * 12);
  return Array.from({ length: count }, () => PIECES[Math.floor(next() * PIECES.length)]).join('');
}

function split(text: string, longest: number, next: () => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + 1 + Math.floor(next() * longest);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

describe('Markdown', () => {
  const pages = usePages();
  let host: FakeHost;

  before(async () => {
    const built = esbuild.buildSync({
      entryPoints: ['test/webview/probe.ts'],
      bundle: true,
      write: false,
      format: 'iife',
    });
    host = await pages.openScript('probe', built.outputFiles[0]?.text ?? '');
  });

  const ask = <K extends keyof Probe>(
    name: K,
    ...args: Parameters<Probe[K]>
  ): Promise<ReturnType<Probe[K]>> =>
    host.page.evaluate(
      ([method, values]) => {
        const probe = Reflect.get(window, 'probe') as Record<
          string,
          (...args: unknown[]) => unknown
        >;
        return probe[method as string]?.(...(values as unknown[]));
      },
      [name, args] as const,
    ) as Promise<ReturnType<Probe[K]>>;

  test('a text that streams in is drawn as the whole text is, wherever it is split', async () => {
    const next = random(20261130);
    for (let round = 0; round < 250; round++) {
      const text = document(next);
      const pieces = split(text, round % 2 === 0 ? 6 : 60, next);
      assert.equal(await ask('streamed', pieces), await ask('whole', text), JSON.stringify(pieces));
    }
  });

  test('real documents stream in as they are drawn whole', async () => {
    const next = random(7);
    for (const file of [
      'README.md',
      'ARCHITECTURE.md',
      'node_modules/marked/README.md',
      'node_modules/preact/README.md',
    ]) {
      if (!fs.existsSync(file)) continue;
      const text = fs.readFileSync(file, 'utf8').slice(0, 40_000);
      assert.equal(await ask('streamed', split(text, 80, next)), await ask('whole', text), file);
    }
  });

  test('a link that is defined after its use is a link when the turn has ended', async () => {
    const html = await ask('streamed', ['See [it][x].\n\nMore.\n\n', '[x]: https://x.example\n']);
    assert.match(html, /<a href="https:\/\/x\.example"/);
  });

  test('emphasis and code that are still open are drawn as if they were closed', async () => {
    for (const [source, healed] of [
      ['a **bo', 'a **bo**'],
      ['a **bold*', 'a **bold**'],
      ['a `co', 'a `co`'],
      ['a *it', 'a *it*'],
      ['a ~~de', 'a ~~de~~'],
      ['a [text](http://x', 'a text'],
      ['done **b** and', 'done **b** and'],
      ['2 * 3', '2 * 3'],
      ['snake_case_', 'snake_case_'],
      ['text\n-', 'text'],
      ['- a\n- **b', '- a\n- **b**'],
      ['```\n**x', '```\n**x'],
      ['\\*x', '\\*x'],
      ['', ''],
    ] as const) {
      assert.equal(await ask('heal', source), healed, JSON.stringify(source));
    }
  });

  test('while words stream in, no marks of emphasis flash up', async () => {
    const seen = await ask('seen', Array.from('This is **bold**, `code` and *it* ~~del~~ end.'));
    for (const text of seen) assert.doesNotMatch(text, /[*`~]/, JSON.stringify(text));
  });

  test('a paragraph before a list does not become a heading for a moment', async () => {
    const html: string[] = [];
    for (const end of ['Text\n', 'Text\n-', 'Text\n- item']) {
      await ask('seen', [end]);
      html.push((await ask('heal', end)).includes('-\n') ? 'setext' : 'text');
    }
    assert.deepEqual(html, ['text', 'text', 'text']);
  });

  test('blocks that ended cost nothing more: a chunk at 200 KB costs what one at 5 KB does', async () => {
    const next = random(3);
    let text = '';
    while (text.length < 200_000) text += document(next).replace(/<!--[^]*?-->/g, '');
    const costs = await ask('costs', split(text, 100, next));
    const median = (values: readonly number[]): number =>
      [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const early = median(costs.slice(20, 200));
    const late = median(costs.slice(-300));
    // Wide, since this is no benchmark: parsing everything again would be forty times dearer.
    assert.ok(late < Math.max(early, 0.1) * 5, `${early} ms, then ${late} ms`);
  });

  const DEEP: Readonly<Record<string, string>> = {
    'quotes 10,000 deep': `${'>'.repeat(10_000)} x`,
    'quotes deeper line by line': Array.from(
      { length: 200 },
      (_, i) => `${'>'.repeat(i + 1)} q`,
    ).join('\n'),
    'lists 200 deep': Array.from({ length: 200 }, (_, i) => `${' '.repeat(i * 2)}- q`).join('\n'),
    'bullets on one line': `${'- '.repeat(5_000)}x`,
    'brackets 20,000 deep': '['.repeat(20_000),
    'emphasis that never closes': '**a *b '.repeat(3_000),
    'mixed marks': '*_'.repeat(5_000),
    backslashes: '\\'.repeat(20_000),
    'links that never close': '[a](b '.repeat(3_000),
    'tags that never close': '<a '.repeat(6_000),
    'comments that never close': '<!--'.repeat(5_000),
    'a line of a megabyte': 'x'.repeat(1_000_000),
    'a table of 2,000 columns': `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n`,
  };
  for (const [name, text] of Object.entries(DEEP)) {
    test(`${name}: the page lives, and the text is there`, async () => {
      const html = await ask('streamed', [text.slice(0, 100), text.slice(100), '\n\nThe end.']);
      assert.match(html, /The end\./);
      const depth = await host.page.evaluate((source) => {
        let deepest = 0;
        let now = 0;
        for (const [tag] of source.matchAll(/<\/?(?:blockquote|ul|em|strong)\b/g)) {
          now += tag.startsWith('</') ? -1 : 1;
          deepest = Math.max(deepest, now);
        }
        return deepest;
      }, html);
      assert.ok(depth <= 60, `${depth} levels`);
    });
  }

  test('nothing of it broke the policy of the page', async () => {
    assert.deepEqual(await host.wrongs(), []);
  });
});
