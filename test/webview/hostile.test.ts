import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  agent,
  ENDED,
  permission,
  RUNNING,
  thought,
  tool,
  turn,
  user,
  view,
} from './gallery/states.ts';
import { log, usePages } from './support.ts';

/** Each tries to run something, to fetch something, or to leave its place. */
const ATTACKS: readonly string[] = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg onload="window.hit = 1"><a href="javascript:window.hit=1">x</a></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<style>* { display: none }</style>',
  '<form action="https://evil.example"><button>Allow</button></form>',
  '<link rel=stylesheet href="https://evil.example/a.css">',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '[x](javascript:window.hit=1)',
  '[x](JaVaScRiPt:window.hit=1)',
  '[x](java&#x73;cript:window.hit=1)',
  '[x](javascript&colon;window.hit=1)',
  '[x](<java\tscript:window.hit=1>)',
  '[x](command:workbench.action.terminal.new)',
  '[x](vscode://parley.parley/evil)',
  '[x](data:text/html,<script>window.hit=1</script>)',
  '[x](vbscript:x) [y](blob:x) [z](ws://evil.example) [u](//evil.example/x) [v](\\\\evil\\share)',
  '<javascript:window.hit=1>',
  '![x](https://evil.example/pixel.png)',
  '![x](javascript:window.hit=1)',
  '![x](data:text/html;base64,PHNjcmlwdD4=)',
  '[r]\n\n[r]: javascript:window.hit=1',
  '[__proto__]: http://x.example\n\n[__proto__] [constructor] [toString]',
  '`<img src=x onerror=window.hit=1>`',
  '```html\n<script>window.hit = 1</script>\n```',
  '| <script>window.hit=1</script> | [x](javascript:1) |\n|---|---|\n| <img src=x onerror=window.hit=1> | x |',
  'a \u202e txet desrever \u2066 b \u0000 \u001b[31m',
  '\ud800 lone \udfff halves',
];

describe('Hostile words', () => {
  const pages = usePages();

  test('nothing runs, nothing is fetched, and no link leads anywhere but to the web or a file', async () => {
    const host = await pages.open();
    await host.snapshot(
      view({
        thread: {
          title: ATTACKS[0] ?? '',
          past: ATTACKS.map((attack, index) =>
            turn(
              ENDED,
              [
                user(attack),
                thought(attack, 10),
                agent(attack),
                tool({ title: attack, content: [{ type: 'text', text: attack }], state: 'failed' }),
                { kind: 'notice', at: 0, severity: 'warning', text: attack },
              ],
              `t${index}`,
            ),
          ),
          latest: turn(
            { kind: 'failed', failure: { message: ATTACKS[1] ?? '', details: ATTACKS[2] ?? '' } },
            [user('x')],
          ),
        },
      }),
    );
    for (const fold of await log(host)
      .getByRole('button', { name: /^Thought/ })
      .all()) {
      await fold.evaluate((node) => {
        if (node instanceof HTMLElement) node.click();
      });
    }
    await host.settled();
    const hrefs = await log(host)
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const href of hrefs) assert.match(href, /^(?:#$|https?:\/\/|mailto:)/);
    const strange = await log(host)
      .locator('script, iframe, svg, form, style, link, base, meta, object')
      .count();
    assert.equal(strange, 0);
    const images = await log(host).locator('img').count();
    assert.equal(images, 0);
    assert.equal(await host.page.evaluate(() => 'hit' in window), false);
    assert.deepEqual(await host.wrongs(), []);
  });

  test('raw HTML is shown as the text it is', async () => {
    const host = await pages.open();
    await host.snapshot(
      view({ thread: { latest: turn(ENDED, [agent('<b>x</b> and <!-- y -->\n\n<div>z</div>')]) } }),
    );
    const text = await log(host).getByRole('article', { name: 'Agent' }).innerText();
    assert.match(text, /<b>x<\/b> and <!-- y -->/);
    assert.match(text, /<div>z<\/div>/);
  });

  test('links are not followed by the page: the host is asked', async () => {
    const host = await pages.open();
    const text =
      '[web](https://example.org/a?b#c) [file](src/a.ts#L12) `lib/b.ts:7` [mail](mailto:a@b.c)';
    await host.snapshot(view({ thread: { latest: turn(RUNNING, [agent(text)]) } }));
    for (const name of ['web', 'file', 'lib/b.ts:7', 'mail']) {
      await log(host).getByRole('link', { name }).click();
    }
    const said = (await host.said()).filter(({ type }) => type !== 'ready');
    assert.deepEqual(said, [
      { type: 'openLink', href: 'https://example.org/a?b#c' },
      { type: 'openFile', path: 'src/a.ts', line: 12 },
      { type: 'openFile', path: 'lib/b.ts', line: 7 },
      { type: 'openLink', href: 'mailto:a@b.c' },
    ]);
    assert.equal(new URL(host.page.url()).pathname, '/');
    assert.deepEqual(await host.wrongs(), []);
  });

  test('titles and commands of a megabyte neither freeze the page nor bloat it, and a question shows all of one', async () => {
    const host = await pages.open();
    const long = 'very long '.repeat(100_000);
    const calls = Array.from({ length: 10 }, (_, index) => [
      tool({ title: `${long}${index}`, state: 'done' }),
      tool({ title: 'X', toolKind: 'execute', state: 'done', rawInput: { command: long } }),
    ]);
    await host.snapshot(view({ thread: { latest: turn(RUNNING, calls.flat()) } }));
    await host.page
      .getByRole('article', { name: /^Tool call: very long/ })
      .last()
      .waitFor();
    assert.ok((await log(host).evaluate((node) => node.innerHTML.length)) < 500_000);
    const asking = tool({ title: long, state: 'waiting', permissions: [permission()] });
    await host.snapshot(view({ thread: { latest: turn(RUNNING, [asking]) } }));
    const shown = await host.page.getByRole('group', { name: 'Input' }).textContent();
    assert.equal(shown, long);
  });

  test('a tool output of ten megabytes neither freezes the page nor bloats it', async () => {
    const host = await pages.open();
    const output = 'x'.repeat(120).concat('\n').repeat(86_000);
    const start = Date.now();
    await host.snapshot(
      view({
        thread: {
          latest: turn(RUNNING, [
            tool({ title: 'cat', toolKind: 'execute', state: 'running', output }),
          ]),
        },
      }),
    );
    await host.page.getByText('Last lines only').waitFor();
    const shown = await log(host)
      .locator('.term pre')
      .evaluate((pre) => pre.textContent.length);
    assert.ok(shown <= 66_000);
    assert.ok(Date.now() - start < 10_000);
  });
});
