import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { poll } from '../harness/poll.mjs';
import type { Session } from '../harness/session.mjs';
import { inVsCode } from './inVsCode.ts';
import { scriptedAgent, steps } from './scriptedAgent.ts';

const READING = 800;

const ID = { terminalId: '$terminal' };
const UNTIL_EXIT = ['quietly', 'terminal/wait_for_exit', ID];
const node = (script: string): readonly unknown[] => [
  'quietly',
  'terminal/create',
  { command: process.execPath, args: ['-e', script] },
];

const COLOURS = `
  console.log('\\x1b[31mred words\\x1b[0m and plain ones');
  for (let n = 1; n <= 600; n++) console.log('line ' + n);
  process.exitCode = 3;`;
const LONG = `console.log('it has begun'); setInterval(() => {}, 1000);`;

async function allowOnce({ workbench, page }: Session): Promise<void> {
  await workbench.quickPick.whenRows((rows) => rows.some((row) => row.includes('Allow once')));
  await page.waitForTimeout(READING);
  await workbench.quickPick.choose('Allow once');
  await workbench.quickPick.whenClosed();
}

/** Shows what the call has printed. */
async function unfold(call: Locator): Promise<void> {
  const screen = call.getByRole('group', { name: 'Output' });
  if ((await screen.count()) === 0) await call.getByRole('button').first().click();
  await screen.first().waitFor();
}

/** What VS Code's own terminal panel shows. */
function panel({ page }: Session): Promise<string> {
  return page
    .locator('.terminal-wrapper.active .xterm-rows')
    .first()
    .evaluate((rows) =>
      [...rows.children].map((row) => row.textContent.replaceAll('\u00a0', ' ')).join('\n'),
    );
}

inVsCode('a command of an agent', { settings: scriptedAgent() }, (test) => {
  test('is asked about whole, with its folder, before it runs', async (session) => {
    const { parley, workbench, folder } = session;
    await parley.prompt(steps(node(COLOURS), UNTIL_EXIT));
    await workbench.quickPick.whenRows((rows) =>
      rows.some((row) => row.includes('Allow this exact command in this chat')),
    );
    const text = await workbench.quickPick.text();
    assert.match(text, /Parley asks/);
    assert.ok(text.includes(folder), text);
    assert.match(await parley.permissions.last().innerText(), /red words/);
    await allowOnce(session);
    await parley.whenIdle();
  });

  test('shows its output in colours, and how it ended', async ({ parley }) => {
    const call = await parley.whenArticle(/^Tool call: .*, Failed$/);
    await call.getByText('Exit 3').first().waitFor();
    await unfold(call);
    await call.getByText('line 600').first().waitFor();
  });

  test('opens as a whole in an editor', async ({ parley, workbench }) => {
    const call = await parley.whenArticle(/^Tool call: .*, Failed$/);
    await call.getByRole('button', { name: 'Open full output in an editor' }).click();
    await poll(
      'the first lines of the output',
      () => workbench.editorLines(),
      (lines) => lines[0] === 'red words and plain ones' && lines[1] === 'line 1',
    );
    assert.match(await workbench.activeTab(), /Command output\.log/);
    await workbench.runCommand('View: Close All Editors');
  });

  test('opens in VS Code’s panel, which takes no input', async (session) => {
    const { parley, page } = session;
    const call = await parley.whenArticle(/^Tool call: .*, Failed$/);
    await call.getByRole('button', { name: 'Open in Terminal' }).click();
    await poll(
      'the output in the panel',
      () => panel(session),
      (text) => /line 600\s+Ended with exit code 3/.test(text),
    );
    await page.keyboard.type('ls');
    await poll(
      'the hint',
      () => panel(session),
      (text) => text.includes('it takes no input'),
    );
    const count = page.locator('.terminal-wrapper');
    const before = await count.count();
    await call.getByRole('button', { name: 'Open in Terminal' }).click();
    assert.equal(await count.count(), before);
  });

  test('is drawn with the colours of the theme', async (session) => {
    const { parley } = session;
    await parley.prompt(
      steps(node(`console.log('\\x1b[31mred words\\x1b[0m and plain')`), UNTIL_EXIT),
    );
    await allowOnce(session);
    await parley.whenIdle();
    const call = await parley.whenArticle(/^Tool call: .*, Done$/);
    await unfold(call);
    const screen = call.getByRole('group', { name: 'Output' }).first();
    const red = screen.locator('span', { hasText: 'red words' }).first();
    const isRed = await red.evaluate((element) => {
      const context = document.createElement('canvas').getContext('2d');
      if (context === null) return null;
      context.fillStyle = getComputedStyle(element).color;
      context.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
      return { r, g, b };
    });
    assert.ok(
      isRed !== null && isRed.r > 1.5 * isRed.g && isRed.r > 1.5 * isRed.b,
      JSON.stringify(isRed),
    );
  });

  test('is stopped with its button while it runs, and the agent goes on', async (session) => {
    const { parley } = session;
    await parley.prompt(steps(node(LONG), UNTIL_EXIT, ['say', 'after it']));
    await allowOnce(session);
    const call = await parley.whenArticle(/^Tool call: .*, Running$/);
    await call.getByText('it has begun').first().waitFor();
    await call.getByRole('button', { name: 'Stop this command' }).click();
    await parley.articles('Agent').filter({ hasText: 'after it' }).last().waitFor();
    await parley.whenIdle();
    const ended = await parley.whenArticle(/^Tool call: .*, Failed$/);
    await ended
      .getByText(/Ended by SIG/)
      .first()
      .waitFor();
  });

  test('stays after a reload, with output, end and panel', async (session) => {
    const { parley, workbench } = session;
    await workbench.reload();
    await parley.whenShown();
    const call = parley.articles(/^Tool call: .*, Failed$/).first();
    await call.waitFor();
    await call.getByText('Exit 3').first().waitFor();
    await unfold(call);
    await call.getByText('line 600').first().waitFor();
    await call.getByRole('button', { name: 'Open in Terminal' }).click();
    await poll(
      'the output in the panel',
      () => panel(session),
      (text) => /line 600\s+Ended with exit code 3/.test(text),
    );
  });
});
