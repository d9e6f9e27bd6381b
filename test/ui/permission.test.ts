import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { poll } from '../harness/poll.mjs';
import { inVsCode } from './inVsCode.ts';

const FILE = 'src/tally.ts';

inVsCode('a request for permission', {}, (test) => {
  test('stays open, with a badge, when the pick is put away with Escape', async ({
    parley,
    workbench,
    page,
  }) => {
    await parley.prompt(`/edit ${FILE}`);
    await workbench.quickPick.whenOpen();
    await page.keyboard.press('Escape');
    await workbench.quickPick.whenClosed();
    await parley.permissions.last().waitFor();
    assert.equal(await workbench.badge('Parley'), '1');
    assert.ok(await parley.isRunning());
  });

  test('is asked again by the command', async ({ workbench, page }) => {
    await workbench.runCommand('Parley: Answer a Permission Request');
    await workbench.quickPick.whenOpen();
    await workbench.quickPick.whenRows((rows) => rows.some((row) => /\bReject\b/.test(row)));
    await page.keyboard.press('Escape');
    await workbench.quickPick.whenClosed();
  });

  test('steps aside for the change as a diff, one key away, and comes back with Escape', async ({
    workbench,
    page,
  }) => {
    await workbench.runCommand('Parley: Answer a Permission Request');
    await workbench.quickPick.whenRows((rows) => rows.some((row) => /\bReject\b/.test(row)));
    await page.keyboard.press('F7');
    await poll(
      'the added line in the diff editor',
      () => workbench.editorLines('modified'),
      (lines) => lines.some((line) => line.includes('Parley')),
    );
    assert.equal(await workbench.quickPick.isOpen(), false);
    await page.keyboard.press('Escape');
    await workbench.quickPick.whenRows((rows) => rows.some((row) => /\bReject\b/.test(row)));
    await page.keyboard.press('Escape');
    await workbench.quickPick.whenClosed();
    await workbench.runCommand('View: Close All Editors');
    assert.equal(await workbench.badge('Parley'), '1');
  });

  test('is refused in the card: the call is Rejected, the file as it was', async ({
    parley,
    folder,
  }) => {
    const before = fs.readFileSync(path.join(folder, FILE), 'utf8');
    await parley.permissions.last().getByRole('button', { name: 'Reject', exact: true }).click();
    await parley.whenArticle(/^Tool call: Edit .*tally\.ts, Rejected$/);
    await parley.whenIdle();
    assert.equal(fs.readFileSync(path.join(folder, FILE), 'utf8'), before);
  });

  test('is allowed in the card, while the pick stands: the pick goes, the file is written', async ({
    parley,
    workbench,
    folder,
  }) => {
    const before = fs.readFileSync(path.join(folder, FILE), 'utf8');
    await parley.prompt(`/edit ${FILE}`);
    await workbench.quickPick.whenOpen();
    await parley.permissions.last().getByRole('button', { name: 'Allow', exact: true }).click();
    await workbench.quickPick.whenClosed();
    await parley.whenArticle(/^Tool call: Edit .*tally\.ts, Done$/);
    await parley.whenIdle();
    assert.notEqual(fs.readFileSync(path.join(folder, FILE), 'utf8'), before);
  });

  test('is answered with cancelled when the turn is stopped', async ({ parley, workbench }) => {
    await parley.prompt('/edit src/main.ts');
    await workbench.quickPick.whenOpen();
    await workbench.page.keyboard.press('Escape');
    await parley.button('Stop').click();
    await parley.whenIdle();
    await parley.whenArticle(/^Tool call: Edit .*main\.ts, Cancelled$/);
    assert.equal(await workbench.badge('Parley'), '');
  });
});
