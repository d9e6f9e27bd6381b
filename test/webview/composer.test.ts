import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FakeHost } from '../fakes/FakeHost.ts';
import { agent, EMPTY, ENDED, RUNNING, turn, user, view } from './gallery/states.ts';
import { become, focused, until, usePages } from './support.ts';

const IDLE = view({ thread: { latest: turn(ENDED, [user('Hi'), agent('Hello')]) } });
const BUSY = view({ thread: { latest: turn(RUNNING, [user('Hi'), agent('Hello')]) } });

const box = (host: FakeHost) => host.page.getByRole('textbox', { name: 'Message', exact: true });
const button = (host: FakeHost, name: string) =>
  host.page.getByRole('button', { name, exact: true });

describe('The composer', () => {
  const pages = usePages();

  test('Enter sends what was typed, and empties the field and the draft', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    await box(host).fill('  Do it\nwell ');
    await box(host).press('Enter');
    assert.deepEqual(await host.saidOf('prompt'), [
      { type: 'prompt', chatId: 'chat-1', text: 'Do it\nwell' },
    ]);
    assert.equal(await box(host).inputValue(), '');
    const drafts = await host.saidOf('draft');
    assert.equal(drafts.at(-1)?.text, '');
  });

  test('Shift+Enter makes a new line', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    await box(host).fill('a');
    await box(host).press('Shift+Enter');
    await box(host).pressSequentially('b');
    assert.equal(await box(host).inputValue(), 'a\nb');
    assert.deepEqual(await host.saidOf('prompt'), []);
  });

  test('Enter that an input method takes sends nothing', async () => {
    const host = await pages.open();
    await host.snapshot(BUSY);
    await box(host).fill('にほん');
    for (const init of [
      { key: 'Enter', isComposing: true, keyCode: 13 },
      { key: 'Enter', isComposing: false, keyCode: 229 },
      { key: 'Escape', isComposing: true, keyCode: 27 },
      { key: 'Escape', isComposing: false, keyCode: 229 },
    ]) {
      await box(host).evaluate((node, keys) => {
        node.dispatchEvent(
          new KeyboardEvent('keydown', { ...keys, bubbles: true, cancelable: true }),
        );
      }, init);
    }
    assert.deepEqual(await host.saidOf('prompt'), []);
    assert.deepEqual(await host.saidOf('stop'), []);
    assert.equal(await box(host).inputValue(), 'にほん');
  });

  test('Send is always there, and disabled while there is nothing to send', async () => {
    const host = await pages.open();
    for (const state of [EMPTY, IDLE, BUSY]) {
      await host.snapshot(state);
      await box(host).fill(' ');
      assert.equal(await button(host, 'Send').isDisabled(), true);
      await box(host).fill('x');
      assert.equal(await button(host, 'Send').isEnabled(), true);
    }
  });

  test('Stop is there only while a turn runs, and stops it', async () => {
    const host = await pages.open();
    await host.snapshot(BUSY);
    await button(host, 'Stop').click();
    assert.equal((await host.saidOf('stop')).length, 1);
    await host.patch([become({ kind: 'stopped', reason: 'cancelled' })]);
    await button(host, 'Stop').waitFor({ state: 'detached' });
  });

  test('Esc stops the running turn, and does nothing while none runs', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    await box(host).press('Escape');
    assert.deepEqual(await host.saidOf('stop'), []);
    await host.snapshot(BUSY);
    await box(host).press('Escape');
    assert.equal((await host.saidOf('stop')).length, 1);
  });

  test('Esc closes an open menu first', async () => {
    const host = await pages.open();
    await host.snapshot(BUSY);
    await button(host, 'More actions').click();
    await host.page.getByRole('menu').waitFor();
    await host.page.keyboard.press('Escape');
    await host.page.getByRole('menu').waitFor({ state: 'detached' });
    assert.deepEqual(await host.saidOf('stop'), []);
    assert.equal(await focused(host), 'More actions');
  });

  test('while a turn runs a message is queued: it goes out as a prompt like any other', async () => {
    const host = await pages.open();
    await host.snapshot(BUSY);
    await box(host).fill('next');
    await button(host, 'Send').click();
    assert.deepEqual(await host.saidOf('prompt'), [
      { type: 'prompt', chatId: 'chat-1', text: 'next' },
    ]);
    assert.equal(await focused(host), 'Message');
  });

  test('a draft reaches the host within 300 ms of the first key, with the chat it belongs to', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    await box(host).focus();
    const took = await box(host).evaluate(async (field) => {
      const said = Reflect.get(window, 'said') as { type: string }[];
      const start = performance.now();
      if (field instanceof HTMLTextAreaElement) field.value = 'half';
      field.dispatchEvent(new Event('input', { bubbles: true }));
      while (!said.some(({ type }) => type === 'draft')) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    assert.ok(took < 300, `${took} ms`);
    assert.deepEqual(await host.saidOf('draft'), [
      { type: 'draft', chatId: 'chat-1', text: 'half' },
    ]);
  });

  test('a draft is sent at once when the field loses the focus or the page goes away', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    for (const leave of ['blur', 'pagehide']) {
      await host.forget();
      await box(host).evaluate((field, event) => {
        if (field instanceof HTMLTextAreaElement) field.value = event;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        if (event === 'blur') field.dispatchEvent(new FocusEvent('blur'));
        else window.dispatchEvent(new Event('pagehide'));
      }, leave);
      const drafts = await host.saidOf('draft');
      assert.deepEqual(
        drafts.map(({ text }) => text),
        [leave],
      );
    }
  });

  test('the host’s draft is taken when the chat comes into view, and never while one types', async () => {
    const host = await pages.open();
    await host.snapshot(view({ thread: { ...IDLE.thread, draft: 'kept' } }));
    assert.equal(await box(host).inputValue(), 'kept');
    await box(host).fill('kept and more');
    await host.patch([{ type: 'fields', fields: { draft: 'kept' } }]);
    await host.snapshot(view({ thread: { ...IDLE.thread, draft: 'old' } }));
    assert.equal(await box(host).inputValue(), 'kept and more');
    await host.snapshot(
      view({ chat: { id: 'chat-2', readOnly: false }, thread: { draft: 'other' } }),
    );
    await until(
      () => box(host).inputValue(),
      (text) => text === 'other',
    );
    const drafts = await host.saidOf('draft');
    assert.deepEqual(drafts.at(-1), { type: 'draft', chatId: 'chat-1', text: 'kept and more' });
  });

  test('it grows with the text to two fifths of the view, then scrolls', async () => {
    const host = await pages.open({ height: 700 });
    await host.snapshot(IDLE);
    const height = async (): Promise<number> => (await box(host).boundingBox())?.height ?? 0;
    const empty = await height();
    await box(host).fill('a\nb\nc\nd');
    assert.ok((await height()) > empty);
    await box(host).fill('line\n'.repeat(200));
    assert.ok(Math.abs((await height()) - 280) <= 2, `${await height()}`);
  });

  test('text that runs right to left starts at the right', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    await box(host).fill('שלום');
    assert.equal(await box(host).evaluate((node) => getComputedStyle(node).direction), 'rtl');
  });

  test('a chat that is live in another window is read only, and says so', async () => {
    const host = await pages.open();
    await host.snapshot({ ...BUSY, chat: { id: 'chat-1', readOnly: true } });
    await host.page.getByText('open in another window').first().waitFor();
    assert.equal(await box(host).getAttribute('readonly'), '');
    assert.equal(await button(host, 'Stop').count(), 0);
    await box(host).press('Enter');
    assert.deepEqual(await host.saidOf('prompt'), []);
  });

  test('the queue shows what waits; while a turn runs each can be removed, but none sent', async () => {
    const host = await pages.open();
    await host.snapshot(view({ thread: { ...BUSY.thread, queue: [{ id: 'q1', text: 'later' }] } }));
    const queue = host.page.getByRole('region', { name: 'Queue, 1 message' });
    await queue.getByText('later').waitFor();
    assert.equal(await queue.getByRole('button', { name: 'Send now' }).count(), 0);
    await queue.getByRole('button', { name: 'Remove' }).click();
    assert.deepEqual(await host.saidOf('removeQueued'), [
      { type: 'removeQueued', chatId: 'chat-1', promptId: 'q1' },
    ]);
  });

  test('each prompt of a held queue can be sent now, by keyboard', async () => {
    const host = await pages.open();
    const queue = [
      { id: 'q1', text: 'a' },
      { id: 'q2', text: 'b' },
    ];
    await host.snapshot(view({ thread: { ...IDLE.thread, queue, queueHeld: true } }));
    await button(host, 'Send now').last().focus();
    await host.page.keyboard.press('Enter');
    assert.deepEqual(await host.saidOf('sendQueued'), [
      { type: 'sendQueued', chatId: 'chat-1', promptId: 'q2' },
    ]);
  });

  test('a queue that is held after Stop offers to be sent', async () => {
    const host = await pages.open();
    const queue = [
      { id: 'q1', text: 'a' },
      { id: 'q2', text: 'b' },
    ];
    await host.snapshot(view({ thread: { ...IDLE.thread, queue, queueHeld: true } }));
    await button(host, 'Send the queue').click();
    assert.deepEqual(await host.saidOf('sendQueued'), [
      { type: 'sendQueued', chatId: 'chat-1', promptId: 'q1' },
    ]);
    // The button goes away: the focus must not go with it.
    assert.equal(await focused(host), 'Message');
  });

  test('the host can put the focus into the composer; nothing else moves it there', async () => {
    const host = await pages.open();
    await host.snapshot(BUSY);
    await host.patch([become(ENDED)]);
    await host.settled();
    assert.notEqual(await focused(host), 'Message');
    await host.post({ type: 'focus', target: 'composer' });
    await until(
      () => focused(host),
      (name) => name === 'Message',
    );
  });

  test('an example goes into the composer, ready to be sent', async () => {
    const host = await pages.open();
    await host.snapshot(EMPTY);
    await button(host, '/help').click();
    // The page draws it in its next frame.
    await until(
      () => box(host).inputValue(),
      (text) => text === '/help',
    );
    await until(
      () => focused(host),
      (name) => name === 'Message',
    );
    await host.page.keyboard.press('Enter');
    assert.deepEqual(await host.saidOf('prompt'), [
      { type: 'prompt', chatId: 'chat-1', text: '/help' },
    ]);
  });

  test('the agent of an empty chat is chosen from a group of radio buttons, by mouse or keys', async () => {
    const host = await pages.open();
    await host.snapshot(EMPTY);
    const group = host.page.getByRole('radiogroup', { name: 'Agent' });
    assert.equal(await group.getByRole('radio', { checked: true }).count(), 1);
    await group.getByRole('radio', { name: 'Claude Code' }).focus();
    await host.page.keyboard.press('ArrowDown');
    await host.page.keyboard.press('Enter');
    assert.deepEqual(await host.saidOf('chooseAgent'), [
      { type: 'chooseAgent', agentId: 'gemini' },
    ]);
  });

  test('the header leads to new chats, other chats and the commands of the agent', async () => {
    const host = await pages.open();
    await host.snapshot(IDLE);
    await button(host, 'New chat').click();
    await button(host, 'Chat history').click();
    await button(host, 'Claude Code, Retry with backoff. Switch chat').click();
    await button(host, 'More actions').click();
    await host.page.keyboard.press('ArrowDown');
    await host.page.keyboard.press('Enter');
    const said = (await host.said()).filter(({ type }) => type === 'newChat' || type === 'command');
    assert.deepEqual(said, [
      { type: 'newChat' },
      { type: 'command', command: 'switchChat' },
      { type: 'command', command: 'switchChat' },
      { type: 'command', command: 'restartAgent' },
    ]);
  });
});
