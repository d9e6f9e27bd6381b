import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { configureWorkbench } from '../harness/browser.mjs';
import { ParleyView } from '../harness/pages/parley.mjs';
import { Workbench } from '../harness/pages/workbench.mjs';
import { root } from '../harness/paths.mjs';
import { poll } from '../harness/poll.mjs';
import type { Session } from '../harness/session.mjs';
import { processesWith } from './agentProcesses.ts';
import { inVsCode } from './inVsCode.ts';

const MARKER = `parley-settings-${randomUUID()}`;

const fake = (name: string) => ({
  command: process.execPath,
  args: [path.join(root, 'test', 'fakes', 'agents', `${name}.mjs`), MARKER],
});

const SETTINGS = {
  'parley.agents': { scripted: fake('scripted'), mortal: fake('diesMidTurn') },
  'parley.defaultAgent': 'scripted',
  'parley.trace': true,
};

/** More lines than the pick has rows for; all of them must be read before a yes. */
const COMMAND = Array.from({ length: 20 }, (_, line) => `echo step ${line + 1} of 20`).join('\n');

const ASK = [
  'ask',
  {
    toolCall: {
      toolCallId: 'call-1',
      title: 'Run the steps',
      kind: 'execute',
      rawInput: { command: COMMAND },
    },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  },
];

/** Half a second without a key: until then, keys are no answer. */
const QUIET = 800;

/** Makes the agent do these steps; what the person wrote is the list. */
async function play({ parley }: Pick<Session, 'parley'>, ...steps: readonly unknown[]) {
  await parley.composer.click();
  await parley.composer.fill(JSON.stringify(steps));
  await parley.composer.press('Enter');
}

const asks = (rows: readonly string[]) => rows.some((row) => /\bReject\b/.test(row));

/** The settings of the folder, which VS Code reads anew when the file has changed. */
function setInFolder({ folder }: Session, settings: Readonly<Record<string, unknown>>): void {
  fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  fs.writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
}

