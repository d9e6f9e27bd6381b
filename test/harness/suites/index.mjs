/** The suites by name: what each needs, and how it is run. */
import { ensureChromium, ensureRipgrep } from '../machine.mjs';
import { ensureVsCode } from '../vscode/setup.mjs';
import { testedReleases } from '../vscode/releases.mjs';
import { NOTHING } from './counts.mjs';
import { runDesktop } from './desktop.mjs';
import { runHost } from './host.mjs';
import { runNodeTests } from './nodeTests.mjs';
import { runScripts } from './scripts.mjs';

const MINUTE = 60_000;

/**
 * @typedef {object} Suite
 * @property {boolean} [needsPackage] Whether the packed .vsix is under test.
 * @property {boolean} [mayBeEmpty] It holds no tests that must run.
 * @property {(options: { filter: string }) => Promise<import('./counts.mjs').Counts>} run
 */

/** VS Code in all tested releases, and what it needs of the machine. */
async function ensureAllVsCode() {
  await ensureChromium();
  await ensureRipgrep();
  for (const release of testedReleases()) await ensureVsCode(release);
}

function namesAgents() {
  return (process.env.PARLEY_AGENTS_DIR ?? '') !== '';
}

/** @type {Readonly<Record<string, Suite>>} */
export const SUITES = {
  unit: {
    run: ({ filter }) => runNodeTests('unit', { filter, concurrency: 2, limit: 5 * MINUTE }),
  },
  contract: {
    run: ({ filter }) => runNodeTests('contract', { filter, concurrency: 2, limit: 15 * MINUTE }),
  },
  webview: {
    async run({ filter }) {
      await ensureChromium();
      return runNodeTests('webview', { filter, concurrency: 2, limit: 15 * MINUTE });
    },
  },
  host: {
    needsPackage: true,
    async run({ filter }) {
      await ensureAllVsCode();
      return runHost({ filter });
    },
  },
  soak: {
    needsPackage: true,
    async run() {
      await ensureAllVsCode();
      const env = { PARLEY_SOAK: '1000' };
      return runHost({ filter: 'sequences', limit: 120 * MINUTE, env });
    },
  },
  ui: {
    needsPackage: true,
    async run({ filter }) {
      await ensureAllVsCode();
      // A VS Code and a browser keep two cores busy.
      const again = process.env.CI === 'true';
      return runNodeTests('ui', { filter, concurrency: 1, limit: 30 * MINUTE, again });
    },
  },
  desktop: { run: runDesktop },
  agents: {
    needsPackage: namesAgents(),
    mayBeEmpty: true,
    async run({ filter }) {
      if (!namesAgents()) {
        console.log('Skipped: PARLEY_AGENTS_DIR names no folder of agents.');
        return { ...NOTHING, skipped: 1 };
      }
      await ensureAllVsCode();
      return runNodeTests('agents', { filter, concurrency: 1, limit: 15 * MINUTE });
    },
  },
  bench: {
    mayBeEmpty: true,
    async run({ filter }) {
      await ensureChromium();
      return runScripts('bench', { filter, limit: 15 * MINUTE });
    },
  },
  shots: {
    needsPackage: true,
    mayBeEmpty: true,
    async run() {
      const { takeShots } = await import('../shots.mjs');
      await takeShots();
      return NOTHING;
    },
  },
};
