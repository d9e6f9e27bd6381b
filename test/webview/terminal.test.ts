import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatViewState } from '../../src/bridge/messages.ts';
import { THEMES } from '../fakes/FakeHost.ts';
import {
  becomes,
  button,
  call,
  card,
  lines,
  prints,
  running,
  screen,
  showing,
} from './commands.ts';
import {
  agent,
  commandCall,
  ENDED,
  RUNNING,
  TEN,
  terminal,
  tool,
  turn,
  user,
  view,
} from './gallery/states.ts';
import { focused, put, until, usePages } from './support.ts';

const E = '\u001b[';

/** Texts whose contrast to what is behind them is less than `least`, in the page. */
function unreadable(view: Element, least: number): readonly string[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  const luminance = (colors: readonly string[]): number => {
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data]
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  };
  const well = getComputedStyle(document.documentElement).getPropertyValue(
    '--vscode-editor-background',
  );
  return [...view.querySelectorAll('span')].flatMap((span) => {
    const style = getComputedStyle(span);
    const ground = luminance([well, style.backgroundColor]);
    const text = luminance([well, style.backgroundColor, style.color]);
    const contrast = (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
    return contrast >= least
      ? []
      : [`${span.className} ${span.style.cssText}: ${contrast.toFixed(2)}`];
  });
}

