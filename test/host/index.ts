/**
 * Entry of the suite that runs inside the extension host: VS Code calls `run`, and a rejection is a failed run. The same
 * under VS Code's server and under `@vscode/test-electron`. How many tests did what goes to the file that
 * `PARLEY_TEST_RESULTS` names; `PARLEY_TEST_FILTER` keeps the files whose name has it.
 */
import fs from 'node:fs';
import Mocha from 'mocha';

const FILES: Readonly<Record<string, () => Promise<unknown>>> = {
  activation: () => import('./activation.ts'),
  contributions: () => import('./contributions.ts'),
  commands: () => import('./commands.ts'),
  files: () => import('./files.ts'),
  documents: () => import('./documents.ts'),
  saving: () => import('./saving.ts'),
  staying: () => import('./staying.ts'),
  encodings: () => import('./encodings.ts'),
  virtualFiles: () => import('./virtualFiles.ts'),
  conflicts: () => import('./conflicts.ts'),
  sequences: () => import('./sequences.ts'),
};

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, color: false, reporter: 'spec' });
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, 'parley', mocha);
  const filter = process.env['PARLEY_TEST_FILTER'] ?? '';
  for (const [name, load] of Object.entries(FILES)) {
    // Loaded only now: `EVENT_FILE_PRE_REQUIRE` is what defines `describe` and `it`.
    if (name.includes(filter)) await load();
  }

  const counts = { passed: 0, failed: 0, skipped: 0 };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => {
      resolve();
    });
    runner.on(Mocha.Runner.constants.EVENT_TEST_PASS, () => (counts.passed += 1));
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, () => (counts.failed += 1));
    runner.on(Mocha.Runner.constants.EVENT_TEST_PENDING, () => (counts.skipped += 1));
  });

  const file = process.env['PARLEY_TEST_RESULTS'];
  if (file !== undefined) fs.writeFileSync(file, JSON.stringify(counts));
  if (counts.failed > 0) throw new Error(`${counts.failed} tests failed.`);
}
