import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionUpdate } from '../../../src/protocol/acp.ts';
import { decodeUpdate } from '../../../src/protocol/decode.ts';

interface Decoded {
  readonly updates: SessionUpdate[];
  readonly reports: string[];
}

function decode(update: unknown): Decoded {
  const decoded: Decoded = { updates: [], reports: [] };
  decodeUpdate(
    { sessionId: 's', update },
    (sessionId, one) => {
      assert.equal(sessionId, 's');
      decoded.updates.push(one);
    },
    (kind) => decoded.reports.push(kind),
  );
  return decoded;
}

/** Decodes to exactly this, and says nothing. */
function becomes(update: unknown, ...expected: unknown[]): void {
  assert.deepEqual(decode(update), { updates: expected, reports: [] });
}

const text = { type: 'text', text: 'Hi' };
const chunk = { sessionUpdate: 'agent_message_chunk', content: text };

describe('chunks', () => {
  test('keep their text and their message id, and lose what we do not read', () => {
    becomes(
      { ...chunk, messageId: 'm', _meta: { x: 1 }, content: { ...text, annotations: { a: 1 } } },
      { ...chunk, messageId: 'm' },
    );
    becomes(
      { ...chunk, sessionUpdate: 'user_message_chunk' },
      { ...chunk, sessionUpdate: 'user_message_chunk' },
    );
    becomes(
      { ...chunk, sessionUpdate: 'agent_thought_chunk', messageId: null },
      { ...chunk, sessionUpdate: 'agent_thought_chunk' },
    );
  });

  test('may be tagged `type`, hold plain text, a list of blocks, or null for no text', () => {
    becomes({ type: 'agent_message_chunk', content: text }, chunk);
    becomes({ ...chunk, content: 'Hi' }, chunk);
    becomes({ ...chunk, content: [text, { type: 'text', text: 'there' }] }, chunk, {
      ...chunk,
      content: { type: 'text', text: 'there' },
    });
    becomes(
      { ...chunk, content: { type: 'text', text: null } },
      { ...chunk, content: { type: 'text', text: '' } },
    );
    becomes(
      { ...chunk, content: { type: 'text' } },
      { ...chunk, content: { type: 'text', text: '' } },
    );
  });

  test('carry every kind of content block', () => {
    const blocks = [
      { type: 'image', data: 'AA==', mimeType: 'image/png', uri: 'file:///a.png' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'x', mimeType: null } },
      { type: 'resource', resource: { uri: 'file:///a', blob: 'AA==', mimeType: 'a/b' } },
      {
        type: 'resource_link',
        uri: 'file:///a',
        name: 'a',
        title: 'A',
        description: 'd',
        mimeType: 'a/b',
        size: 3,
      },
    ];
    for (const content of blocks) becomes({ ...chunk, content }, { ...chunk, content });
    becomes(
      { ...chunk, content: { type: 'resource_link', uri: 'file:///a', size: 'big' } },
      {
        ...chunk,
        content: {
          type: 'resource_link',
          uri: 'file:///a',
          name: 'file:///a',
          title: null,
          description: null,
          mimeType: null,
          size: null,
        },
      },
    );
  });

  test('with a block that cannot be understood are left out and reported', () => {
    const bad: unknown[] = [
      { type: 'smell' },
      { type: 'text', text: 7 },
      { type: 'image', data: 'AA==' },
      { type: 'resource', resource: { uri: 'file:///a' } },
      { type: 'resource_link', name: 'a' },
      { toString: 1, type: { toString: 2 } },
      null,
      7,
    ];
    for (const content of bad) {
      const { updates, reports } = decode({ ...chunk, content });
      assert.deepEqual([updates.length, reports.length], [0, 1], JSON.stringify(content));
    }
    const { updates } = decode({ ...chunk, content: [{ type: 'smell' }, text] });
    assert.deepEqual(updates, [chunk], 'the good block of a list is kept');
  });
});

