import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeAgents, type AgentsLevel } from '../../../src/vscode/ports/agentSettings.ts';

function merge(...levels: AgentsLevel[]): { agents: Record<string, unknown>; reports: string[] } {
  const reports: string[] = [];
  const agents = mergeAgents(levels, (message) => reports.push(message));
  return { agents: Object.fromEntries(agents), reports };
}

const user = (value: unknown): AgentsLevel => ({ value, origin: 'user' });
const workspace = (value: unknown): AgentsLevel => ({ value, origin: 'workspace' });

test('a command alone is an agent', () => {
  const { agents, reports } = merge(user({ mine: { command: 'my-agent' } }));
  assert.deepEqual(agents, {
    mine: { command: 'my-agent', args: [], env: {}, cwd: null, origin: 'user' },
  });
  assert.deepEqual(reports, []);
});

test('a block copied from another editor works, with keys that Parley does not know', () => {
  const block = {
    type: 'custom',
    command: 'npx',
    args: ['-y', 'some-agent', '--acp'],
    env: { KEY: 'value' },
    default_mode: 'plan',
  };
  const { agents, reports } = merge(user({ other: block }));
  assert.deepEqual(agents, {
    other: {
      command: 'npx',
      args: ['-y', 'some-agent', '--acp'],
      env: { KEY: 'value' },
      cwd: null,
      origin: 'user',
    },
  });
  assert.deepEqual(reports, []);
});

test('an agent of the workspace replaces the user’s as a whole, and says where it is from', () => {
  const { agents } = merge(
    user({ a: { command: 'good', args: ['--safe'] }, b: { command: 'b' } }),
    workspace({ a: { command: 'other' } }),
  );
  assert.deepEqual(agents['a'], {
    command: 'other',
    args: [],
    env: {},
    cwd: null,
    origin: 'workspace',
  });
  assert.equal(Object.keys(agents).length, 2);
});

test('an ill-formed agent is left out and reported, the others stay', () => {
  const { agents, reports } = merge(
    user({ bad: { command: 'x', args: '--flag' }, good: { command: 'y' } }),
  );
  assert.deepEqual(Object.keys(agents), ['good']);
  assert.equal(reports.length, 1);
  assert.match(reports[0] ?? '', /"bad".*args/);
});

test('the report of an ill-formed agent does not hold its secrets', () => {
  const { reports } = merge(user({ bad: { command: 'x', env: { TOKEN: ['s3cret'] } } }));
  assert.equal(reports.length, 1);
  assert.ok(!JSON.stringify(reports).includes('s3cret'));
});

test('no value of any kind throws', () => {
  for (const value of [null, 7, 'x', [], [{ command: 'a' }], { a: null }, { a: [] }, { a: {} }]) {
    const { agents, reports } = merge(user(value));
    assert.deepEqual(agents, {});
    assert.equal(reports.length, 1);
  }
});

test('a blank command is none', () => {
  assert.deepEqual(merge(user({ a: { command: '  ' } })).agents, {});
});

test('an ill-formed agent of the workspace does not fall back to another command of that name', () => {
  const { agents } = merge(user({ a: { command: 'mine' } }), workspace({ a: { command: 7 } }));
  assert.deepEqual(agents, {});
});

test('the name of the bundled agent cannot be taken', () => {
  const { agents, reports } = merge(user({ reference: { command: 'x' } }));
  assert.deepEqual(agents, {});
  assert.equal(reports.length, 1);
});

test('a name that JavaScript treats in its own way is a name like any other', () => {
  const value: unknown = JSON.parse('{"__proto__":{"command":"x"},"constructor":{"command":"y"}}');
  const agents = mergeAgents([user(value)], () => undefined);
  assert.deepEqual([...agents.keys()], ['__proto__', 'constructor']);
});
