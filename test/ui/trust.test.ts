import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../harness/paths.mjs';
import { poll } from '../harness/poll.mjs';
import type { Session } from '../harness/session.mjs';
import { processesWith } from './agentProcesses.ts';
import { inVsCode } from './inVsCode.ts';
import { scriptedAgent, steps } from './scriptedAgent.ts';

/** The agent that the repository brings along. */
const AGENT = 'repo';
const MARKER = `parley-trust-${randomUUID()}`;
const CHANGED = `${MARKER}-changed`;
const PROGRAM = path.join(root, 'test', 'fakes', 'agents', 'scripted.mjs');

/** Nobody can read a command in less: a faster yes does not count. */
const READING = 1200;

/** What a repository can carry: it names a program, and makes it the agent for new chats. */
function nameAgent(folder: string, args: readonly string[]): void {
  const settings = {
    'parley.agents': { [AGENT]: { command: process.execPath, args: [PROGRAM, ...args] } },
    'parley.defaultAgent': AGENT,
  };
  fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  fs.writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
}

/** The modal that asks before the program of a workspace is started. @returns Its text. */
async function whenAsked({ workbench }: Session): Promise<string> {
  await workbench.dialog.filter({ hasText: 'wants to start the agent' }).waitFor();
  return workbench.dialog.innerText();
}

async function answer({ workbench }: Session, button: string): Promise<void> {
  await workbench.dialog.locator('.monaco-button', { hasText: button }).first().click();
}

async function chooseAgent({ workbench }: Session): Promise<void> {
  await workbench.runCommand('Parley: Select Agent');
  await workbench.quickPick.choose(AGENT);
}

inVsCode(
  'an agent that a repository names',
  {
    workspaceTrust: true,
    // As after a no to VS Code's own question: the window opens in Restricted Mode.
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    prepare: (folder) => {
      nameAgent(folder, [MARKER]);
    },
  },
  (test) => {
    test('is not used while the folder is not trusted: the chat has the bundled one, and says what it cannot do', async ({
      parley,
    }) => {
      await parley.frame.getByText('This workspace is not trusted').waitFor();
      await parley.frame.getByRole('main', { name: /^Chat with .*Reference/ }).waitFor();
      await parley.prompt('/help');
      await parley.whenIdle();
      assert.match(await parley.articles('Agent').last().innerText(), /does not let me write/);
      assert.deepEqual(processesWith(MARKER), []);
    });

    test('is not in the list while the folder is not trusted', async ({ workbench, page }) => {
      await workbench.runCommand('Parley: Select Agent');
      const rows = await workbench.quickPick.whenRows((all) =>
        all.some((row) => row.includes('Reference agent')),
      );
      assert.ok(!rows.some((row) => row.includes(AGENT) || row.includes(MARKER)), rows.join('\n'));
      await page.keyboard.press('Escape');
      await workbench.quickPick.whenClosed();
    });

    test('is offered once the folder is trusted, and its whole command line is shown before it is started', async (session) => {
      const { workbench, page, folder } = session;
      await workbench.runCommand('Workspaces: Manage Workspace Trust');
      await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
      await page.locator('.workspace-trust-editor').getByText('You trust this folder').waitFor();
      await workbench.runCommand('View: Close All Editors');
      await chooseAgent(session);
      const question = await whenAsked(session);
      for (const part of [`“${AGENT}”`, process.execPath, PROGRAM, MARKER, folder]) {
        assert.ok(question.includes(part), `${part} in:\n${question}`);
      }
      assert.deepEqual(processesWith(MARKER), []);
    });

    test('is not started after a no', async (session) => {
      await answer(session, 'Cancel');
      const card = session.parley.errors.first();
      await card.waitFor();
      assert.match(await card.innerText(), /was not started/);
      assert.deepEqual(processesWith(MARKER), []);
    });

    test('is asked about again by Restart, and started after a yes', async (session) => {
      const { parley, page } = session;
      await parley.errors.getByRole('button', { name: /Restart/ }).click();
      await whenAsked(session);
      await page.waitForTimeout(READING);
      assert.deepEqual(processesWith(MARKER), []);
      await answer(session, 'Start');
      await parley.prompt('are you there');
      await parley.articles('Agent').filter({ hasText: 'are you there' }).waitFor();
      await parley.whenIdle();
      assert.equal(processesWith(MARKER).length, 1);
    });

    test('is not asked about a second time after a reload', async ({ parley, workbench }) => {
      await workbench.reload();
      await parley.whenShown();
      await parley.prompt('and again');
      await parley.articles('Agent').filter({ hasText: 'and again' }).waitFor();
      assert.equal(await workbench.dialog.count(), 0);
      await poll(
        'one process of the agent',
        () => processesWith(MARKER).length,
        (count) => count === 1,
      );
    });

    test('is asked about again when its arguments have changed', async (session) => {
      const { parley, workbench, folder } = session;
      nameAgent(folder, [MARKER, CHANGED]);
      await parley.conversation.getByText('settings of repo have changed').waitFor();
      await workbench.runCommand('Parley: Restart Agent');
      const question = await whenAsked(session);
      assert.ok(question.includes(CHANGED), question);
      await answer(session, 'Cancel');
      await parley.errors.first().waitFor();
      assert.deepEqual(processesWith(CHANGED), []);
    });
  },
);

