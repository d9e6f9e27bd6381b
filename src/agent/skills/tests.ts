import { runCommand } from '../command.ts';
import { Complaint } from '../complaint.ts';
import { peek } from '../files.ts';
import { code, count, shorten } from '../markdown.ts';
import { readTestOutput } from '../testReport.ts';
import type { Skill, Turn } from '../turn.ts';

/** What tells how a folder is tested: the file, a pattern that its text must have, and the command. */
const TESTERS: readonly (readonly [file: string, pattern: RegExp, command: string])[] = [
  ['package.json', /"test"\s*:/, 'npm test'],
  ['deno.json', /./, 'deno test'],
  ['Cargo.toml', /\[package\]|\[workspace\]/, 'cargo test'],
  ['go.mod', /^module /m, 'go test ./...'],
  ['pyproject.toml', /pytest|\[project\]/, 'python -m pytest'],
  ['pytest.ini', /./, 'python -m pytest'],
  ['requirements.txt', /^pytest\b/m, 'python -m pytest'],
  ['pom.xml', /<project/, 'mvn test'],
  ['build.gradle', /./, './gradlew test'],
  ['Makefile', /^test:/m, 'make test'],
];

/** A lock file tells which package manager the folder uses. */
const MANAGERS: readonly (readonly [file: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm test'],
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
  ['bun.lockb', 'bun run test'],
];

/** Runs the folder's test command in a terminal of the client, and reads what it has printed. */
export const tests: Skill = {
  name: 'tests',
  description: 'Run the tests of this folder after your permission, and read the result',
  example: '/tests',

  async run(turn) {
    const line = await testCommand(turn);
    return runCommand(turn, { title: line, request: { command: line }, read });
  },
};

/** What the output says, in words; undefined when it is of no runner that is known. */
function read(output: string, exitCode: number | null, isCut: boolean): string | undefined {
  const report = readTestOutput(output);
  if (!report) return undefined;
  const { runner, passed, unit, failed, skipped, names } = report;
  const counts = [
    `**${count(passed, unit)} passed**`,
    `**${failed === 0 ? 'none' : failed} failed**`,
    ...(skipped > 0 ? [`${skipped} skipped or to do`] : []),
  ].join(', ');
  const odd =
    exitCode !== 0 && failed === 0
      ? ' No test is counted as failed, and yet it ended so: the terminal above shows why.'
      : '';
  const cut = isCut ? ' I saw only the end of a long output, so there may be more.' : '';
  const list = names.map((name) => `\n- ${code(shorten(name, 160))}`).join('');
  const first = names.length < failed ? 'The first that failed' : 'What failed';
  return `${counts}, as ${runner} tells it.${odd}${cut}${list === '' ? '' : `\n\n${first}:\n${list}`}`;
}

/** @throws Complaint when the folder does not say how it is tested. */
async function testCommand(turn: Turn): Promise<string> {
  for (const [file, pattern, command] of TESTERS) {
    const text = await peek(turn, file);
    if (text === undefined || !pattern.test(text)) continue;
    // What `npm init` writes, which only fails.
    if (file !== 'package.json') return command;
    if (!/no test specified/.test(text)) return packageManager(turn);
  }
  throw new Complaint(
    `I found no test command here: I look into ${TESTERS.map(([file]) => code(file)).join(', ')}. Name the command, for example ${code('/run npm test')}.`,
  );
}

async function packageManager({ workspace }: Turn): Promise<string> {
  for (const [lock, command] of MANAGERS) {
    if ((await workspace.kindOf(await workspace.locate(lock))) === 'file') return command;
  }
  return 'npm test';
}
