import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { poll } from '../harness/poll.mjs';
import { inVsCode } from './inVsCode.ts';

const FILE = 'src/words.ts';

inVsCode('a whole turn', {}, (test) => {
  test('says which agent is chosen, and that it is ready', async ({ parley }) => {
    const page = parley.frame.getByRole('main', { name: /^Chat with .*Reference/ });
    await page.waitFor();
    await page.getByText('Ready', { exact: true }).first().waitFor();
  });

  test('streams the answer in as Markdown', async ({ parley }) => {
    await parley.prompt('/stream 12');
    const answer = await parley.whenArticle('Agent');
    const lengths: number[] = [];
    await poll(
      'the answer to grow twice while the turn runs',
      async () => {
        const length = (await answer.innerText()).length;
        if (length !== lengths.at(-1) && (await parley.isRunning())) lengths.push(length);
        return lengths.length;
      },
      (count) => count >= 3,
    );
    assert.deepEqual(
      lengths,
      lengths.toSorted((a, b) => a - b),
      'text only grows',
    );
    await parley.whenIdle();
    await answer.getByRole('heading', { name: 'A long answer in 12 sections' }).waitFor();
    assert.match(await answer.innerText(), /That was section 12 of 12\.\s*$/);
  });

  test('asks in a quick pick, writes the file after a yes by keyboard, and shows the call as done', async ({
    parley,
    workbench,
    folder,
    page,
  }) => {
    const file = path.join(folder, FILE);
    const before = fs.readFileSync(file, 'utf8');
    await parley.prompt(`/edit ${FILE}`);
    await workbench.quickPick.whenOpen();
    assert.match(await workbench.quickPick.title(), /words\.ts/);
    await parley.whenArticle(/^Tool call: .*words\.ts, Waiting for your permission$/);
    const rows = await workbench.quickPick.rows();
    assert.ok(
      rows.some((row) => /\bAllow\b/.test(row)) && rows.some((row) => /\bReject\b/.test(row)),
      JSON.stringify(rows),
    );
    assert.equal(await workbench.badge('Parley'), '1');
    assert.equal(fs.readFileSync(file, 'utf8'), before, 'nothing is written before the answer');

    // An answer counts only after half a second without a key: as long as a person needs to read.
    await page.waitForTimeout(800);
    await page.keyboard.press('Enter');
    await workbench.quickPick.whenClosed();
    await parley.whenArticle(/^Tool call: Edit .*words\.ts, Done$/);
    await parley.whenIdle();

    const after = fs.readFileSync(file, 'utf8');
    assert.notEqual(after, before);
    assert.ok(after.includes('export function words'), 'the change is a small one');
    assert.equal(await workbench.badge('Parley'), '');
  });

  test('stops with the button', async ({ parley }) => {
    await parley.prompt('/slow');
    const answer = await parley.whenArticle('Agent');
    await answer.getByText('second 1 of 60').waitFor();
    await parley.button('Stop').click();
    await parley.whenIdle();
    await parley.conversation.getByText('You stopped this turn.').last().waitFor();
  });

  test('stops with Esc in the composer', async ({ parley }) => {
    await parley.prompt('/slow');
    // The words of the turn before are the same: without this, Esc could come before there is anything to stop.
    await parley.button('Stop').waitFor();
    const answer = await parley.whenArticle('Agent');
    await answer.getByText('second 1 of 60').waitFor();
    await parley.composer.press('Escape');
    await parley.whenIdle();
    assert.equal(await parley.conversation.getByText('You stopped this turn.').count(), 2);
  });

  test('has the chat again after the window is reloaded, with its draft', async ({
    parley,
    workbench,
  }) => {
    const prompts = await parley.articles('You').allInnerTexts();
    assert.equal(prompts.length, 4);
    await parley.composer.fill('a thought for later');
    // The host keeps a draft within 300 ms.
    await workbench.page.waitForTimeout(600);

    await workbench.reload();
    await parley.whenShown();
    await parley.conversation.getByText('/stream 12').first().waitFor();
    assert.deepEqual(await parley.articles('You').allInnerTexts(), prompts);
    await parley.whenArticle(/^Tool call: Edit .*words\.ts, Done$/);
    assert.equal(await parley.conversation.getByText('You stopped this turn.').count(), 2);
    assert.equal(await parley.composer.inputValue(), 'a thought for later');
  });

  test('goes on in the chat after the reload', async ({ parley }) => {
    await parley.prompt('/help');
    await parley.whenIdle();
    assert.match(await parley.articles('Agent').last().innerText(), /\/edit/);
  });
});
