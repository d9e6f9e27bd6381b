import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Grace } from '../../../src/vscode/ports/grace.ts';

/** A pick that was asked for long before, and appeared at 0. */
function pick(): { grace: Grace; at: (time: number) => Grace } {
  let now = -2000;
  const grace = new Grace(() => now);
  now = 0;
  grace.rowChanged();
  return {
    grace,
    at: (time) => {
      now = time;
      return grace;
    },
  };
}

test('a pick that has not appeared takes no answer, however long that takes', () => {
  let now = 0;
  const grace = new Grace(() => now);
  now = 10_000;
  assert.equal(grace.remaining(), Infinity);
  assert.equal(grace.accepts(), false);
});

test('a pick that left the screen and comes back waits anew', () => {
  const { at } = pick();
  at(1000).hidden();
  assert.equal(at(5000).remaining(), Infinity);
  at(6000).rowChanged();
  assert.equal(at(6499).accepts(), false);
  assert.equal(at(7000).accepts(), true);
});

test('an answer within the first 500 ms is none', () => {
  assert.equal(pick().at(499).accepts(), false);
});

test('an answer is taken once 500 ms have passed in quiet', () => {
  assert.equal(pick().at(500).accepts(), true);
});

test('typing begins the wait anew', () => {
  const { at } = pick();
  at(1000).typed();
  assert.equal(at(1499).accepts(), false);
});

test('an arrow key begins the wait anew', () => {
  const { at } = pick();
  at(1000).rowChanged();
  assert.equal(at(1300).accepts(), false);
});

test('an answer that was refused is a keystroke: it begins the wait anew', () => {
  const { at } = pick();
  assert.equal(at(400).accepts(), false);
  assert.equal(at(899).accepts(), false);
  assert.equal(at(1399).accepts(), true);
});

test('a click on another row answers at once: its row becomes active and is accepted in one go', () => {
  const { at } = pick();
  at(2000).rowChanged();
  assert.equal(at(2001).accepts(), true);
});

test('a click within the wait is refused like a key', () => {
  const { at } = pick();
  at(2000).typed();
  at(2300).rowChanged();
  assert.equal(at(2301).accepts(), false);
});

test('arrow keys that follow one another and Enter at once answer nothing', () => {
  const { at } = pick();
  at(2000).rowChanged();
  at(2010).rowChanged();
  assert.equal(at(2020).accepts(), false);
});

test('the wait that remains is told', () => {
  const { at } = pick();
  assert.equal(at(200).remaining(), 300);
  at(900).typed();
  assert.equal(at(1000).remaining(), 400);
  assert.equal(at(2000).remaining(), 0);
});
