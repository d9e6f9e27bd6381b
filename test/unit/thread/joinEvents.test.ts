import assert from 'node:assert/strict';
import test from 'node:test';

import type { SessionUpdate } from '../../../src/protocol/acp.ts';
import { joinEvents } from '../../../src/thread/joinEvents.ts';
import { EMPTY_THREAD, type ThreadEvent } from '../../../src/thread/thread.ts';
import { checkProperties } from './properties.ts';
import { random } from './random.ts';

type Voice = 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk';

let clock = 0;

function updated(update: SessionUpdate): ThreadEvent {
  return { at: ++clock, type: 'updated', update };
}

function piece(text: string, messageId?: string | null, voice: Voice = 'agent_message_chunk') {
  const id = messageId === undefined ? {} : { messageId };
  return updated({ sessionUpdate: voice, ...id, content: { type: 'text', text } });
}

test('two pieces of one message become one with the time of the first', () => {
  const first = piece('Hel', 'm');
  assert.deepEqual(joinEvents(first, piece('lo', 'm')), {
    at: first.at,
    type: 'updated',
    update: {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'm',
      content: { type: 'text', text: 'Hello' },
    },
  });
});

test('pieces without an id join, whether it is absent or null', () => {
  assert.notEqual(joinEvents(piece('a'), piece('b')), null);
  assert.notEqual(joinEvents(piece('a', null), piece('b')), null);
});

test('pieces of another message, of another voice or with an id and without do not join', () => {
  assert.equal(joinEvents(piece('a', 'm'), piece('b', 'n')), null);
  assert.equal(joinEvents(piece('a', 'm'), piece('b')), null);
  assert.equal(joinEvents(piece('a'), piece('b', undefined, 'agent_thought_chunk')), null);
});

test('what is more than text does not join: an empty piece, an image, annotations, _meta', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
  const noted = { type: 'text', text: 'b', annotations: { priority: 1 } } as const;
  const sessionUpdate = 'agent_message_chunk';
  for (const other of [
    piece(''),
    updated({ sessionUpdate, content: image }),
    updated({ sessionUpdate, content: noted }),
    updated({ sessionUpdate, content: { type: 'text', text: 'b' }, _meta: { a: 1 } }),
    updated({ sessionUpdate: 'plan', entries: [] }),
    { at: 1, type: 'stopped', reason: 'end_turn' } as const,
  ]) {
    assert.equal(joinEvents(piece('a'), other), null);
    assert.equal(joinEvents(other, piece('a')), null);
  }
});

test('a log of joined pieces gives the same thread, for thousands of random conversations', () => {
  const { below } = random(17);
  const voices = ['agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk'] as const;
  const randomEvent = (): ThreadEvent => {
    const at = ++clock;
    const dice = below(14);
    const id = `c${below(3)}`;
    if (dice === 0) return { at, type: 'prompted', turnId: `t${at}`, text: 'Go' };
    if (dice === 1) return { at, type: 'stopped', reason: 'end_turn' };
    if (dice === 2) return { at, type: 'cancelRequested' };
    if (dice === 3) return updated({ sessionUpdate: 'tool_call', toolCallId: id, title: 'x' });
    if (dice === 4) {
      const statuses = ['pending', 'in_progress', 'completed', 'failed'] as const;
      const status = statuses[below(4)] ?? null;
      return updated({ sessionUpdate: 'tool_call_update', toolCallId: id, status });
    }
    if (dice === 5) {
      const optionId = [null, 'yes', 'no'][below(3)] ?? null;
      return { at, type: 'permissionAnswered', permissionId: `p${below(3)}`, optionId };
    }
    if (dice === 6) {
      return {
        at,
        type: 'permissionAsked',
        permissionId: `p${below(3)}`,
        toolCall: { sessionUpdate: 'tool_call_update', toolCallId: id },
        options: [
          { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      };
    }
    const ids = [undefined, null, 'm1', 'm2'][below(4)];
    return piece('abc'.slice(below(4)), ids, voices[below(3)]);
  };
  for (let round = 0; round < 400; round++) {
    const events = Array.from({ length: below(25) }, randomEvent);
    checkProperties(EMPTY_THREAD, events, round);
  }
});
