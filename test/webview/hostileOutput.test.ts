import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, card, lines, running, screen, showing } from './commands.ts';
import { TERMINALS } from './gallery/commands.ts';
import { RUNNING, tool, turn, user, view } from './gallery/states.ts';
import { log, usePages } from './support.ts';

const E = '\u001b[';

describe('Hostile output', () => {
  const pages = usePages();

  test('markup, links and titles are words or nothing', async () => {
    const host = await pages.open();
    const output = [
      '<img src=x onerror="window.hit=1"><script>window.hit=1</script>',
      `\u001b]8;;javascript:window.hit=1\u0007script\u001b]8;;\u0007`,
      `\u001b]8;;command:workbench.action.quit\u001b\\command\u001b]8;;\u001b\\`,
      `\u001b]0;Parley\u0007\u001b]52;c;aGk=\u0007title`,
      `${E}38;2;999;0;0mcolour${E}0m`,
    ].join('\n');
    await host.snapshot(showing(running({ output })));
    assert.deepEqual((await lines(host)).slice(1), ['script', 'command', 'title', 'colour']);
    assert.equal(await screen(host).locator('a, img, script').count(), 0);
    assert.equal(await host.page.evaluate(() => 'hit' in window), false);
    assert.deepEqual(await host.wrongs(), []);
  });

  test('nothing turns the text of another line around', async () => {
    const host = await pages.open();
    await host.snapshot(showing(running({ output: '\u202eabc \u2066def\n\u05d0\u05d1\nghi' })));
    assert.deepEqual(await lines(host), ['abc def', '\u05d0\u05d1', 'ghi']);
    const left = await screen(host)
      .locator('div')
      .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).unicodeBidi));
    assert.deepEqual(new Set(left), new Set(['isolate']));
  });

  test('huge, wide and colourful output leaves the page small and quick', async () => {
    const host = await pages.open();
    const colourful = Array.from({ length: 60_000 }, (_, n) => `${E}3${n % 8}mx`).join('');
    for (const output of [
      'x'.repeat(2_000_000),
      `${E}999;999H\n`.repeat(100_000),
      colourful,
      colourful.replaceAll('x', 'x\n'),
      '\n'.repeat(1_000_000),
      `a${'\u0301'.repeat(500_000)}`,
    ]) {
      const start = Date.now();
      await host.snapshot(
        view({
          thread: {
            latest: turn(RUNNING, [
              user('x'),
              tool({ title: 'x', toolKind: 'execute', state: 'running', output }),
            ]),
          },
        }),
      );
      await host.settled();
      const { nodes, text } = await screen(host).evaluate((view) => ({
        nodes: view.querySelectorAll('*').length,
        text: view.textContent.length,
      }));
      assert.ok(nodes <= 3_500, `${nodes} elements`);
      assert.ok(text <= 400_000, `${text} characters`);
      assert.ok(Date.now() - start < 5_000);
    }
    assert.deepEqual(await host.wrongs(), []);
  });

  test('at 280 pixels nothing runs out of the page, whatever a command printed', async () => {
    const host = await pages.open({ width: 280 });
    await host.snapshot(TERMINALS);
    const wide = await log(host).evaluate((node) => node.scrollWidth > node.clientWidth);
    assert.equal(wide, false);
  });

  test('a terminal whose id is a name of every object is none', async () => {
    const host = await pages.open();
    for (const terminalId of ['constructor', '__proto__', 'toString']) {
      const odd = call({ state: 'done', content: [{ type: 'terminal', terminalId }] });
      await host.snapshot(view({ thread: { latest: turn(RUNNING, [user('x'), odd]) } }));
      await card(host, 'Tool call: npm test, Done').waitFor();
    }
    assert.deepEqual(await host.wrongs(), []);
  });
});
