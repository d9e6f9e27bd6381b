import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type {
  ClientCapabilities,
  SessionConfigOption,
  SessionUpdate,
} from '../../src/protocol/acp.ts';
import { ALL_FILES, choose, Driver, makeFolder } from './agentDriver.ts';

let folder = '';
let kept = '';

beforeEach(() => {
  folder = makeFolder({ 'notes.txt': 'one\n', 'a.ts': 'const alpha = 1;\n', 'b.ts': 'alpha();\n' });
  kept = makeFolder();
});

afterEach(() => {
  for (const each of [folder, kept]) fs.rmSync(each, { recursive: true, force: true });
});

const SWITCHES: ClientCapabilities = { ...ALL_FILES, session: { configOptions: { boolean: {} } } };

interface Opened {
  readonly sessionId: string;
  readonly modes: {
    readonly currentModeId: string;
    readonly availableModes: readonly { id: string }[];
  };
  readonly configOptions: readonly SessionConfigOption[];
}

function start(capabilities: ClientCapabilities = ALL_FILES): Promise<Driver> {
  return Driver.start(capabilities, { PARLEY_AGENT_SESSIONS: kept });
}

function isOpened(answer: unknown): answer is Opened {
  return (
    typeof answer === 'object' && answer !== null && 'modes' in answer && 'configOptions' in answer
  );
}

async function open(driver: Driver, method = 'session/new', params: object = {}): Promise<Opened> {
  const answer = await driver.request(method, { cwd: folder, mcpServers: [], ...params });
  assert.ok(isOpened(answer));
  return answer;
}

function setMode(driver: Driver, sessionId: string, modeId: string): Promise<unknown> {
  return driver.request('session/set_mode', { sessionId, modeId });
}

function set(
  driver: Driver,
  sessionId: string,
  configId: string,
  value: unknown,
): Promise<unknown> {
  const type = typeof value === 'boolean' ? { type: 'boolean' } : {};
  return driver.request('session/set_config_option', { sessionId, configId, value, ...type });
}

function modesTold(updates: readonly SessionUpdate[]): readonly string[] {
  return updates.flatMap((one) =>
    one.sessionUpdate === 'current_mode_update' ? [one.currentModeId] : [],
  );
}

function valueOf(options: readonly SessionConfigOption[], id: string): unknown {
  return options.find((option) => option.id === id)?.currentValue;
}

function text(): string {
  return fs.readFileSync(path.join(folder, 'notes.txt'), 'utf8');
}

