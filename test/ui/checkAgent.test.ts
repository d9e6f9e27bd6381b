import assert from 'node:assert/strict';
import { inVsCode } from './inVsCode.ts';

const AGENTS = {
  'parley.agents': { nobody: { command: 'parley-no-such-program' } },
};

inVsCode('checking an agent', { settings: AGENTS }, (test) => {
  test('opens a report in which the bundled agent deviates nowhere', async ({ workbench }) => {
    await workbench.runCommand('Parley: Check an Agent');
    await workbench.quickPick.choose('Reference agent');
    await workbench.quickPick.choose('Without Prompts');
    const { page } = workbench;
    await page.locator('.tab', { hasText: 'Check of Reference agent.md' }).first().waitFor();
    const editor = page.locator('.editor-instance .view-lines').first();
    await editor.getByText('Conformance of').waitFor();
    const text = (await editor.innerText()).replaceAll('\u00a0', ' ');
    assert.match(text, /[1-9]\d* hold, 0 deviate/);
    await page.locator('.tab', { hasText: /Preview.*Check of Reference agent/ }).waitFor();
  });

  test('that cannot be started says why', async ({ workbench }) => {
    // A preview that is still loading takes the focus when it is there, and a quick pick without the focus closes.
    await workbench.runCommand('View: Close All Editors');
    await workbench.page.locator('.tab').first().waitFor({ state: 'detached' });
    await workbench.runCommand('Parley: Check an Agent');
    await workbench.quickPick.choose('nobody');
    await workbench.quickPick.choose('Without Prompts');
    const notice = workbench.page.locator('.notification-toast', {
      hasText: 'nobody could not be checked.',
    });
    await notice.waitFor();
    assert.match(await notice.innerText(), /parley-no-such-program/);
  });
});
