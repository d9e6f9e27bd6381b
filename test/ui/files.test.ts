import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../harness/paths.mjs';
import { poll } from '../harness/poll.mjs';
import type { Session } from '../harness/session.mjs';
import { processesWith } from './agentProcesses.ts';
import { inVsCode } from './inVsCode.ts';
import { scriptedAgent, steps } from './scriptedAgent.ts';

/** Nobody can read a question in less: a faster yes does not count. */
const READING = 800;

const FILE = path.join('src', 'words.ts');

async function choose({ workbench, page }: Session, row: string): Promise<void> {
  await workbench.quickPick.whenRows((rows) => rows.some((each) => each.includes(row)));
  await page.waitForTimeout(READING);
  await workbench.quickPick.choose(row);
  await workbench.quickPick.whenClosed();
}

inVsCode('files of an agent', { settings: scriptedAgent() }, (test) => {
  test('a write that no call announced stands in the chat as a change, and opens no tab', async ({
    parley,
    folder,
    page,
    workbench,
  }) => {
    await parley.prompt(steps(['write', path.join(folder, FILE), 'export {};\n']));
    const call = await parley.whenArticle(new RegExp(`^Tool call: Changed ${FILE}, Done$`));
    await parley.whenIdle();
    assert.equal(fs.readFileSync(path.join(folder, FILE), 'utf8'), 'export {};\n');
    assert.equal(await page.locator('.tab').count(), 0);
    if ((await call.getByText('export {};').count()) === 0)
      await call.getByRole('button').first().click();
    await call.getByText('export {};').first().waitFor();
    await call.getByRole('button', { name: /diff/i }).first().click();
    await poll(
      'the change in the diff editor',
      () => workbench.editorLines('modified'),
      (lines) => lines.some((line) => line.includes('export {};')),
    );
    await workbench.runCommand('View: Close All Editors');
  });

  test('a guarded file is asked about with its change, and written after a yes, with the keyboard alone', async ({
    parley,
    folder,
    workbench,
    page,
  }) => {
    const file = path.join(folder, '.vscode', 'tasks.json');
    await page.keyboard.press('F1');
    await workbench.quickPick.whenOpen();
    await workbench.quickPick.type('Parley: Open');
    await workbench.quickPick.whenRows((rows) => rows[0]?.startsWith('Parley: Open') === true);
    await page.keyboard.press('Enter');
    await workbench.quickPick.whenClosed();
    await poll(
      'the focus in the composer',
      () => parley.composer.evaluate((field) => field === document.activeElement),
      (focused) => focused,
    );
    await page.keyboard.insertText(steps(['write', file, '{"evil": true}\n']));
    await page.keyboard.press('Enter');
    await workbench.quickPick.whenRows((rows) =>
      rows.some((row) => row.includes('Allow this change')),
    );
    assert.match(await workbench.quickPick.title(), /Create .*tasks\.json/);
    assert.match(await workbench.quickPick.text(), /Parley asks/);
    assert.equal(fs.existsSync(file), false);
    await page.keyboard.press('F7');
    await poll(
      'the change in the diff editor',
      () => workbench.editorLines('modified'),
      (lines) => lines.some((line) => line.includes('"evil"')),
    );
    await page.keyboard.press('Escape');
    await workbench.quickPick.whenRows((rows) =>
      rows.some((row) => row.includes('Allow this change')),
    );
    await page.waitForTimeout(READING);
    await page.keyboard.press('Enter');
    await workbench.quickPick.whenClosed();
    await parley.whenArticle(/^Tool call: Create .*tasks\.json, Done$/);
    await parley.whenIdle();
    assert.equal(fs.readFileSync(file, 'utf8'), '{"evil": true}\n');
    await workbench.runCommand('View: Close All Editors');
  });

  test('a guarded file is asked about again, and stays as it was after a no in the card', async ({
    parley,
    folder,
    workbench,
    page,
  }) => {
    const file = path.join(folder, '.vscode', 'tasks.json');
    await parley.prompt(steps(['write', file, '{}\n']));
    await workbench.quickPick.whenOpen();
    await page.keyboard.press('Escape');
    const card = parley.permissions.last();
    assert.match(await card.innerText(), /Parley asks:/);
    await page.waitForTimeout(READING);
    await card.getByRole('button', { name: 'Reject', exact: true }).click();
    await parley.whenArticle(/^Tool call: Change .*tasks\.json, Rejected$/);
    await parley.whenIdle();
    assert.equal(fs.readFileSync(file, 'utf8'), '{"evil": true}\n');
  });

  test('a file outside is asked about once, with the reason, and then read', async (session) => {
    const { parley, workbench } = session;
    const file = path.join(fs.realpathSync(temporaryFolder('outside')), 'notes.txt');
    fs.writeFileSync(file, 'from outside');
    await parley.prompt(steps(['read', file], ['read', file]));
    await workbench.quickPick.whenOpen();
    assert.match(await workbench.quickPick.text(), /outside of the workspace/);
    await choose(session, 'Allow this file');
    await parley.whenIdle();
    const said = await parley.articles('Agent').last().innerText();
    assert.equal(said.match(/from outside/g)?.length, 2, said);
    assert.equal(await parley.articles(/^Tool call: Read .*notes\.txt, Done$/).count(), 1);
  });

  test('shows all of it again after a reload, and asks anew about what was allowed', async (session) => {
    const { parley, workbench, folder } = session;
    await workbench.reload();
    await parley.whenShown();
    await parley.whenArticle(new RegExp(`^Tool call: Changed ${FILE}, Done$`));
    await parley.whenArticle(/^Tool call: Create .*tasks\.json, Done$/);
    await parley.whenArticle(/^Tool call: Read .*notes\.txt, Done$/);
    await parley.prompt(steps(['read', path.join(path.dirname(folder), 'none.txt')]));
    await choose(session, 'Reject');
    await parley.whenIdle();
  });
});

const MARKER = `parley-killed-${randomUUID()}`;
const SIZE = 4_000_000;
/** Rounds of writing and killing. */
const KILLS = 4;

/** The extension host that started the agent: its parent. */
function hostOf(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

inVsCode(
  'an extension host that is killed while it writes',
  { settings: scriptedAgent(MARKER) },
  (test) => {
    test('leaves the old text or the new one, never half of it', async ({
      parley,
      workbench,
      folder,
    }) => {
      if (process.platform !== 'linux') return;
      const file = path.join(folder, 'big.txt');
      const texts = ['a', 'b'].map((letter) => letter.repeat(SIZE));
      fs.writeFileSync(file, texts[0] ?? '');
      for (let round = 0; round < KILLS; round += 1) {
        await parley.prompt(steps(['say', `round ${round}`], ['writeOver', file, SIZE, 1_000]));
        await parley
          .articles('Agent')
          .filter({ hasText: `round ${round}` })
          .last()
          .waitFor();
        await workbench.page.waitForTimeout(150 + 130 * round);
        const [agent] = processesWith(MARKER);
        assert.ok(agent !== undefined);
        process.kill(hostOf(agent), 'SIGKILL');
        await poll(
          'the agent to end',
          () => processesWith(MARKER).length,
          (count) => count === 0,
        );
        const text = fs.readFileSync(file, 'utf8');
        assert.ok(texts.includes(text), `${text.length} characters`);
        await workbench.reload();
        await parley.whenShown();
      }
    });
  },
);
