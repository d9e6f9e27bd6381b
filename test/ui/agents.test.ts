import assert from 'node:assert/strict';
import { inVsCode } from './inVsCode.ts';

const AGENTS = {
  'parley.agents': {
    nobody: { command: 'parley-no-such-program' },
    quitter: { command: 'node', args: ['-e', 'console.error("I give up"); process.exit(3)'] },
  },
  'parley.defaultAgent': 'nobody',
};

inVsCode('an agent that fails', { settings: AGENTS }, (test) => {
  test('is one card with the reason and what can be done', async ({ parley }) => {
    const card = parley.errors.first();
    await card.waitFor();
    assert.match(await card.innerText(), /parley-no-such-program/);
    for (const name of [/Restart/, /Show log/, /Open settings/]) {
      await card.getByRole('button', { name }).waitFor();
    }
    assert.equal(await parley.errors.count(), 1);
  });

  test('that exits at its start tells its exit code and its last words', async ({
    parley,
    workbench,
  }) => {
    await workbench.runCommand('Parley: Select Agent');
    await workbench.quickPick.choose('quitter');
    const card = parley.errors.filter({ hasText: 'I give up' });
    await card.waitFor();
    assert.match(await card.innerText(), /\b3\b/);
  });

  test('is left for another one, which works', async ({ parley, workbench }) => {
    await workbench.runCommand('Parley: Select Agent');
    await workbench.quickPick.choose('Reference agent');
    await parley.whenChatWith('Reference agent');
    await parley.prompt('/help');
    await parley.whenIdle();
    assert.match(await parley.articles('Agent').last().innerText(), /\/stream/);
    assert.equal(await parley.errors.count(), 0);
  });

  test('has its log, in the channel named Parley', async ({ workbench }) => {
    await workbench.runCommand('Parley: Show Log');
    await workbench.page.locator('.part.panel .view-line').first().waitFor();
    const text = await workbench.page.locator('.part.panel').innerText();
    assert.match(text.replaceAll('\u00a0', ' '), /nobody|quitter/);
  });
});

inVsCode('a turn that fails', {}, (test) => {
  test('is one card with the reason, and the next turn works', async ({ parley }) => {
    await parley.prompt('/fail');
    await parley.errors.waitFor();
    assert.match(await parley.errors.innerText(), /\/fail/);
    await parley.whenArticle(/^Tool call: .*, Failed$/);
    await parley.whenIdle();
    await parley.prompt('/help');
    await parley.whenIdle();
    assert.match(await parley.articles('Agent').last().innerText(), /\/edit/);
  });
});