inVsCode('settings, keys and commands', { settings: SETTINGS }, (test) => {
  test('a permission request is not answered by an Enter that meets the pick as it appears; the same key counts later', async (session) => {
    const { parley, workbench, page } = session;
    await play(session, ASK);
    await workbench.quickPick.whenOpen();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(QUIET);
    await workbench.quickPick.whenRows(asks);
    assert.equal(await workbench.badge('Parley'), '1');
    await parley.whenArticle(/^Tool call: Run the steps, Waiting for your permission$/);

    await page.keyboard.press('Enter');
    await workbench.quickPick.whenClosed();
    await parley.articles('Agent').filter({ hasText: '"optionId":"yes"' }).waitFor();
    await parley.whenIdle();
  });

  test('a permission request shows the whole command in an editor with F2, and comes back when that is closed', async (session) => {
    const { workbench, page } = session;
    await play(session, ASK);
    const rows = await workbench.quickPick.whenRows(asks);
    assert.ok(!rows.some((row) => row.includes('step 20 of 20')), 'it is too long for the pick');
    await page.keyboard.press('F2');
    await workbench.quickPick.whenClosed();
    const lines = await poll(
      'the whole command in an editor',
      () => workbench.editorLines(),
      (all) => all.some((line) => line.includes('step 20 of 20')),
    );
    for (const line of COMMAND.split('\n')) assert.ok(lines.includes(line), lines.join('\n'));
    await workbench.runCommand('View: Close All Editors');
    await workbench.quickPick.whenRows(asks);
    assert.equal(await workbench.badge('Parley'), '1');
  });

  test('a permission request has no pick with the setting "card": the one on screen goes, and there is no other', async (session) => {
    const { parley, workbench } = session;
    setInFolder(session, { 'parley.permissions.prompt': 'card' });
    await workbench.quickPick.whenClosed();
    const reject = parley.permissions.getByRole('button', { name: 'Reject', exact: true });
    await reject.click();
    await parley.whenIdle();

    await play(session, ASK);
    await reject.waitFor();
    assert.equal(await workbench.badge('Parley'), '1');
    assert.equal(await workbench.quickPick.isOpen(), false);
    assert.deepEqual(await workbench.toasts(), []);
  });

  test('a permission request has a notification with the setting "notification", whose button leads to the pick', async (session) => {
    const { parley, workbench, page } = session;
    setInFolder(session, { 'parley.permissions.prompt': 'notification' });
    await workbench.whenToast(/asks for your permission: Run the steps/);
    assert.equal(await workbench.quickPick.isOpen(), false);
    await workbench.pressToastButton('Show');
    await workbench.quickPick.whenRows(asks);
    await page.waitForTimeout(QUIET);
    await workbench.quickPick.choose('Reject');
    await parley.articles('Agent').filter({ hasText: '"optionId":"no"' }).last().waitFor();
    await parley.whenIdle();
    assert.equal(await workbench.badge('Parley'), '');
  });

  test('an agent is stopped by the command', async (session) => {
    const { parley, workbench } = session;
    await play(session, ['say', 'I wait.'], ['wait'], ['end', 'cancelled']);
    await parley.articles('Agent').filter({ hasText: 'I wait.' }).waitFor();
    await workbench.runCommand('Parley: Stop the Running Turn');
    await parley.conversation.getByText('You stopped this turn.').waitFor();
    await parley.whenIdle();
  });

  test('an agent is a new process after the command to restart it, and the chat goes on', async (session) => {
    const { parley, workbench } = session;
    const before = processesWith(MARKER);
    assert.equal(before.length, 1);
    await workbench.runCommand('Parley: Restart Agent');
    await poll(
      'another process, and the old one gone',
      () => processesWith(MARKER),
      (now) => now.length === 1 && now[0] !== before[0],
    );
    await play(session, ['say', 'Here I am again.']);
    await parley.articles('Agent').filter({ hasText: 'Here I am again.' }).waitFor();
    await parley.whenIdle();
  });

  test('an agent gives its answer to the clipboard as the Markdown that it wrote', async (session) => {
    const { parley, page } = session;
    const markdown = '## Title\n\n- **bold** and `code`\n\n```ts\nconst a = 1;\n```';
    await play(session, ['say', markdown]);
    await parley.frame.getByRole('heading', { name: 'Title', exact: true }).waitFor();
    await parley.whenIdle();
    await parley.button('Copy answer').last().click();
    await poll(
      'the clipboard to have the answer',
      () => page.evaluate(() => navigator.clipboard.readText()),
      (text) => text === markdown,
    );
  });

  test('an agent is traced, in both directions, in the folder of logs', async ({ server }) => {
    const logs = path.join(server.data, 'data', 'logs');
    const frames = await poll(
      'a trace that ends with the answer to a prompt',
      () => traceIn(logs),
      (all) => all.at(-1)?.dir === 'recv',
    );
    const methods = (dir: string) =>
      frames.filter((frame) => frame.dir === dir).map(({ method }) => method);
    const sent = methods('send');
    assert.equal(sent[0], 'initialize');
    assert.ok(sent.includes('session/prompt') && sent.includes('session/cancel'), sent.join());
    assert.ok(methods('recv').includes('session/update'), methods('recv').join());
  });

  test('an agent works with no folder open, and the person is asked about any other file', async (session) => {
    const { server, browser } = session;
    const page = await browser.newPage();
    await configureWorkbench(page, { authority: server.authority });
    const workbench = new Workbench(page);
    await workbench.open(`${server.origin}/?ew=true`);
    const parley = new ParleyView(workbench);
    await parley.open();
    await parley.frame
      .getByText('No folder is open: the agent works in a folder of its own')
      .waitFor();
    await play({ parley }, ['read', path.join(session.folder, 'README.md')]);
    await workbench.quickPick.whenOpen();
    assert.match(await workbench.quickPick.text(), /README\.md is outside of/);
    await page.waitForTimeout(800);
    await workbench.quickPick.choose('Reject');
    const answer = await parley.whenArticle('Agent');
    await parley.whenIdle();
    assert.match(await answer.innerText(), /refused to let you read/);
    await page.close();
  });

  test('an agent is chosen by the command, and started again by the card once it has died', async (session) => {
    const { parley, workbench } = session;
    await workbench.runCommand('Parley: Select Agent');
    await workbench.quickPick.choose('mortal');
    await parley.articles('You').first().waitFor({ state: 'detached' });
    await parley.prompt('dig');
    await parley.errors.waitFor();
    const card = await parley.errors.innerText();
    assert.match(card, /\b7\b/);
    assert.match(card, /panic: out of cheese/);
    await parley.whenArticle(/^Tool call: Dig, Cancelled$/);
    await parley.errors.getByRole('button', { name: /Restart/ }).click();
    await parley.frame.getByText('Ready', { exact: true }).first().waitFor();
    await parley.prompt('dig again');
    await parley.articles('Agent').filter({ hasText: 'Half an ans' }).nth(1).waitFor();
  });
});

interface Frame {
  readonly dir: string;
  readonly method: string;
}

function traceIn(logs: string): readonly Frame[] {
  const name = fs
    .readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .find((file) => file.endsWith(path.join('parley.parley', 'trace-scripted.ndjson')));
  assert.ok(name, 'there is no trace');
  const lines = fs.readFileSync(path.join(logs, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => frameOf(JSON.parse(line)));
}

/** A line of a trace, and what it says it is. */
function frameOf(line: unknown): Frame {
  assert.ok(typeof line === 'object' && line !== null);
  assert.deepEqual(Object.keys(line).sort(), ['dir', 'raw', 'ts']);
  assert.ok('ts' in line && typeof line.ts === 'number' && line.ts >= 0);
  assert.ok('dir' in line && (line.dir === 'send' || line.dir === 'recv'));
  assert.ok('raw' in line && typeof line.raw === 'string');
  const frame: unknown = JSON.parse(line.raw);
  assert.ok(typeof frame === 'object' && frame !== null && 'jsonrpc' in frame);
  return { dir: line.dir, method: 'method' in frame ? String(frame.method) : '' };
}
