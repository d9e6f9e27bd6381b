/**
 * A picture of Parley in a real VS Code, to look at while working on it. Uses the built extension in `dist/`.
 *
 *   node test/harness/shot.mjs OUT.png [--width 400] [--height 800] [--theme "Light Modern"] [--release 1.100]
 *                                      [--prompt "/help"]... [--answer Allow] [--wait SECONDS] [--build]
 *
 * `--answer NAME`: chooses this option of each permission request that the prompts lead to.
 */
import { parseArgs } from 'node:util';
import { buildExtension } from './build.mjs';
import { Session } from './session.mjs';
import { NEWEST } from './vscode/releases.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', default: '400' },
    height: { type: 'string', default: '800' },
    theme: { type: 'string', default: 'Dark Modern' },
    release: { type: 'string', default: NEWEST },
    prompt: { type: 'string', multiple: true, default: [] },
    answer: { type: 'string' },
    wait: { type: 'string', default: '20' },
    build: { type: 'boolean', default: false },
  },
});
const file = positionals[0];
if (file === undefined) throw new Error('Name the file for the picture: shot.mjs OUT.png');
if (values.build) await buildExtension();

const session = await Session.start({
  release: values.release,
  extension: 'built',
  viewport: { width: Math.max(1280, Number(values.width) + 400), height: Number(values.height) },
});
try {
  await take(session);
} finally {
  await session.page.screenshot({ path: file });
  console.log(file);
  if (session.pageErrors.length > 0) console.log(session.pageErrors.join('\n'));
  await session.close();
}

/** @param {Session} session */
async function take({ workbench, parley }) {
  if (values.theme !== 'Dark Modern') await workbench.setTheme(values.theme);
  await parley.open();
  await workbench.setSideBarWidth(Number(values.width));
  for (const prompt of values.prompt) {
    await parley.prompt(prompt);
    if (values.answer !== undefined) await answer(parley, values.answer);
    await parley.whenIdle(Number(values.wait) * 1000).catch(() => {
      console.log(`${prompt} still runs after ${values.wait} s.`);
    });
  }
}

/**
 * @param {Session['parley']} parley
 * @param {string} name
 */
async function answer({ frame }, name) {
  await frame.getByRole('button', { name }).first().click();
}
process.exit(0);
