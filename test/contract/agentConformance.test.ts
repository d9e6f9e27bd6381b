import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { eventually } from '../fakes/eventually.ts';

const AGENT = path.resolve(process.env['PARLEY_TEST_AGENT'] ?? 'dist/agent.js');
const ONE_FAULT = path.resolve('test/fakes/agents/oneFault.mjs');
const PROMPT = ['--prompt', 'Create a file named hello.txt with one line in it.'];

interface Outcome {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

async function conformance(args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [AGENT, 'conformance', ...args], {
    env: { ...process.env, PARLEY_AGENT_PACE_MS: '0' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  const code = child.exitCode;
  return { code, stdout, stderr };
}

/** The ids of the rows with this verdict in a JSON report. */
function ids(report: string, verdict: string): readonly string[] {
  const value: unknown = JSON.parse(report);
  assert.ok(typeof value === 'object' && value !== null && 'rows' in value);
  assert.ok(Array.isArray(value.rows));
  return value.rows.flatMap((row: unknown) => {
    if (typeof row !== 'object' || row === null || !('id' in row && 'verdict' in row)) return [];
    return row.verdict === verdict && typeof row.id === 'string' ? [row.id] : [];
  });
}

function check(fault: string, ...more: readonly string[]): Promise<Outcome> {
  const options = ['--format', 'json', '--timeout', '1', ...more];
  return conformance([...options, '--', process.execPath, ONE_FAULT, fault]);
}

function scratchFolders(): readonly string[] {
  return fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('parley-conformance-'));
}

test('the bundled agent deviates nowhere', async () => {
  const before = scratchFolders();
  const { code, stdout } = await conformance([
    '--format',
    'json',
    ...PROMPT,
    '--',
    process.execPath,
    AGENT,
  ]);
  assert.deepEqual(ids(stdout, 'deviates'), []);
  assert.equal(code, 0);
  assert.deepEqual(scratchFolders(), before, 'the scratch folder is gone');
});

test('a strict agent deviates nowhere, whatever is asked of it', async () => {
  const { code, stdout } = await check('none', ...PROMPT);
  assert.deepEqual(ids(stdout, 'deviates'), []);
  assert.deepEqual(ids(stdout, 'advice'), []);
  assert.equal(code, 0);
  const held = ids(stdout, 'holds');
  for (const id of [
    'permission.allowed',
    'permission.rejected',
    'cancel.answer',
    'cancel.permission',
  ]) {
    assert.ok(held.includes(id), id);
  }
});

/** One fault each, and the first row that has to name it. */
const FAULTS: readonly (readonly [fault: string, row: string, needsPrompt?: true])[] = [
  ['banner', 'transport.stdout'],
  ['jsonrpc', 'rpc.envelope'],
  ['ids', 'rpc.ids'],
  ['version', 'initialize.version'],
  ['echoVersion', 'initialize.newer'],
  ['badCapability', 'initialize.capabilities'],
  ['badAuth', 'initialize.auth-methods'],
  ['ownField', 'extensibility.fields'],
  ['unknownMethod', 'errors.unknown-method'],
  ['answersNotification', 'errors.unknown-notification'],
  ['lax', 'errors.missing-params'],
  ['noParseError', 'errors.not-json'],
  ['diesOfNoise', 'errors.not-json'],
  ['anyVersion', 'errors.jsonrpc-version'],
  ['batch', 'errors.batch'],
  ['noId', 'session.new'],
  ['sameId', 'session.distinct'],
  ['anySession', 'session.unknown', true],
  ['loadsAnything', 'session.load-unknown'],
  ['file', 'client.capabilities', true],
  ['badUpdate', 'updates.shape', true],
  ['otherSession', 'updates.session', true],
  ['relativePath', 'paths.absolute', true],
  ['stopReason', 'prompt.answer', true],
  ['dies', 'prompt.answer', true],
  ['silent', 'prompt.answer', true],
  ['flood', 'prompt.answer', true],
  ['noToolCall', 'tools.order', true],
  ['backwards', 'tools.status', true],
  ['badOption', 'permission.shape', true],
  ['sameOption', 'permission.shape', true],
  ['cancelError', 'cancel.answer', true],
  ['cancelEnds', 'cancel.answer', true],
  ['cancelLate', 'cancel.updates', true],
  ['hugeLine', 'transport.stdout', true],
];

describe('an agent with one fault is told of it, and of its rule', { concurrency: 2 }, () => {
  for (const [fault, row, needsPrompt] of FAULTS) {
    test(`${fault} deviates in ${row}`, async () => {
      const { code, stdout, stderr } = await check(fault, ...(needsPrompt ? PROMPT : []));
      assert.equal(code, 1, stderr);
      assert.ok(ids(stdout, 'deviates').includes(row), ids(stdout, 'deviates').join(', '));
    });
  }

  for (const [fault, row, needsPrompt] of [
    ['stays', 'end.input'],
    ['leaves', 'end.children'],
    ['openCall', 'tools.end', true],
  ] as const) {
    test(`${fault} gets advice in ${row}, which is no deviation`, async () => {
      const { code, stdout } = await check(fault, ...(needsPrompt ? PROMPT : []));
      assert.ok(ids(stdout, 'advice').includes(row), ids(stdout, 'advice').join(', '));
      assert.deepEqual(ids(stdout, 'deviates'), []);
      assert.equal(code, 0);
    });
  }
});

test('rows that need a session are not run where the agent wants a sign-in', async () => {
  const { stdout } = await check('signIn', ...PROMPT);
  assert.ok(ids(stdout, 'notRun').includes('session.distinct'));
  assert.ok(ids(stdout, 'notRun').includes('prompt.answer'));
  assert.deepEqual(ids(stdout, 'deviates'), []);
});

test('an agent that cannot be started is exit code 2, with a sentence', async () => {
  const missing = await conformance(['--', 'parley-no-such-program']);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /parley-no-such-program/);
  const died = await conformance([
    '--',
    process.execPath,
    '-e',
    'console.error("no licence"); process.exit(3)',
  ]);
  assert.equal(died.code, 2);
  assert.match(died.stderr, /exit code 3.*no licence/);
});

test('a wrong command line is exit code 2, with the usage', async () => {
  const { code, stderr, stdout } = await conformance(['--format', 'xml', '--', 'agent']);
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /Usage/);
});

test('ending the check ends the agent and removes the folder', async () => {
  const before = scratchFolders();
  const child = spawn(
    process.execPath,
    [AGENT, 'conformance', '--', process.execPath, ONE_FAULT, 'stays'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  );
  await eventually('the check has begun', () => scratchFolders().length > before.length);
  child.disconnect();
  await once(child, 'exit');
  assert.equal(child.exitCode, 2);
  assert.deepEqual(scratchFolders(), before);
});
