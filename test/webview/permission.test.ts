import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatViewState } from '../../src/bridge/messages.ts';
import type { FakeHost } from '../fakes/FakeHost.ts';
import { agent, permission, RUNNING, TEN, tool, turn, user, view } from './gallery/states.ts';
import { focused, log, put, until, usePages } from './support.ts';

const LONG = `npm run build -- --filter @acme/http &&\n  rm -rf ${'very/long/'.repeat(60)}path`;

const call = (fields: Partial<Parameters<typeof tool>[0]> = {}) =>
  tool({
    title: 'npm run build',
    toolKind: 'execute',
    state: 'waiting',
    rawInput: { command: LONG },
    permissions: [permission()],
    ...fields,
  });

const asking = (...entries: ReturnType<typeof tool>[]): ChatViewState =>
  view({ thread: { latest: turn(RUNNING, [user('Build'), ...entries]) } });

const card = (host: FakeHost, title = 'npm run build') =>
  host.page.getByRole('group', { name: `Permission: ${title}`, exact: true });
const option = (host: FakeHost, name: string) =>
  card(host).getByRole('button', { name, exact: true });
const armed = async (host: FakeHost): Promise<void> => {
  await option(host, 'Yes, once').and(host.page.locator(':not([aria-disabled])')).waitFor();
};

