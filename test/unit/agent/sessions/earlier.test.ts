import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlierTurns } from '../../../../src/agent/sessions/earlier.ts';
import type { KeptUpdate } from '../../../../src/agent/sessions/kept.ts';

function chunk(voice: 'user' | 'agent', text: string, messageId: string): KeptUpdate {
  const content = { type: 'text' as const, text };
  return voice === 'user'
    ? { sessionUpdate: 'user_message_chunk', messageId, content }
    : { sessionUpdate: 'agent_message_chunk', messageId, content };
}

test('turns are what was asked, said and done, without commands and thoughts', () => {
  const turns = earlierTurns([
    chunk('agent', 'before anything', 'm0'),
    chunk('user', 'look at ', 'p1'),
    chunk('user', 'this', 'p1'),
    {
      sessionUpdate: 'agent_thought_chunk',
      messageId: 't1',
      content: { type: 'text', text: 'hm' },
    },
    { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Read a', status: 'completed' },
    chunk('agent', 'I see.', 'm1'),
    chunk('user', '/title X', 'p2'),
    chunk('agent', 'named', 'm2'),
    chunk('user', 'again', 'p3'),
  ]);
  assert.deepEqual(
    turns.map(({ asked, said }) => [asked, said]),
    [
      ['look at this', '\n[Read a: completed]\nI see.'],
      ['again', ''],
    ],
  );
});