describe('tool calls', () => {
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Dig' };

  test('keep every field that fits, and _meta', () => {
    const full = {
      ...call,
      name: 'dig',
      kind: 'switch_mode',
      status: 'in_progress',
      content: [
        { type: 'content', content: text },
        { type: 'diff', path: '/a', oldText: 'x', newText: 'y' },
        { type: 'diff', path: '/a', oldText: null, newText: 'y' },
        { type: 'terminal', terminalId: 't' },
      ],
      locations: [{ path: '/a', line: 0 }, { path: '/b' }],
      rawInput: { a: [1] },
      rawOutput: 'text',
      _meta: { terminal_info: { terminal_id: 't' } },
    };
    becomes(full, full);
    becomes(
      { ...full, sessionUpdate: 'tool_call_update' },
      { ...full, sessionUpdate: 'tool_call_update' },
    );
  });

  test('of which nothing but the id is known are calls and updates all the same', () => {
    becomes({ sessionUpdate: 'tool_call', toolCallId: 'c' }, { ...call, title: '' });
    becomes(
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 7,
        title: null,
        kind: null,
        status: null,
        content: null,
        locations: null,
        rawInput: null,
        rawOutput: null,
        _meta: null,
      },
      { sessionUpdate: 'tool_call_update', toolCallId: '7' },
    );
  });

  test('of an unknown kind are "other"; an unknown status is as if it were not there', () => {
    const { updates, reports } = decode({ ...call, kind: 'telepathy', status: 'paused' });
    assert.deepEqual(updates, [{ ...call, kind: 'other' }]);
    assert.deepEqual(reports, ['tool kind "telepathy"', 'tool status "paused"']);
    assert.deepEqual(decode({ ...call, kind: 'toString', status: '__proto__' }).updates, [
      { ...call, kind: 'other' },
    ]);
  });

  test('lose only the parts that cannot be understood', () => {
    const { updates, reports } = decode({
      ...call,
      content: [
        { type: 'hologram' },
        { type: 'content', content: text },
        { type: 'terminal' },
        { type: 'diff', path: '/a' },
      ],
      locations: [{ line: 1 }, { path: '/a', line: 'one' }],
    });
    assert.deepEqual(updates, [
      { ...call, content: [{ type: 'content', content: text }], locations: [{ path: '/a' }] },
    ]);
    assert.deepEqual(reports, ['content "hologram"', 'terminal', 'diff', 'location']);
  });

  test('do not lose what they have by a list of which nothing can be understood', () => {
    const { updates } = decode({ ...call, content: [{ type: 'hologram' }] });
    assert.deepEqual(updates, [call]);
    becomes({ ...call, content: [] }, { ...call, content: [] });
  });

  test('may have one thing where a list is meant, bare blocks, and paths as strings', () => {
    const content = [{ type: 'content', content: text }];
    becomes({ ...call, content: content[0] }, { ...call, content });
    becomes({ ...call, content: text }, { ...call, content });
    becomes({ ...call, content: ['Hi'] }, { ...call, content });
    becomes({ ...call, locations: '/a' }, { ...call, locations: [{ path: '/a' }] });
  });

  test('have diffs of new, changed and deleted files', () => {
    const diff = (fields: object): unknown => ({
      ...call,
      content: [{ type: 'diff', path: '/a', ...fields }],
    });
    becomes(diff({ newText: 'y' }), diff({ oldText: null, newText: 'y' }));
    becomes(diff({ oldText: 'x', newText: null }), diff({ oldText: 'x', newText: '' }));
  });

  test('without an id are left out and reported', () => {
    for (const toolCallId of [undefined, null, '', {}]) {
      assert.deepEqual(decode({ ...call, toolCallId }), { updates: [], reports: ['tool call id'] });
    }
  });
});

