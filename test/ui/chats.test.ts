import assert from 'node:assert/strict';
import { inVsCode } from './inVsCode.ts';

inVsCode('several chats on one agent', {}, (test) => {
  test('run side by side: a new chat is free while the first one works', async ({ parley }) => {
    await parley.prompt('/slow 20');
    await parley.whenArticle('Agent');
    await parley.button('New chat').click();
    await parley.articles('You').first().waitFor({ state: 'detached' });
    assert.equal(await parley.isRunning(), false);
    await parley.prompt('/think');
    await parley.whenArticle('Thought');
    await parley.whenIdle();
  });

  test('are switched with the command, and the first one still runs', async ({
    parley,
    workbench,
  }) => {
    await workbench.runCommand('Parley: Switch Chat');
    await workbench.quickPick.whenRows((rows) => rows.some((row) => row.includes('/slow 20')));
    await workbench.quickPick.choose('/slow 20');
    await parley.conversation.getByText('One line a second').waitFor();
    assert.ok(await parley.isRunning());
    await parley.button('Stop').click();
    await parley.whenIdle();
  });

  test('ask for permission by a notification and a badge while another chat is in view', async ({
    parley,
    workbench,
  }) => {
    await parley.prompt('/plan');
    await parley.whenIdle();
    await parley.whenArticle('Plan');
    await parley.button('New chat').click();
    await parley.articles('You').first().waitFor({ state: 'detached' });
    await parley.composer.fill('/edit src/words.ts');
    await parley.composer.press('Enter');
    await workbench.quickPick.whenOpen();
    await workbench.page.keyboard.press('Escape');
    await workbench.quickPick.whenClosed();
    await workbench.runCommand('Parley: New Chat');
    await parley.articles('You').first().waitFor({ state: 'detached' });
    await workbench.whenToast(/asks for your permission/);
    assert.equal(await workbench.badge('Parley'), '1');
    await workbench.pressToastButton('Show');
    await workbench.quickPick.whenOpen();
    await workbench.page.keyboard.press('Escape');
    await parley.permissions.getByRole('button', { name: 'Reject', exact: true }).click();
    await parley.whenArticle(/, Rejected$/);
  });

  test('queue what is sent while a turn runs, and send it when the turn ends', async ({
    parley,
  }) => {
    await parley.button('New chat').click();
    await parley.prompt('/slow 3');
    await parley.whenArticle('Agent');
    await parley.composer.fill('/help');
    await parley.composer.press('Enter');
    await parley.frame.getByRole('region', { name: 'Queue, 1 message' }).waitFor();
    await parley.articles('You').filter({ hasText: '/help' }).waitFor();
    await parley.whenIdle();
    assert.equal(await parley.articles('You').count(), 2);
  });
});
