/**
 * Agents that nobody here wrote, in a real VS Code. PARLEY_AGENTS_DIR names a folder of executables, each of which starts
 * one agent on its standard input and output. The prompts are plain requests that also carry the markers of a scripted
 * model (`[[mock:NAME]]`), so that they work with a real model and with a scripted one.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '../harness/poll.mjs';
import { Session } from '../harness/session.mjs';
import { testedReleases } from '../harness/vscode/releases.mjs';

const folder = process.env['PARLEY_AGENTS_DIR'] ?? '';
const release = testedReleases().at(-1) ?? '1.139';

/** Agents in the wild take seconds to start, and some retry in silence. */
const TURN = 90_000;

for (const name of agentsIn(folder)) {
  describe(`${name} in VS Code ${release}`, () => {
    let session: Session;

    before(async () => {
      session = await Session.start({
        release,
        settings: {
          'parley.agents': { [name]: { command: path.join(folder, name) } },
          'parley.defaultAgent': name,
        },
      });
      await session.parley.open();
    });

    after(async () => {
      await session.shoot(`agents-${name}`);
      await session.close();
    });

    it('answers a prompt', async () => {
      await session.parley.prompt('Say hello in one sentence.');
      await session.parley.whenIdle(TURN);
      await session.parley.whenArticle('Agent');
      assert.equal(await session.parley.errors.count(), 0);
    });

    it('uses tools, asks for permission where it does, and leaves no call open', async () => {
      const { parley } = session;
      await parley.prompt(
        `Write a file note.txt with one line. [[mock:write cwd=${session.folder}]]`,
      );
      const answered = await allowUntilIdle(session);
      const calls = await parley.articles(/^Tool call: /).evaluateAll(names);
      assert.ok(calls.length > 0, 'there is a tool call');
      for (const call of calls) assert.match(call, /, (Done|Failed|Cancelled|Rejected)$/);
      assert.equal(await parley.permissions.count(), 0, 'no request is left open');
      console.log(`${name}: ${answered} permission(s) answered; ${calls.join('; ')}`);
    });

    it('stops a turn', async () => {
      const { parley } = session;
      await parley.prompt(`Count slowly from 1 to 500, one number a line. [[mock:slow]]`);
      await parley
        .articles('Agent')
        .filter({ hasText: /piece 1|1\s+2/ })
        .last()
        .waitFor({ timeout: TURN });
      await parley.composer.press('Escape');
      await parley.whenIdle(TURN);
      assert.equal(await parley.errors.count(), 0);
    });

    it('goes on after a stopped turn', async () => {
      await session.parley.prompt('Say hello once more.');
      await session.parley.whenIdle(TURN);
      assert.equal(await session.parley.errors.count(), 0);
    });
  });
}

/** Executables in the folder, or those that PARLEY_AGENTS names. */
function agentsIn(dir: string): string[] {
  if (dir === '') return [];
  const only = (process.env['PARLEY_AGENTS'] ?? '').split(',').filter((name) => name !== '');
  return fs
    .readdirSync(dir)
    .filter((file) => only.length === 0 || only.includes(file))
    .sort();
}

/** Answers every quick pick with its first option that allows, by keyboard. @returns how many there were. */
async function allowUntilIdle({ parley, workbench, page }: Session): Promise<number> {
  let answered = 0;
  await poll(
    'the turn to end',
    async () => {
      if (await workbench.quickPick.isOpen()) {
        const before = await parley.permissions.count();
        await page.keyboard.press('Enter');
        // Enter is taken only when the pick has been still for a moment.
        await poll(
          'the answer to be taken',
          () => parley.permissions.count(),
          (n) => n < before,
          3_000,
        )
          .then(() => (answered += 1))
          .catch(() => undefined);
      }
      return parley.isRunning();
    },
    (running) => !running,
    TURN,
  );
  return answered;
}

function names(elements: readonly Element[]): string[] {
  return elements.map((element) => element.getAttribute('aria-label') ?? '');
}
