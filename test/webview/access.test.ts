import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { FakeHost } from '../fakes/FakeHost.ts';
import { THEMES } from '../fakes/FakeHost.ts';
import { STATES } from './gallery/all.ts';
import { usePages } from './support.ts';

const AXE = fs.readFileSync(
  createRequire(path.join(process.cwd(), 'package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Violations as short lines. */
async function violations(host: FakeHost): Promise<readonly string[]> {
  // Through the debugger: the page's own policy lets no foreign script in.
  await host.page.evaluate(AXE);
  const found = await host.page.evaluate(async () => {
    const axe = Reflect.get(window, 'axe') as { run(): Promise<{ violations: Violation[] }> };
    return (await axe.run()).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

describe('For everybody', () => {
  const pages = usePages();

  for (const theme of THEMES) {
    for (const [name, state] of Object.entries(STATES)) {
      test(`axe finds nothing: ${name.toLowerCase()}, ${theme}`, async () => {
        const host = await pages.open({ theme, width: 320 });
        await host.snapshot(state);
        assert.deepEqual(await violations(host), []);
        assert.deepEqual(await host.wrongs(), []);
      });
    }
  }

  test('at 280 pixels nothing runs out of the page sideways', async () => {
    const host = await pages.open({ width: 280 });
    for (const state of Object.values(STATES)) {
      await host.snapshot(state);
      const wide = await host.page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('[role="log"]')].some(
          (node) => node.scrollWidth > node.clientWidth,
        ),
      );
      assert.equal(wide, false);
    }
  });

  test('everything that can be pressed can be reached with Tab, and shows that it has the focus', async () => {
    const host = await pages.open({ height: 1600 });
    await host.snapshot(STATES.WORKING);
    const wanted = await host.page
      .locator('button:not([disabled]):not([tabindex="-1"]), a[href], textarea, [tabindex="0"]')
      .count();
    const reached = new Set<string>();
    const plain: string[] = [];
    for (let step = 0; step < wanted + 5; step++) {
      await host.page.keyboard.press('Tab');
      const { key, seen } = await host.page.evaluate(() => {
        const now = document.activeElement ?? document.body;
        const all = [...document.querySelectorAll('*')];
        const ring = (node: Element | null): boolean =>
          node !== null && getComputedStyle(node).outlineStyle !== 'none';
        const around = now.closest('.line, .composer');
        const border = getComputedStyle(now.closest('.composer') ?? now).borderColor;
        return {
          key: `${all.indexOf(now)} ${now.outerHTML.slice(0, 80)}`,
          seen: ring(now) || ring(around) || (now.closest('.composer') !== null && border !== ''),
        };
      });
      reached.add(key);
      if (!seen && !key.includes('<body')) plain.push(key);
    }
    assert.ok(reached.size >= wanted, `${reached.size} of ${wanted}`);
    assert.deepEqual(plain, []);
  });

  test('with reduced motion nothing moves', async () => {
    const host = await pages.open();
    await host.snapshot(STATES.WORKING);
    await host.snapshot(STATES.THINKING);
    const moving = await host.page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    assert.equal(moving, 0);
  });

  test('the end of a growing answer carries a caret that is no part of the text', async () => {
    const host = await pages.open();
    await host.snapshot(STATES.THINKING);
    const width = await host.page
      .locator('.answer.live p')
      .last()
      .evaluate((node) => getComputedStyle(node, '::after').inlineSize);
    assert.equal(width, '2px');
  });
});