describe('A question for permission', () => {
  const pages = usePages();

  test('it shows the whole command, and one button per option in the agent’s order and words', async () => {
    const host = await pages.open({ width: 300 });
    await host.snapshot(asking(call()));
    const shown = await card(host).locator('pre').innerText();
    assert.equal(shown.replace(/\s+/g, ' '), LONG.replace(/\s+/g, ' '));
    const clipped = await card(host)
      .locator('pre')
      .evaluate(
        (pre) => pre.scrollHeight > pre.clientHeight + 1 || pre.scrollWidth > pre.clientWidth + 1,
      );
    assert.equal(clipped, false, 'a part of the command is out of sight');
    const names = await card(host)
      .getByRole('button')
      .evaluateAll((nodes) => nodes.map((node) => node.querySelector('span')?.textContent));
    assert.deepEqual(
      names,
      permission().options.map(({ name }) => name),
    );
  });

  test('a click answers once with the option’s id, whatever is pressed after', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    await armed(host);
    await option(host, 'Yes, once').click();
    await option(host, 'No, and tell the agent what to do instead…').click({ force: true });
    assert.deepEqual(await host.saidOf('answerPermission'), [
      { type: 'answerPermission', permissionId: 'p1', optionId: 'once' },
    ]);
  });

  test('it takes no answer before it has been on screen for half a second', async () => {
    const host = await pages.open();
    const pressed = host.page.evaluate(async () => {
      const said = Reflect.get(window, 'said') as { type: string }[];
      let seen = 0;
      for (const started = performance.now(); performance.now() - started < 8000;) {
        const button = document.querySelector<HTMLElement>('.ask .option');
        if (button !== null && seen === 0) seen = performance.now();
        button?.click();
        if (said.some(({ type }) => type === 'answerPermission')) return performance.now() - seen;
        await new Promise(requestAnimationFrame);
      }
      throw new Error('never answered');
    });
    await host.snapshot(asking(call()));
    const took = await pressed;
    assert.ok(took >= 500, `answered after ${took} ms`);
  });

  test('keys answer only with the focus in the card, which the person puts there', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    await armed(host);
    const message = host.page.getByRole('textbox', { name: 'Message' });
    await message.focus();
    await host.page.keyboard.type('1');
    assert.equal(await message.inputValue(), '1');
    assert.deepEqual(await host.saidOf('answerPermission'), []);
    await card(host).focus();
    await host.page.keyboard.press('2');
    assert.deepEqual(
      (await host.saidOf('answerPermission')).map(({ optionId }) => optionId),
      ['always'],
    );
  });

  test('it never takes the focus when it comes', async () => {
    const host = await pages.open();
    await host.snapshot(asking());
    await host.page.getByRole('textbox', { name: 'Message' }).focus();
    await host.patch([put(call(), 1)]);
    await armed(host);
    assert.equal(await focused(host), 'Message');
  });

  test('Esc goes back to the composer and leaves the question open', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    await card(host).focus();
    await host.page.keyboard.press('Escape');
    assert.equal(await focused(host), 'Message');
    assert.deepEqual(await host.saidOf('answerPermission'), []);
    assert.deepEqual(await host.saidOf('stop'), []);
    assert.equal(await card(host).count(), 1);
  });

  test('answered by keyboard, the focus goes to the composer', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    await armed(host);
    await option(host, 'Yes, once').focus();
    await host.page.keyboard.press('Enter');
    assert.equal(await focused(host), 'Message');
  });

  test('answered by its number, or elsewhere, it leaves the focus that was in it to the composer', async () => {
    for (const inside of [card, (host: FakeHost) => card(host).locator('pre')]) {
      const host = await pages.open();
      await host.snapshot(asking(call()));
      await armed(host);
      await inside(host).focus();
      await host.page.keyboard.press('1');
      const state = { kind: 'answered', at: TEN, optionId: 'once' } as const;
      await host.patch([put(call({ state: 'running', permissions: [permission({ state })] }), 1)]);
      await card(host).waitFor({ state: 'detached' });
      assert.equal(await focused(host), 'Message');
    }
  });

  test('answered elsewhere, it moves no focus that was not in it', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    await log(host).focus();
    const state = { kind: 'answered', at: TEN, optionId: 'once' } as const;
    await host.patch([put(call({ state: 'running', permissions: [permission({ state })] }), 1)]);
    await card(host).waitFor({ state: 'detached' });
    assert.equal(await focused(host), 'Conversation');
  });

  test('answered anywhere, it shrinks to one line', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    const state = { kind: 'answered', at: TEN, optionId: 'once' } as const;
    await host.patch([put(call({ state: 'running', permissions: [permission({ state })] }), 1)]);
    await card(host).waitFor({ state: 'detached' });
    await log(host).getByText('Allowed once · you · 10:38').waitFor();
  });

  test('what an agent hides in its words is made visible', async () => {
    const host = await pages.open();
    const command = 'echo ok \u202e; rm -rf /\u202c\u200b \u001b[2K';
    await host.snapshot(asking(call({ rawInput: { command } })));
    const shown = await card(host).locator('pre').innerText();
    for (const code of ['U+202E', 'U+202C', 'U+200B', 'U+001B'])
      assert.ok(shown.includes(code), code);
  });

  test('icons and markup in names are text', async () => {
    const host = await pages.open();
    const options = [{ optionId: 'x', name: '$(check) <b>Yes</b>', kind: 'allow_once' } as const];
    await host.snapshot(asking(call({ permissions: [permission({ options })] })));
    await option(host, '$(check) <b>Yes</b>').waitFor();
    assert.equal(await card(host).locator('b').count(), 0);
  });

  test('each option says in Parley’s words what it does, whatever the agent calls it, to eyes and ears', async () => {
    const options = [
      { optionId: 'a', name: 'Reject', kind: 'allow_once' },
      { optionId: 'b', name: 'Reject '.repeat(80), kind: 'allow_always' },
      { optionId: 'c', name: 'Allow', kind: 'reject_once' },
      { optionId: 'd', name: '\ufdfd'.repeat(30), kind: 'reject_always' },
      { optionId: 'e', name: 'Go', kind: 'other' },
    ] as const;
    const host = await pages.open({ width: 300, height: 1200 });
    await host.snapshot(asking(call({ permissions: [permission({ options })] })));
    await option(host, 'Reject').waitFor();
    const effects = await card(host)
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((button) => {
          const ids = button.getAttribute('aria-describedby') ?? '';
          const effect = document.getElementById(ids);
          const box = effect?.getBoundingClientRect();
          const around = button.getBoundingClientRect();
          const inside = box !== undefined && box.width > 0 && box.right <= around.right + 1;
          return inside && around.right <= innerWidth ? effect?.textContent : 'out of sight';
        }),
      );
    assert.deepEqual(effects, [
      'allows once',
      'allows always',
      'rejects once',
      'rejects always',
      'effect not known',
    ]);
  });

  test('where a command runs, if not in the folder of the chat, stands under it, apart from the agent’s words', async () => {
    const host = await pages.open({ height: 1200 });
    const other = call({
      title: 'make',
      rawInput: { command: 'make\nin /project' },
      permissions: [permission({ id: 'p2', at: TEN + 1, folder: '/etc/\u202ecorp' })],
    });
    await host.snapshot(asking(call(), other));
    await card(host, 'make').waitFor();
    assert.equal(await card(host).locator('.place').count(), 0);
    const place = card(host, 'make').locator('.place');
    assert.equal((await place.innerText()).trim(), 'in /etc/⟨U+202E⟩corp');
    assert.equal(await card(host, 'make').locator('.well').getByText('/etc').count(), 0);
  });

  test('what Parley itself asks stands in a strip of its own, which no words of an agent get into', async () => {
    const host = await pages.open({ height: 1200 });
    const reason = 'The file is outside of the workspace: /home/me/\u202e.ssh';
    const own = call({ title: 'Write', permissions: [permission({ id: 'own', reason })] });
    const title = 'Parley asks: this is safe';
    const imitation = call({
      title,
      rawInput: { command: 'Parley asks: x' },
      content: [{ type: 'text', text: 'Parley asks: y' }],
      permissions: [permission({ id: 'p2', at: TEN + 1 })],
    });
    await host.snapshot(asking(own, imitation));
    const shown = await card(host, 'Write').locator('.reason').innerText();
    assert.equal(shown, 'Parley asks: The file is outside of the workspace: /home/me/⟨U+202E⟩.ssh');
    const described = await card(host, 'Write').evaluate(
      (node) => document.getElementById(node.getAttribute('aria-describedby') ?? '')?.textContent,
    );
    assert.equal(described, shown);
    const theirs = card(host, title);
    await theirs.waitFor();
    assert.equal(await theirs.locator('.reason').count(), 0);
    assert.equal(await theirs.getAttribute('aria-describedby'), null);
    const tone = (name: string): Promise<string> =>
      card(host, name).evaluate((node) => getComputedStyle(node).borderInlineStartColor);
    assert.notEqual(await tone('Write'), await tone(title));
  });

  test('off screen it is on a shelf, and Show brings it back with the focus in it', async () => {
    const host = await pages.open({ height: 400 });
    const filler = agent('A line.\n\n'.repeat(80));
    await host.snapshot(
      view({ thread: { latest: turn(RUNNING, [user('Build'), call(), filler]) } }),
    );
    const shelf = host.page.getByRole('region', { name: 'Waiting for you' });
    await shelf.getByText('npm run build').waitFor();
    await shelf.getByRole('button', { name: 'Show' }).click();
    await shelf.waitFor({ state: 'detached' });
    assert.equal(await focused(host), 'Permission: npm run build');
    await until(
      () => card(host).isVisible(),
      (visible) => visible,
    );
  });

  test('several say which one they are, and each is answered for itself', async () => {
    const host = await pages.open({ height: 1200 });
    const second = call({
      title: 'npm publish',
      permissions: [permission({ id: 'p2', at: TEN + 1 })],
    });
    await host.snapshot(asking(call(), second));
    await card(host).getByText('1 of 2').waitFor();
    const other = card(host, 'npm publish');
    await other.getByText('2 of 2').waitFor();
    await other.locator('button:not([aria-disabled])').first().click();
    assert.deepEqual(await host.saidOf('answerPermission'), [
      { type: 'answerPermission', permissionId: 'p2', optionId: 'once' },
    ]);
  });

  test('the host can lead the person to it', async () => {
    const host = await pages.open();
    await host.snapshot(asking(call()));
    await host.post({ type: 'focus', target: 'permission' });
    await until(
      () => focused(host),
      (name) => name === 'Permission: npm run build',
    );
  });

  test('options whose ids repeat or whose list is empty break nothing', async () => {
    const host = await pages.open();
    const twice = { optionId: 'x', name: 'Same', kind: 'other' } as const;
    await host.snapshot(asking(call({ permissions: [permission({ options: [twice, twice] })] })));
    assert.equal(await option(host, 'Same').count(), 2);
    await host.snapshot(asking(call({ permissions: [permission({ options: [] })] })));
    await card(host).getByText('offered no answers').waitFor();
    assert.deepEqual(await host.wrongs(), []);
  });
});