inVsCode(
  'an agent of the person in a folder that is not trusted',
  {
    workspaceTrust: true,
    settings: {
      ...scriptedAgent(),
      'parley.trace': true,
      'security.workspace.trust.startupPrompt': 'never',
    },
  },
  (test) => {
    test('reads, but writes no file and runs no command, and is told so at its start', async ({
      parley,
      workbench,
      folder,
      server,
    }) => {
      const file = path.join(folder, 'src', 'words.ts');
      const before = fs.readFileSync(file, 'utf8');
      const made = path.join(folder, 'made');
      await parley.prompt(
        steps(
          ['write', file, 'gone'],
          ['request', 'terminal/create', { command: 'touch', args: [made] }],
          ['read', file, { line: 1, limit: 1 }],
        ),
      );
      await parley.whenIdle();
      const said = await parley.articles('Agent').last().innerText();
      assert.match(said, /Files cannot be written: the person has not trusted this workspace/);
      assert.match(said, /Commands cannot be run: the person has not trusted this workspace/);
      assert.equal(await workbench.quickPick.isOpen(), false);
      assert.deepEqual([fs.readFileSync(file, 'utf8'), fs.existsSync(made)], [before, false]);
      const logs = path.join(server.data, 'data', 'logs');
      const trace = fs
        .readdirSync(logs, { recursive: true, encoding: 'utf8' })
        .find((each) => each.endsWith('trace-scripted.ndjson'));
      const [first = ''] = fs.readFileSync(path.join(logs, trace ?? ''), 'utf8').split('\n');
      const { raw } = JSON.parse(first) as { raw: string };
      const { params } = JSON.parse(raw) as { params: { clientCapabilities: unknown } };
      assert.deepEqual(params.clientCapabilities, {
        fs: { readTextFile: true, writeTextFile: false },
        terminal: false,
      });
    });

    test('is offered to be restarted when the folder is trusted, and may then do both', async (session) => {
      const { parley, workbench, page, folder } = session;
      await workbench.runCommand('Workspaces: Manage Workspace Trust');
      await page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).click();
      // Where the editor stands before the window, a click beside it closes it.
      await page.locator('.workspace-trust-editor').getByText('You trust this folder').waitFor();
      await page.mouse.click(700, 20);
      await parley.conversation
        .getByText('Restart the agent to let it write files and run commands')
        .waitFor();
      const file = path.join(folder, 'src', 'words.ts');
      await parley.prompt(steps(['write', file, 'export {};\n']));
      await parley.whenIdle();
      assert.equal(fs.readFileSync(file, 'utf8'), 'export {};\n');
    });
  },
);
