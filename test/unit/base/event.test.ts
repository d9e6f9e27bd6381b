import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event.ts';

test('a listener that fails is in the way of nobody: the others hear, and so does who watches for errors', () => {
  const failures: unknown[] = [];
  const emitter = new Emitter<string>((error) => failures.push(error));
  const heard: string[] = [];
  const fault = new Error('broken view');
  emitter.event((value) => heard.push(`first ${value}`));
  emitter.event(() => {
    throw fault;
  });
  emitter.event((value) => heard.push(`last ${value}`));
  emitter.fire('a');
  assert.deepEqual([heard, failures], [['first a', 'last a'], [fault]]);
});

test('where nobody watches for errors a fault of a listener is an unhandled rejection, not one of who fires', async () => {
  const emitter = new Emitter<void>();
  const fault = new Error('broken view');
  emitter.event(() => {
    throw fault;
  });
  const seen = new Promise((resolve) => {
    const runners = process.rawListeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.once('unhandledRejection', (error) => {
      for (const runner of runners) process.on('unhandledRejection', runner as () => void);
      resolve(error);
    });
  });
  assert.doesNotThrow(() => {
    emitter.fire();
  });
  assert.equal(await seen, fault);
});

test('a listener that unsubscribes while an event is told hears it no more than once, and the others do', () => {
  const emitter = new Emitter<void>();
  const heard: string[] = [];
  const own = emitter.event(() => {
    heard.push('once');
    own.dispose();
  });
  emitter.event(() => heard.push('always'));
  emitter.fire();
  emitter.fire();
  assert.deepEqual(heard, ['once', 'always', 'always']);
});