describe('A command in the chat', () => {
  const pages = usePages();

  test('it has its command line, and its folder where that is not the workspace’s', async () => {
    const host = await pages.open();
    for (const [cwd, shown] of [
      ['/project', ''],
      ['/project/', ''],
      ['/project/packages/http', 'packages/http'],
      ['/project-2', '/project-2'],
      ['/elsewhere', '/elsewhere'],
    ] as const) {
      await host.snapshot(showing(running({ command: "npm test -- --run 'a b'", cwd })));
      await card(host).getByText("npm test -- --run 'a b'", { exact: true }).waitFor();
      assert.equal(await card(host).locator('.foot .grow').innerText(), shown);
    }
    const workspace = { hasFolder: true, trusted: true, folders: ['C:\\work'] };
    await host.snapshot({ ...showing(running({ cwd: 'C:\\work\\lib' })), workspace });
    await card(host).locator('.foot').getByText('lib', { exact: true }).waitFor();
  });

  test('output appears as it is printed, and a progress bar stays one line', async () => {
    const host = await pages.open();
    await host.snapshot(showing(running()));
    await screen(host).getByText('No output yet').waitFor();
    await host.patch([prints('first\n10 %')]);
    await host.patch([prints('\r100 %\nlast')]);
    await until(
      () => lines(host),
      (now) => now.length === 3,
    );
    assert.deepEqual(await lines(host), ['first', '100 %', 'last']);
  });

  test('the theme’s sixteen colours are the theme’s, all others as they are, under the shipped policy', async () => {
    const host = await pages.open({ theme: 'light-modern' });
    const output = `${E}31mred${E}0m ${E}38;5;21mblue${E}0m ${E}38;2;0;128;0mgreen${E}0m ${E}1;3;4;9mall${E}0m ${E}30;43mground${E}0m`;
    await host.snapshot(showing(running({ output })));
    const color = async (text: string): Promise<string> =>
      screen(host)
        .getByText(text, { exact: true })
        .evaluate((node) => getComputedStyle(node).color);
    const hue = async (text: string): Promise<number> =>
      Number(/oklch\([\d.]+ [\d.]+ ([\d.]+)/.exec(await color(text))?.[1]);
    assert.ok(Math.abs((await hue('red')) - 29) < 15, await color('red'));
    assert.ok(Math.abs((await hue('blue')) - 264) < 15, await color('blue'));
    assert.ok(Math.abs((await hue('green')) - 142) < 15, await color('green'));
    const all = await screen(host)
      .getByText('all', { exact: true })
      .evaluate((node) => {
        const { fontWeight, fontStyle, textDecorationLine } = getComputedStyle(node);
        return [fontWeight, fontStyle, textDecorationLine];
      });
    assert.deepEqual(all, ['700', 'italic', 'underline line-through']);
    const ground = await screen(host)
      .getByText('ground', { exact: true })
      .evaluate((node) => getComputedStyle(node).backgroundColor);
    assert.match(ground, /^oklch/);
    assert.deepEqual(await host.wrongs(), []);
  });

  for (const theme of THEMES) {
    test(`every colour of text and ground can be read: ${theme}`, async () => {
      const host = await pages.open({ theme });
      const colors = [
        ...Array.from({ length: 16 }, (_, n) => `;5;${n}`),
        ...[16, 21, 46, 51, 196, 201, 226, 231, 232, 255].map((n) => `;5;${n}`),
        ...['0;0;0', '0;0;255', '255;255;0', '255;255;255'].map((rgb) => `;2;${rgb}`),
      ];
      const output = [
        ...colors.map(
          (color) => `${E}38${color}mA${E}0m${E}48${color}mB${E}0m${E}7;38${color}mC${E}0m`,
        ),
        ...colors.map((ground) =>
          colors.map((color) => `${E}38${color};48${ground}mD${E}0m`).join(''),
        ),
      ].join('\n');
      await host.snapshot(showing(running({ output })));
      const poor = await screen(host).evaluate(unreadable, theme.includes('contrast') ? 7 : 4.5);
      assert.deepEqual(poor, []);
    });
  }

  test('how it stands is said in words, with its time', async () => {
    const host = await pages.open({ now: TEN + 42_000 });
    for (const [exit, words] of [
      [null, 'Running0:42'],
      [{ code: 0, signal: null }, 'Exit 03.4 s'],
      [{ code: 2, signal: null }, 'Exit 23.4 s'],
      [{ code: null, signal: 'SIGKILL' }, 'Ended by SIGKILL3.4 s'],
      [{ code: null, signal: null }, 'Interrupted3.4 s'],
    ] as const) {
      await host.snapshot(showing(terminal({ terminalId: 't', exit })));
      assert.equal(await card(host).locator('.line .state').textContent(), words);
    }
  });

  test('a running one is open although its call is done; it folds when it went well, and stays open when not', async () => {
    const host = await pages.open();
    const fold = (): Promise<string | null> =>
      card(host).locator('button.fold').getAttribute('aria-expanded');
    await host.snapshot(showing(running(), call({ state: 'done' })));
    await card(host, 'Tool call: npm test, Running').waitFor();
    assert.equal(await fold(), 'true');
    await host.patch([becomes(terminal({ terminalId: 't', output: 'fine' }))]);
    await until(fold, (open) => open === 'false');
    await host.snapshot(showing(running({ output: 'x' })));
    assert.equal(await fold(), 'true');
    await host.patch([
      becomes(terminal({ terminalId: 't', exit: { code: 1, signal: null } })),
      put(call({ state: 'failed' }), 1),
    ]);
    await card(host, 'Tool call: npm test, Failed').waitFor();
    assert.equal(await fold(), 'true');
  });

  test('it is stopped once, and only while it runs', async () => {
    const host = await pages.open();
    await host.snapshot(showing(running()));
    const stop = button(host, 'Stop this command');
    await stop.click();
    await stop.click({ force: true });
    assert.deepEqual(await host.saidOf('stopTerminal'), [
      { type: 'stopTerminal', chatId: 'chat-1', terminalId: 't' },
    ]);
    await card(host).getByText('Stopping…').waitFor();
    await host.patch([
      becomes(terminal({ terminalId: 't', exit: { code: null, signal: 'SIGTERM' } })),
      put(call({ state: 'failed' }), 1),
    ]);
    await stop.waitFor({ state: 'detached' });
    assert.equal(await button(host, 'Open in Terminal').count(), 1);
  });

  test('in a chat that another window writes there is no Stop', async () => {
    const host = await pages.open();
    await host.snapshot({ ...showing(running()), chat: { id: 'chat-1', readOnly: true } });
    await button(host, 'Open in Terminal').waitFor();
    assert.equal(await button(host, 'Stop this command').count(), 0);
  });

  test('its output is copied as text, opened in an editor, and shown in the terminal panel', async () => {
    const host = await pages.open();
    await host.snapshot(showing(running({ output: `${E}32mok${E}0m\r\nold\rnew\n` })));
    await button(host, 'Copy output').click();
    await button(host, 'Open full output in an editor').click();
    await button(host, 'Open in Terminal').click();
    const said = (await host.said()).filter(({ type }) => type !== 'ready');
    assert.deepEqual(said, [
      { type: 'copy', text: 'ok\nnew' },
      { type: 'openTerminalOutput', chatId: 'chat-1', terminalId: 't' },
      { type: 'showTerminal', chatId: 'chat-1', terminalId: 't' },
    ]);
  });

  test('all of it can be reached by keyboard, and the focus stays while output comes', async () => {
    const host = await pages.open();
    await host.snapshot(showing(running({ output: 'x' })));
    await card(host).locator('button.fold').focus();
    const names: string[] = [];
    for (let step = 0; step < 5; step++) {
      await host.page.keyboard.press('Tab');
      names.push(await focused(host));
      await host.patch([prints(`line ${step}\n`)]);
    }
    assert.deepEqual(names, [
      'Output',
      'Copy output',
      'Open full output in an editor',
      'Open in Terminal',
      'Stop this command',
    ]);
    assert.equal(await focused(host), 'Stop this command');
  });

  test('its end stays in view until the person leaves it, in a box of bounded height', async () => {
    const host = await pages.open();
    await host.snapshot(showing(running({ output: 'line\n'.repeat(100) })));
    const place = (): Promise<{ top: number; end: number; height: number }> =>
      screen(host).evaluate((view) => ({
        top: view.scrollTop,
        end: view.scrollHeight - view.clientHeight,
        height: view.clientHeight,
      }));
    const atEnd = ({ top, end }: { top: number; end: number }): boolean => end - top <= 2;
    await until(place, atEnd);
    const before = await place();
    assert.ok(before.height <= 168);
    await host.patch([prints('more\n'.repeat(20))]);
    await until(place, (now) => now.end > before.end && atEnd(now));
    await screen(host).evaluate((view) => {
      view.scrollTop = 10;
    });
    await host.settled();
    await host.patch([prints('and more\n'.repeat(20))]);
    await host.settled();
    assert.equal((await place()).top, 10);
  });

  test('what it prints changes nothing else on the page', async () => {
    const host = await pages.open({ now: TEN });
    const state = showing(running({ output: 'line\n'.repeat(50) }));
    await host.snapshot({
      ...state,
      thread: {
        ...state.thread,
        past: [turn(ENDED, [user('Before'), agent('An answer')], 'p')],
        latest: turn(RUNNING, [
          user('Test'),
          call(),
          agent('Meanwhile'),
          commandCall('other', { title: 'other', state: 'running' }),
        ]),
        terminals: {
          ...state.thread.terminals,
          other: running({ terminalId: 'other', output: 'quiet' }),
        },
      },
    });
    await screen(host).first().waitFor();
    await host.page.evaluate(() => {
      const touched: string[] = [];
      Object.assign(window, { touched });
      new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          touched.push(element?.closest('.screen > div, .screen')?.textContent ?? 'elsewhere');
        }
      }).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
    await host.patch([prints('new\n')]);
    await screen(host).first().getByText('new').waitFor();
    const touched = await host.page.evaluate(() => Reflect.get(window, 'touched') as string[]);
    // Only the box that gets a line, and none of its fifty lines.
    assert.ok(touched.length > 0 && touched.length <= 2, `${touched.length}`);
    assert.ok(touched.every((text) => text.endsWith('new\n') && text.startsWith('line')));
  });

  test('of much output the last lines are drawn, and it says so', async () => {
    const host = await pages.open();
    const output = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`).join('');
    await host.snapshot(showing(running({ output })));
    await card(host).getByText('Last lines only').waitFor();
    const drawn = await lines(host);
    assert.ok(drawn.length <= 400);
    assert.equal(drawn.at(-1), 'line 4999');
    await host.snapshot(showing(running({ output: 'short', cut: true })));
    await card(host).getByText('Last lines only').waitFor();
  });

  test('several commands in one call each say how they stand', async () => {
    const host = await pages.open();
    const both = call({
      content: [
        { type: 'terminal', terminalId: 't' },
        { type: 'terminal', terminalId: 'u' },
      ],
    });
    const state = showing(running(), both);
    const second = terminal({ terminalId: 'u', exit: { code: 3, signal: null } });
    await host.snapshot({
      ...state,
      thread: { ...state.thread, terminals: { ...state.thread.terminals, u: second } },
    });
    assert.equal(await card(host).locator('.foot .status').count(), 2);
    await card(host).locator('.foot').getByText('Exit 3').waitFor();
  });
});

describe('A command that the agent runs itself', () => {
  const pages = usePages();
  const theirs = (fields: Parameters<typeof tool>[0] = {}): ChatViewState =>
    view({
      thread: {
        latest: turn(RUNNING, [
          user('Test'),
          tool({
            title: 'cargo test',
            toolKind: 'execute',
            state: 'running',
            content: [{ type: 'terminal', terminalId: 'call-1' }],
            rawInput: { command: 'cargo test' },
            ...fields,
          }),
        ]),
      },
    });

  test('it looks the same: command, folder, colours, end', async () => {
    const host = await pages.open();
    await host.snapshot(
      theirs({
        state: 'failed',
        output: `${E}31mFAILED${E}0m`,
        exit: { code: 101, signal: null },
        cwd: '/project/native',
      }),
    );
    await card(host).locator('.cmd').getByText('cargo test').waitFor();
    await card(host).getByText('native', { exact: true }).waitFor();
    await card(host).locator('.line').getByText('Exit 101').waitFor();
    await screen(host).locator('.fg-1').getByText('FAILED').waitFor();
  });

  test('it is opened by its address, and can neither be stopped nor shown in the panel', async () => {
    const host = await pages.open();
    await host.snapshot(theirs({ output: 'x' }));
    await button(host, 'Open full output in an editor').click();
    assert.deepEqual(await host.saidOf('openOutput'), [
      { type: 'openOutput', chatId: 'chat-1', turn: 0, entry: 1 },
    ]);
    assert.equal(await button(host, 'Stop this command').count(), 0);
    assert.equal(await button(host, 'Open in Terminal').count(), 0);
  });

  test('before it prints it is there, and without a word about its end its call tells', async () => {
    const host = await pages.open();
    await host.snapshot(theirs());
    await screen(host).getByText('No output yet').waitFor();
    await host.snapshot(theirs({ state: 'failed', output: 'x' }));
    await card(host).locator('.line').getByText('Failed').waitFor();
    await host.snapshot(theirs({ state: 'done' }));
    await card(host).locator('button.fold').click();
    await card(host).getByText('The output is in the terminal.').waitFor();
  });

  test('a refused one shows no empty terminal', async () => {
    const host = await pages.open();
    await host.snapshot(theirs({ state: 'rejected', exit: { code: null, signal: null } }));
    await card(host, 'Tool call: cargo test, Rejected').waitFor();
    assert.equal(await card(host).locator('.term').count(), 0);
  });
});
