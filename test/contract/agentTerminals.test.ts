import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, describe, test } from 'node:test';
import { ALL_FILES, choose, Driver, makeFolder, until } from './agentDriver.ts';

const folder = makeFolder({
  'package.json': '{ "scripts": { "test": "echo tested-$((40+2))" } }\n',
  'notes.txt': 'a note\n',
});
const bare = makeFolder();

after(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.rmSync(bare, { recursive: true, force: true });
});

const TERMINALS = { ...ALL_FILES, terminal: true };

/** Prompts, answers the one permission request, and waits for the end of the turn. */
async function turn(driver: Driver, id: string, words: string, kind: string) {
  const ended = driver.prompt(id, words);
  const request = await driver.permission();
  request.answer(choose(request, kind));
  return { request, ...(await ended) };
}

describe('the reference agent and terminals', () => {
  for (const words of ['/run echo hello-$((1+1))', 'run `echo hello-$((1+1))`']) {
    test(`runs a line in the client’s terminal for “${words}”, and says how it ended`, async () => {
      const driver = await Driver.start(TERMINALS);
      const id = await driver.newSession(folder);
      const { request, stopReason } = await turn(driver, id, words, 'allow_once');
      assert.equal(stopReason, 'end_turn');
      assert.equal(request.params.toolCall.kind, 'execute');
      assert.deepEqual(request.params.toolCall.rawInput, {
        command: 'echo hello-$((1+1))',
        cwd: folder,
      });
      assert.equal(driver.terminals[0]?.command, 'echo hello-$((1+1))');
      assert.match(driver.said(id), /exit code 0/);
      assert.match(driver.said(id), /hello-2/);
      assert.deepEqual(driver.released, ['terminal-1']);
      await driver.stop();
    });
  }

  test('shows the terminal in the tool call, which ends as the command did', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    await turn(driver, id, '/run exit 3', 'allow_once');
    const states = [...driver.toolStates(id).values()];
    assert.deepEqual(states, [['pending', 'in_progress', 'failed']]);
    const shown = driver
      .updates(id)
      .some(
        (update) =>
          update.sessionUpdate === 'tool_call_update' &&
          update.content?.some(
            (part) => part.type === 'terminal' && part.terminalId === 'terminal-1',
          ),
      );
    assert.ok(shown);
    assert.match(driver.said(id), /exit code 3/);
    await driver.stop();
  });

  test('finds the test command of the folder, and says so where there is none', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    await turn(driver, id, 'please run the tests', 'allow_once');
    assert.equal(driver.terminals[0]?.command, 'npm test');
    assert.match(driver.said(id), /tested-42/);
    const other = await driver.newSession(bare);
    await driver.prompt(other, 'run the tests');
    assert.match(driver.said(other), /found no test command/);
    await driver.stop();
  });

  test('runs nothing without a yes', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    await turn(driver, id, '/run touch made', 'reject_once');
    assert.match(driver.said(id), /was not run/);
    assert.deepEqual(driver.terminals, []);
    await driver.stop();
  });

  test('runs nothing where the client offers no terminals, and says it', async () => {
    const driver = await Driver.start(ALL_FILES);
    const id = await driver.newSession(folder);
    await driver.prompt(id, '/run ls');
    assert.match(driver.said(id), /does not offer terminals/);
    assert.deepEqual([driver.terminals, driver.permissions], [[], []]);
    await driver.stop();
  });

  test('tells why a command could not be run', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    await turn(driver, id, '/run not-there', 'allow_once');
    assert.match(driver.said(id), /could not be run: .*not found/);
    await driver.stop();
  });

  test('tells when the client loses the terminal of a running command', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    await turn(driver, id, '/run lost', 'allow_once');
    assert.match(driver.said(id), /could not be run: .*no such terminal/);
    assert.deepEqual([...driver.toolStates(id).values()], [['pending', 'in_progress', 'failed']]);
    await driver.stop();
  });

  test('gives the terminal back when the turn is stopped', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    const ended = driver.prompt(id, '/run sleep 600');
    const request = await driver.permission();
    request.answer(choose(request, 'allow_once'));
    await until('the command', () => driver.terminals.length === 1);
    await driver.cancel(id);
    assert.equal((await ended).stopReason, 'cancelled');
    await until('the release', () => driver.released.length === 1);
    await driver.stop();
  });

  test('has a demonstration with colours and a progress bar', async () => {
    const driver = await Driver.start(TERMINALS);
    const id = await driver.newSession(folder);
    await driver.prompt(id, '/terminal');
    assert.deepEqual(driver.permissions, []);
    assert.match(driver.said(id), /exit code 0.*done/);
    await driver.stop();
  });
});
