import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { ChatViewState, ToWebview } from '../../../src/bridge/messages.ts';
import { apply } from '../../../src/bridge/patch.ts';
import { EMPTY_THREAD, type Change, type Thread } from '../../../src/thread/thread.ts';
import { ChatPage } from '../../../src/vscode/chat/chatPage.ts';

const FRAME = 16;

/** The host's side, and a page that does what it is told, as the webview does. */
class Desk {
  thread: Thread = EMPTY_THREAD;
  title = 'One';
  /** How often the parts beside the thread were asked for. */
  asked = 0;
  readonly posted: ToWebview[] = [];
  readonly page = new ChatPage(
    { view: () => ({ ...this.parts(), thread: this.thread }), parts: () => this.parts() },
    (message) => this.posted.push(structuredClone(message)),
  );

  change(...changes: Change[]): void {
    this.thread = apply(this.thread, changes);
    this.page.changed(changes);
  }

  /** What a page shows that heard everything; throws if a patch does not fit. */
  shown(): { view: ChatViewState; revision: number } {
    let shown: { view: ChatViewState; revision: number } | undefined;
    for (const message of this.posted) {
      if (message.type === 'snapshot') shown = message;
      if (message.type !== 'patch') continue;
      assert.ok(shown);
      assert.equal(message.base, shown.revision);
      const thread = apply(shown.view.thread, message.changes);
      shown = { view: { ...shown.view, ...message.view, thread }, revision: message.revision };
    }
    assert.ok(shown);
    return shown;
  }

  private parts(): Omit<ChatViewState, 'thread'> {
    this.asked += 1;
    return {
      chat: { id: 'c1', readOnly: false },
      agent: { id: 'reference', name: 'Reference agent', state: { kind: 'ready' } },
      chats: [
        {
          id: 'c1',
          title: this.title,
          agentId: 'reference',
          agentName: 'Reference agent',
          updatedAt: 0,
          state: 'idle',
        },
      ],
      agents: [],
      workspace: { hasFolder: true, trusted: true },
    };
  }
}

const draft = (text: string): Change => ({ type: 'fields', fields: { draft: text } });

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1000 });
});

test('a page that is not ready is told nothing', () => {
  const desk = new Desk();
  desk.change(draft('a'));
  desk.page.touched();
  desk.page.switched();
  mock.timers.tick(1000);
  assert.equal(desk.posted.length, 0);
});

test('a page that is ready gets a snapshot at once', () => {
  const desk = new Desk();
  desk.change(draft('a'));
  desk.page.ready();
  assert.equal(desk.posted.length, 1);
  assert.equal(desk.shown().view.thread.draft, 'a');
});

test('changes of one frame are one patch', () => {
  const desk = new Desk();
  desk.page.ready();
  for (const text of ['a', 'ab', 'abc']) desk.change(draft(text));
  mock.timers.tick(FRAME);
  assert.equal(desk.posted.length, 2);
  assert.equal(desk.shown().view.thread.draft, 'abc');
});

test('a stream of changes is at most one patch a frame', () => {
  const desk = new Desk();
  desk.page.ready();
  for (let ms = 0; ms < 10 * FRAME; ms += 1) {
    desk.change(draft(String(ms)));
    mock.timers.tick(1);
  }
  mock.timers.tick(FRAME);
  const patches = desk.posted.length - 1;
  assert.ok(patches >= 9 && patches <= 11, `${patches} patches`);
  assert.equal(desk.shown().view.thread.draft, String(10 * FRAME - 1));
});

test('a change after a quiet time is told at once', () => {
  const desk = new Desk();
  desk.page.ready();
  mock.timers.tick(1000);
  desk.change(draft('a'));
  mock.timers.tick(1);
  assert.equal(desk.posted.length, 2);
});

test('a hidden page is told nothing, and misses nothing when it comes back', () => {
  const desk = new Desk();
  desk.page.ready();
  desk.change(draft('a'));
  desk.page.sleep();
  mock.timers.tick(1000);
  desk.change(draft('b'));
  mock.timers.tick(1000);
  assert.equal(desk.posted.length, 1);
  desk.page.ready();
  mock.timers.tick(1000);
  assert.equal(desk.posted.length, 2);
  assert.equal(desk.shown().view.thread.draft, 'b');
});

test('parts beside the thread are sent only when they differ', () => {
  const desk = new Desk();
  desk.page.ready();
  desk.page.touched();
  mock.timers.tick(1000);
  assert.equal(desk.posted.length, 1);
  desk.title = 'Two';
  desk.page.touched();
  mock.timers.tick(1000);
  const last = desk.posted.at(-1);
  assert.ok(last?.type === 'patch');
  assert.deepEqual(Object.keys(last.view), ['chats']);
  assert.equal(desk.shown().view.chats[0]?.title, 'Two');
});

test('another chat is a snapshot, and what was pending of the old one is gone', () => {
  const desk = new Desk();
  desk.page.ready();
  desk.change(draft('old'));
  desk.thread = { ...EMPTY_THREAD, draft: 'new' };
  desk.page.switched();
  mock.timers.tick(1000);
  assert.equal(desk.posted.length, 2);
  assert.equal(desk.shown().view.thread.draft, 'new');
});

test('the focus asked for before the page is there comes after its first snapshot, once', () => {
  const desk = new Desk();
  desk.page.focusOn('composer');
  assert.equal(desk.posted.length, 0);
  desk.page.ready();
  desk.page.ready();
  assert.deepEqual(
    desk.posted.map((message) => message.type),
    ['snapshot', 'focus', 'snapshot'],
  );
});

test('chunks alone never look at the chats, agents and settings beside the thread', () => {
  const desk = new Desk();
  desk.page.ready();
  const { asked } = desk;
  for (let frame = 0; frame < 100; frame++) {
    desk.change(draft(String(frame)));
    mock.timers.tick(FRAME);
  }
  assert.equal(desk.shown().view.thread.draft, '99');
  assert.equal(desk.asked, asked);
  desk.title = 'Two';
  desk.page.touched();
  mock.timers.tick(FRAME);
  assert.equal(desk.shown().view.chats[0]?.title, 'Two');
});
