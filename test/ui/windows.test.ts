import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { configureWorkbench } from '../harness/browser.mjs';
import { ParleyView } from '../harness/pages/parley.mjs';
import { Workbench } from '../harness/pages/workbench.mjs';
import { root } from '../harness/paths.mjs';
import { poll } from '../harness/poll.mjs';
import type { Session } from '../harness/session.mjs';
import { processesWith } from './agentProcesses.ts';
import { inVsCode } from './inVsCode.ts';

const MARKER = `parley-windows-${randomUUID()}`;
const SCRIPTED = path.join(root, 'test', 'fakes', 'agents', 'scripted.mjs');

const SETTINGS = {
  'parley.agents': { scripted: { command: process.execPath, args: [SCRIPTED, MARKER] } },
  'parley.defaultAgent': 'scripted',
};

const READ_ONLY = 'This chat is open in another window.';

async function play({ composer }: ParleyView, ...steps: readonly unknown[]): Promise<void> {
  await composer.click();
  await composer.fill(JSON.stringify(steps));
  await composer.press('Enter');
}

/** Says something, runs until it is stopped, and then says more. */
const run = (name: string) => [
  ['say', `${name} has begun. `],
  ['wait'],
  ['say', `${name} was told to stop.`],
  ['end', 'cancelled'],
];

async function secondWindow({ browser, server, folder }: Session): Promise<ParleyView> {
  const page = await browser.newPage();
  await configureWorkbench(page, { authority: server.authority });
  const workbench = new Workbench(page);
  await workbench.open(`${server.origin}/?${new URLSearchParams({ folder })}`);
  const parley = new ParleyView(workbench);
  await parley.open();
  return parley;
}

async function answers(parley: ParleyView, text: string): Promise<void> {
  await parley.articles('Agent').filter({ hasText: text }).last().waitFor();
}

inVsCode('chats side by side', { settings: SETTINGS }, (test) => {
  let other: ParleyView | undefined;

  test('run at the same time on one process of their agent', async ({ parley }) => {
    await play(parley, ...run('The first'));
    await answers(parley, 'The first has begun.');
    await parley.button('New chat').click();
    await parley.articles('You').first().waitFor({ state: 'detached' });
    await play(parley, ...run('The second'));
    await answers(parley, 'The second has begun.');
    assert.ok(await parley.isRunning());
    assert.equal(processesWith(MARKER).length, 1);
  });

  test('are switched while both run, and each shows its own', async ({ parley, workbench }) => {
    for (const [name, hidden] of [
      ['The first', 'The second'],
      ['The second', 'The first'],
    ] as const) {
      await workbench.runCommand('Parley: Switch Chat');
      const rows = await workbench.quickPick.whenRows((all) =>
        all.some((row) => row.includes(name)),
      );
      assert.equal(rows.filter((row) => row.includes('Running')).length, 2, rows.join('\n'));
      await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).click();
      await answers(parley, `${name} has begun.`);
      assert.equal(await parley.conversation.getByText(`${hidden} has begun.`).count(), 0);
      assert.ok(await parley.isRunning());
    }
  });

  test('are stopped one by one', async ({ parley, workbench }) => {
    await parley.button('Stop').click();
    await answers(parley, 'The second was told to stop.');
    await parley.whenIdle();
    await workbench.runCommand('Parley: Switch Chat');
    await workbench.page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'The first' })
      .click();
    await answers(parley, 'The first has begun.');
    assert.ok(await parley.isRunning(), 'the other one goes on');
    await parley.button('Stop').click();
    await answers(parley, 'The first was told to stop.');
    await parley.whenIdle();
    assert.equal(processesWith(MARKER).length, 1);
  });

  test('are read in a second window of the folder, and not written there', async (session) => {
    const there = await secondWindow(session);
    other = there;
    await answers(there, 'The first was told to stop.');
    await there.frame.getByText(READ_ONLY).waitFor();
    assert.equal(await there.composer.isEditable(), false);
    assert.equal(await there.button('Send').isEnabled(), false);
  });

  test('go on in the first window, and the second one follows', async ({ parley }) => {
    assert.ok(other);
    await play(parley, ['say', 'News for both windows.']);
    await answers(parley, 'News for both windows.');
    await answers(other, 'News for both windows.');
    assert.equal(await parley.frame.getByText(READ_ONLY).count(), 0);
  });

  test('can be begun in the second window, with an agent of its own', async ({ parley }) => {
    assert.ok(other);
    await other.button('New chat').click();
    await other.frame.getByText(READ_ONLY).waitFor({ state: 'detached' });
    await play(other, ['say', 'Only here.']);
    await answers(other, 'Only here.');
    await poll(
      'a process for each window',
      () => processesWith(MARKER).length,
      (count) => count === 2,
    );
    assert.equal(await parley.conversation.getByText('Only here.').count(), 0);
  });
});