describe('the modes of the reference agent', () => {
  test('are told when a session is opened, and hold no surprise', async () => {
    const driver = await start();
    const { modes } = await open(driver);
    assert.deepEqual(
      modes.availableModes.map(({ id }) => id),
      ['ask', 'auto', 'plan'],
    );
    assert.equal(modes.currentModeId, 'ask');
    await driver.stop();
  });

  test('"auto" writes without asking, "ask" asks again', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await setMode(driver, sessionId, 'auto');
    await driver.prompt(sessionId, '/edit notes.txt');
    assert.notEqual(text(), 'one\n');
    assert.equal(driver.permissions.length, 0);
    const before = text();
    await setMode(driver, sessionId, 'ask');
    const turn = driver.prompt(sessionId, '/edit notes.txt');
    const open2 = await driver.permission();
    open2.answer(choose(open2, 'reject_once'));
    await turn;
    assert.equal(text(), before);
    await driver.stop();
  });

  test('a lasting yes to edits is the mode "auto", and is told', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    const turn = driver.prompt(sessionId, '/edit notes.txt');
    const request = await driver.permission();
    request.answer(choose(request, 'allow_always'));
    await turn;
    assert.deepEqual(modesTold(driver.updates(sessionId)), ['auto']);
    await driver.stop();
  });

  test('"plan" holds for a question that was open before it: a lasting yes to that edit changes nothing', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    const turn = driver.prompt(sessionId, '/edit notes.txt');
    const edit = await driver.permission();
    await setMode(driver, sessionId, 'plan');
    edit.answer(choose(edit, 'allow_always'));
    await turn;
    assert.equal(text(), 'one\n');
    assert.ok(!modesTold(driver.updates(sessionId)).includes('auto'));
    await driver.stop();
  });

  test('"auto" is for the folder in which it was chosen: a chat that goes on elsewhere asks', async () => {
    const first = await start();
    const { sessionId } = await open(first);
    await first.prompt(sessionId, '/help');
    await setMode(first, sessionId, 'auto');
    await first.stop();
    const second = await start();
    const { modes } = await open(second, 'session/load', { sessionId, cwd: kept });
    assert.equal(modes.currentModeId, 'ask');
    await second.stop();
  });

  test('a new file is not written over one that was made while the question was open', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    const turn = driver.prompt(sessionId, '/new fresh.md');
    const request = await driver.permission();
    fs.writeFileSync(path.join(folder, 'fresh.md'), 'mine\n');
    request.answer(choose(request, 'allow_once'));
    await turn;
    assert.equal(fs.readFileSync(path.join(folder, 'fresh.md'), 'utf8'), 'mine\n');
    await driver.stop();
  });

  test('"plan" changes nothing before the person has approved the plan', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await setMode(driver, sessionId, 'plan');
    const turn = driver.prompt(sessionId, '/edit notes.txt');
    const plan = await driver.permission();
    assert.equal(plan.params.toolCall.kind, 'switch_mode');
    assert.match(JSON.stringify(plan.params.toolCall.content), /"type":"diff"/);
    assert.equal(text(), 'one\n');
    plan.answer(choose(plan, 'allow_once'));
    const edit = await driver.permission();
    assert.equal(edit.params.toolCall.kind, 'edit');
    edit.answer(choose(edit, 'allow_once'));
    await turn;
    assert.notEqual(text(), 'one\n');
    assert.deepEqual(modesTold(driver.updates(sessionId)), ['ask']);
    await driver.stop();
  });

  test('a plan can be approved with all of its edits at once', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await setMode(driver, sessionId, 'plan');
    const turn = driver.prompt(sessionId, 'rename alpha to beta');
    const plan = await driver.permission();
    plan.answer(choose(plan, 'allow_always'));
    await turn;
    assert.equal(driver.permissions.length, 0);
    assert.deepEqual([...driver.writes].map((file) => path.basename(file)).sort(), [
      'a.ts',
      'b.ts',
    ]);
    assert.deepEqual(modesTold(driver.updates(sessionId)), ['auto']);
    await driver.stop();
  });

  test('a rejected plan needs a new plan: nothing is changed, the mode stays, and it is told so', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await setMode(driver, sessionId, 'plan');
    const turn = driver.prompt(sessionId, 'rename alpha to beta');
    const plan = await driver.permission();
    plan.answer(choose(plan, 'reject_once'));
    assert.equal((await turn).stopReason, 'end_turn');
    assert.deepEqual(driver.writes, []);
    assert.deepEqual(modesTold(driver.updates(sessionId)), []);
    assert.match(driver.said(sessionId), /needs a new plan/);
    assert.deepEqual(driver.toolStates(sessionId).get('Carry out the plan'), ['pending', 'failed']);
    const file = fs.readFileSync(path.join(kept, `${sessionId}.ndjson`), 'utf8');
    assert.match(file, /needs a new plan/);
    await driver.stop();
  });

  test('nothing but an offered option approves a plan, and putting it away does not', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await setMode(driver, sessionId, 'plan');
    for (const outcome of [
      { outcome: 'cancelled' as const },
      { outcome: 'selected' as const, optionId: 'yes-of-course' },
    ]) {
      const turn = driver.prompt(sessionId, '/edit notes.txt');
      (await driver.permission()).answer({ outcome });
      assert.equal((await turn).stopReason, 'cancelled');
    }
    assert.equal(text(), 'one\n');
    assert.deepEqual(modesTold(driver.updates(sessionId)), []);
    await driver.stop();
  });

  test('"plan" runs no command without approval either', async () => {
    const driver = await start({ ...ALL_FILES, terminal: true });
    const { sessionId } = await open(driver);
    await setMode(driver, sessionId, 'plan');
    const turn = driver.prompt(sessionId, '/run echo hi');
    const plan = await driver.permission();
    assert.equal(plan.params.toolCall.kind, 'switch_mode');
    plan.answer(choose(plan, 'reject_once'));
    await turn;
    assert.equal(driver.terminals.length, 0);
    await driver.stop();
  });

  test('can be changed by a command in clients that show none', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await driver.prompt(sessionId, '/mode');
    assert.match(driver.said(sessionId), /\*\*Ask\*\*/);
    await driver.prompt(sessionId, '/mode plan');
    assert.deepEqual(modesTold(driver.updates(sessionId)), ['plan']);
    await driver.prompt(sessionId, '/mode nonsense');
    assert.match(driver.said(sessionId), /There is no mode/);
    await driver.stop();
  });

  test('refuse what is not offered, and sessions that are not there', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await assert.rejects(setMode(driver, sessionId, 'yolo'), { code: -32602 });
    await assert.rejects(setMode(driver, 'nobody', 'ask'), { code: -32002 });
    await driver.stop();
  });
});

