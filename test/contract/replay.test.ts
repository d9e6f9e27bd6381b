import assert from 'node:assert/strict';
import test from 'node:test';

import { EMPTY_THREAD } from '../../src/thread/thread.ts';
import { checkProperties } from '../unit/thread/properties.ts';
import { expectedOf, readRecording, recordings } from './recording.ts';
import { replayed } from './replayed.ts';
import { shownThread } from './shownThread.ts';

test('all 32 recordings are there: eight agents, four scripts', () => {
  assert.equal(recordings().length, 32);
});

for (const [index, name] of recordings().entries()) {
  test(`${name} replays to the thread that follows from its raw frames`, async () => {
    const { sessions, reports } = await replayed(readRecording(name));
    const threads = [...sessions].map(([id, { thread }]) => shownThread(id, thread));
    assert.deepEqual({ sessions: threads }, expectedOf(name));

    // Nothing that these agents say is unknown to us, so nothing may be reported.
    assert.deepEqual(reports, []);
    for (const { events } of sessions.values()) checkProperties(EMPTY_THREAD, events, index + 1);
  });
}
