import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FakeHost } from '../fakes/FakeHost.ts';
import { agent, ENDED, RUNNING, turn, user, view } from './gallery/states.ts';
import { become, focused, grow, log, until, usePages } from './support.ts';

const LINES = 'A line of the answer.\n\n'.repeat(60);
const LONG = view({ thread: { latest: turn(RUNNING, [user('Go'), agent(LINES)]) } });

interface Place {
  readonly top: number;
  readonly fromEnd: number;
}

const place = (host: FakeHost): Promise<Place> =>
  log(host).evaluate((view) => ({
    top: view.scrollTop,
    fromEnd: view.scrollHeight - view.scrollTop - view.clientHeight,
  }));
const jump = (host: FakeHost) => host.page.getByRole('button', { name: 'Jump to latest' });
const atEnd = (host: FakeHost) =>
  until(
    () => place(host),
    ({ fromEnd }) => fromEnd <= 2,
  );

describe('Scrolling', () => {
  const pages = usePages();

  test('a chat opens at its end, and the end stays in view while text comes in', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    for (let chunk = 0; chunk < 10; chunk++) {
      await host.patch([grow(LINES.slice(0, 300))]);
      await host.settled();
    }
    await atEnd(host);
    assert.equal(await jump(host).count(), 0);
  });

  test('the first turn of the wheel upwards stops that, and nothing moves the reader', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).hover();
    await host.page.mouse.wheel(0, -300);
    await jump(host).waitFor();
    await until(
      () => place(host),
      ({ fromEnd }) => fromEnd > 200,
    );
    const before = await place(host);
    for (let chunk = 0; chunk < 10; chunk++) await host.patch([grow(LINES.slice(0, 300))]);
    await host.patch([become(ENDED)]);
    await host.settled();
    assert.equal((await place(host)).top, before.top);
  });

  test('so does a key', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).focus();
    await host.page.keyboard.press('PageUp');
    await jump(host).waitFor();
    await until(
      () => place(host),
      ({ fromEnd }) => fromEnd > 100,
    );
  });

  test('one pixel beyond the end counts as away from it, there is no zone that pulls back', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).evaluate((view) => {
      view.scrollTop -= 20;
    });
    await jump(host).waitFor();
    const before = await place(host);
    await host.patch([grow(LINES)]);
    await host.settled();
    assert.equal((await place(host)).top, before.top);
  });

  test('the button goes back to the end, which is then followed again', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).hover();
    await host.page.mouse.wheel(0, -500);
    await jump(host).click();
    await atEnd(host);
    await jump(host).waitFor({ state: 'detached' });
    await host.patch([grow(LINES)]);
    await atEnd(host);
  });

  test('scrolling down to the end by hand follows it again', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).focus();
    await host.page.keyboard.press('PageUp');
    await jump(host).waitFor();
    await host.page.keyboard.press('End');
    await jump(host).waitFor({ state: 'detached' });
    await host.patch([grow(LINES)]);
    await atEnd(host);
  });

  test('the button back to the end, by keyboard, leaves the focus in the conversation', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).evaluate((view) => {
      view.scrollTop -= 500;
    });
    await jump(host).press('Enter');
    await jump(host).waitFor({ state: 'detached' });
    assert.equal(await focused(host), 'Conversation');
  });

  test('a reload finds the reader where they were', async () => {
    const host = await pages.open();
    await host.snapshot(LONG);
    await atEnd(host);
    await log(host).evaluate((view) => {
      view.scrollTop = 123;
    });
    const remembered = (): Promise<unknown> =>
      host.page.evaluate(() => (Reflect.get(window, 'remembered') as () => unknown)());
    const state = await until(remembered, (kept) => JSON.stringify([kept]).includes('123'));
    const again = await pages.open({ state });
    await again.snapshot(LONG);
    await until(
      () => place(again),
      ({ top }) => top === 123,
    );
  });

  test('the text edge does not move when the scroll bar comes, nor when a row opens', async () => {
    const host = await pages.open();
    await host.snapshot(view({ thread: { latest: turn(RUNNING, [user('Go'), agent('Short')]) } }));
    const left = async (): Promise<number | undefined> =>
      (await host.page.getByText(/^Short/).boundingBox())?.x;
    const before = await left();
    await host.patch([grow(`\n\n${LINES}`)]);
    await host.settled();
    assert.equal(await left(), before);
  });
});