describe('other updates', () => {
  test('a plan keeps its good steps, with the middle priority and pending where they are not known', () => {
    const { updates, reports } = decode({
      sessionUpdate: 'plan',
      entries: [
        { content: 'a', priority: 'high', status: 'completed' },
        { content: 'b', priority: 'urgent', status: 9 },
        { priority: 'low' },
      ],
    });
    assert.deepEqual(updates, [
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'a', priority: 'high', status: 'completed' },
          { content: 'b', priority: 'medium', status: 'pending' },
        ],
      },
    ]);
    assert.deepEqual(reports, ['plan entry']);
    becomes({ sessionUpdate: 'plan', entries: [] }, { sessionUpdate: 'plan', entries: [] });
  });

  test('commands keep their name, description and hint', () => {
    becomes(
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [
          {
            name: 'memory show',
            description: 'd',
            input: { hint: 'h' },
            _meta: { skills: 'x'.repeat(1000) },
          },
          { name: '$image', input: null },
        ],
      },
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [
          { name: 'memory show', description: 'd', input: { hint: 'h' } },
          { name: '$image', description: '', input: null },
        ],
      },
    );
  });

  test('the mode may be called currentModeId or modeId', () => {
    const expected = { sessionUpdate: 'current_mode_update', currentModeId: 'ask' };
    becomes(expected, expected);
    becomes({ sessionUpdate: 'current_mode_update', modeId: 'ask' }, expected);
    assert.deepEqual(decode({ sessionUpdate: 'current_mode_update' }).updates, []);
  });

  test('options of types that we do not know are ignored, the others kept', () => {
    const option = { id: 'o', name: 'O', description: null, category: 'mode' };
    const select = {
      ...option,
      type: 'select',
      currentValue: 'a',
      options: [{ value: 'a', name: 'A', description: null }],
    };
    const flag = { ...option, type: 'boolean', currentValue: true, category: null };
    const grouped = {
      ...select,
      options: [{ group: 'g', name: 'G', options: [{ value: 'a', name: 'A', description: null }] }],
    };
    becomes(
      {
        sessionUpdate: 'config_option_update',
        configOptions: [select, { ...option, type: 'slider' }, flag, grouped, 7],
      },
      { sessionUpdate: 'config_option_update', configOptions: [select, flag, grouped] },
    );
  });

  test('session info tells absence from null', () => {
    becomes(
      { sessionUpdate: 'session_info_update', title: null },
      { sessionUpdate: 'session_info_update', title: null },
    );
    becomes(
      { sessionUpdate: 'session_info_update', title: 'T', updatedAt: 7 },
      { sessionUpdate: 'session_info_update', title: 'T' },
    );
  });

  test('usage must be numbers that count something; a cost that is none is left out', () => {
    const usage = { sessionUpdate: 'usage_update', used: 1, size: 2 };
    becomes(
      { ...usage, cost: { amount: 0.5, currency: 'EUR' } },
      { ...usage, cost: { amount: 0.5, currency: 'EUR' } },
    );
    becomes({ ...usage, cost: { amount: 'much' } }, usage);
    assert.deepEqual(decode({ ...usage, used: -1 }).updates, []);
    assert.deepEqual(decode({ ...usage, size: '2' }).updates, []);
  });

  test('notices and compaction come through', () => {
    becomes(
      { sessionUpdate: 'notice', severity: 'warning', title: 'T' },
      { sessionUpdate: 'notice', severity: 'warning', title: 'T', description: null },
    );
    becomes(
      {
        sessionUpdate: 'compaction_update',
        compactionId: 'c',
        status: 'completed',
        summary: [text],
      },
      {
        sessionUpdate: 'compaction_update',
        compactionId: 'c',
        status: 'completed',
        summary: [text],
        error: null,
      },
    );
    const summary = { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: text };
    becomes(summary, summary);
  });

  test('unknown kinds and shapes that are no update are reported and skipped', () => {
    for (const update of [
      { sessionUpdate: 'telepathy' },
      { sessionUpdate: 'toString' },
      { sessionUpdate: { toString: 1 } },
      {},
      null,
      [],
      'text',
    ]) {
      const { updates, reports } = decode(update);
      assert.deepEqual([updates.length, reports.length], [0, 1], JSON.stringify(update));
    }
    for (const params of [
      undefined,
      null,
      [],
      { sessionId: 7, update: chunk },
      { update: chunk },
    ]) {
      const reports: string[] = [];
      decodeUpdate(
        params,
        () => assert.fail(),
        (kind) => reports.push(kind),
      );
      assert.deepEqual(reports, ['update']);
    }
  });
});
