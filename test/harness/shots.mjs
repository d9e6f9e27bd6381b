/** `npm run shots`: pictures of the view in a real VS Code, in four themes and two widths, to be looked at. */
import fs from 'node:fs';
import path from 'node:path';
import { shots } from './paths.mjs';
import { poll } from './poll.mjs';
import { Session } from './session.mjs';
import { NEWEST } from './vscode/releases.mjs';

const WIDTHS = [300, 900];

/** By the name in VS Code's list: the class that the theme gives to the page. */
const THEMES = {
  'Dark Modern': 'vscode-dark',
  'Light Modern': 'vscode-light',
  'Dark High Contrast': 'vscode-high-contrast',
  'Light High Contrast': 'vscode-high-contrast-light',
};

/**
 * What is shown, in one chat after the other.
 * @type {Readonly<Record<string, (session: Session) => Promise<void>>>}
 */
const SCENES = {
  async empty() {
    // As the view opens.
  },
  async answer({ parley }) {
    await parley.prompt('/think');
    await parley.whenIdle();
    await parley.prompt('/plan');
    await parley.whenIdle(60_000);
  },
  async markdown({ parley }) {
    await parley.button('New chat').click();
    await parley.prompt('/stream 2');
    await parley.whenIdle();
  },
  async permission({ parley, workbench, page }) {
    await parley.button('New chat').click();
    await parley.prompt('/edit src/words.ts');
    await workbench.quickPick.whenOpen();
    await page.keyboard.press('Escape');
    await workbench.quickPick.whenClosed();
  },
  async failure({ parley }) {
    await parley.button('New chat').click();
    await parley.prompt('/fail');
    await parley.errors.waitFor();
  },
};

/** Needs the packed extension. */
export async function takeShots() {
  const session = await Session.start({ release: NEWEST, viewport: { width: 1400, height: 1000 } });
  try {
    await session.parley.open();
    for (const [scene, play] of Object.entries(SCENES)) {
      await play(session);
      await takeScene(session, scene);
    }
  } finally {
    await session.close();
  }
}

/**
 * @param {Session} session
 * @param {string} scene
 */
async function takeScene({ workbench, parley, page }, scene) {
  for (const [theme, bodyClass] of Object.entries(THEMES)) {
    await workbench.setTheme(theme);
    await poll(
      `the colours of ${theme}`,
      () => parley.frame.locator('body').getAttribute('class'),
      (classes) => (classes ?? '').split(' ').includes(bodyClass),
    );
    for (const width of WIDTHS) {
      await workbench.setSideBarWidth(width);
      const name = `${scene}-${theme.toLowerCase().replaceAll(' ', '-')}-${width}.png`;
      fs.mkdirSync(shots, { recursive: true });
      await page.locator('.part.sidebar').screenshot({ path: path.join(shots, name) });
      console.log(path.join(shots, name));
    }
  }
}