describe('the options of the reference agent', () => {
  test('are a list, a grouped list and a switch, and the mode is one of them', async () => {
    const driver = await start(SWITCHES);
    const { configOptions } = await open(driver);
    assert.deepEqual(
      configOptions.map(({ id, type, category }) => [id, type, category]),
      [
        ['mode', 'select', 'mode'],
        ['pace', 'select', undefined],
        ['thoughts', 'boolean', 'thought_level'],
      ],
    );
    const pace = configOptions.find(({ id }) => id === 'pace');
    assert.ok(pace?.type === 'select');
    assert.ok(pace.options.every((group) => 'group' in group && group.options.length > 0));
    await driver.stop();
  });

  test('hold no switch for a client that knows none: it gets a list instead', async () => {
    const driver = await start();
    const { sessionId, configOptions } = await open(driver);
    assert.equal(
      configOptions.some(({ type }) => type === 'boolean'),
      false,
    );
    assert.equal(valueOf(configOptions, 'thoughts'), 'shown');
    await assert.rejects(set(driver, sessionId, 'thoughts', false), { code: -32602 });
    await set(driver, sessionId, 'thoughts', 'hidden');
    await driver.prompt(sessionId, '/think about it');
    assert.equal(driver.thought(sessionId), '');
    await driver.stop();
  });

  test('answer with all of them, and really change what the agent does', async () => {
    const driver = await start(SWITCHES);
    const { sessionId } = await open(driver);
    const answer = await set(driver, sessionId, 'thoughts', false);
    assert.ok(typeof answer === 'object' && answer !== null && 'configOptions' in answer);
    assert.ok(Array.isArray(answer.configOptions));
    assert.equal(answer.configOptions.length, 3);
    await driver.prompt(sessionId, '/think about it');
    assert.equal(driver.thought(sessionId), '');
    assert.notEqual(driver.said(sessionId), '');
    await set(driver, sessionId, 'thoughts', true);
    await driver.prompt(sessionId, '/think about it');
    assert.notEqual(driver.thought(sessionId), '');
    await driver.stop();
  });

  test('the pace is one that can be felt', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    const timed = async (): Promise<number> => {
      const begin = performance.now();
      await driver.prompt(sessionId, '/title Some longer words that come in several pieces');
      return performance.now() - begin;
    };
    await set(driver, sessionId, 'pace', 'slow');
    const slow = await timed();
    const pieces = driver
      .updates(sessionId)
      .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk').length;
    assert.ok(slow >= pieces * 55, `${pieces} pieces took ${slow} ms`);
    await driver.stop();
  });

  test('and modes are two views of the same: a change of one is told to who shows the other', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    await set(driver, sessionId, 'mode', 'plan');
    assert.deepEqual(modesTold(driver.updates(sessionId)), ['plan']);
    await setMode(driver, sessionId, 'auto');
    const update = driver
      .updates(sessionId)
      .findLast((one) => one.sessionUpdate === 'config_option_update');
    assert.ok(update?.sessionUpdate === 'config_option_update');
    assert.equal(valueOf(update.configOptions, 'mode'), 'auto');
    await driver.stop();
  });

  test('refuse what is not offered', async () => {
    const driver = await start(SWITCHES);
    const { sessionId } = await open(driver);
    for (const [id, value] of [
      ['nothing', 'x'],
      ['pace', 'warp'],
      ['pace', 'streamed'],
      ['pace', true],
      ['thoughts', 'shown'],
    ] as const) {
      await assert.rejects(set(driver, sessionId, id, value), { code: -32602 }, id);
    }
    await assert.rejects(set(driver, 'nobody', 'pace', 'slow'), { code: -32002 });
    await driver.stop();
  });

  test('survive the process, with the mode', async () => {
    const first = await start();
    const { sessionId } = await open(first);
    await first.prompt(sessionId, '/help');
    await set(first, sessionId, 'pace', 'instant');
    await setMode(first, sessionId, 'plan');
    await first.stop();
    const second = await start();
    const { modes, configOptions } = await open(second, 'session/load', { sessionId });
    assert.equal(modes.currentModeId, 'plan');
    assert.deepEqual(
      ['mode', 'pace', 'thoughts'].map((id) => valueOf(configOptions, id)),
      ['plan', 'instant', 'shown'],
    );
    await second.stop();
  });

  test('can be changed while a turn runs', async () => {
    const driver = await start();
    const { sessionId } = await open(driver);
    const turn = driver.prompt(sessionId, '/edit notes.txt');
    const request = await driver.permission();
    await set(driver, sessionId, 'pace', 'instant');
    await setMode(driver, sessionId, 'plan');
    request.answer(choose(request, 'allow_once'));
    await turn;
    assert.equal(text(), 'one\n', 'who has changed to "plan" meanwhile has nothing changed');
    await driver.stop();
  });
});
