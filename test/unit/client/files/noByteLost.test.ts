import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileSequence } from '../../../fakes/fileSequences.ts';
import { playFileSequence } from '../../../fakes/playFileSequence.ts';
import { ModelStage } from './modelStage.ts';

const SEQUENCES = 1000;

describe('what a person, an agent and other programs write into one file', () => {
  test(`is never lost without somebody's will, in ${SEQUENCES} random histories`, async () => {
    const counts = { written: 0, refused: 0, conflicts: 0, interrupted: 0 };
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const sequence = fileSequence(seed);
      const stage = new ModelStage(sequence.initial);
      assert.deepEqual(await playFileSequence(sequence, stage), []);
      counts.written += stage.counts.written;
      counts.refused += stage.counts.refused;
      counts.conflicts += stage.counts.conflicts;
      counts.interrupted += stage.counts.interrupted;
    }
    // The histories meet what they are to meet.
    for (const count of Object.values(counts)) assert.ok(count > 200, JSON.stringify(counts));
  });

  test('is the same history for the same seed', () => {
    assert.deepEqual(fileSequence(7), fileSequence(7));
    assert.notDeepEqual(fileSequence(7).steps, fileSequence(8).steps);
  });
});
