import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { PermissionDesk } from '../../../src/client/requests/permissionDesk.ts';
import { PermissionPresenter } from '../../../src/client/requests/permissionPresenter.ts';
import { FakeChatWindow } from '../../fakes/fakeChatWindow.ts';
import { FakeSettings } from '../../fakes/fakeSettings.ts';
import { question } from '../../fakes/questions.ts';
import { RecordingLog } from '../../fakes/recordingLog.ts';
import { ScriptedPrompt } from '../../fakes/scriptedPrompt.ts';

function setUp() {
  const desk = new PermissionDesk();
  const prompt = new ScriptedPrompt();
  const window = new FakeChatWindow();
  const settings = new FakeSettings();
  const presenter = new PermissionPresenter({
    desk,
    prompt,
    window,
    settings,
    log: new RecordingLog(),
  });
  const ask = (chatId: string, id: string): Promise<string | null> =>
    desk.ask(chatId, question(id), new AbortController().signal);
  const screen = (): string[] => prompt.onScreen.map((pick) => pick.question.permissionId);
  const notices = (): string[] =>
    prompt.notices
      .filter(({ signal }) => !signal.aborted)
      .map((notice) => notice.question.permissionId);
  return { desk, prompt, window, settings, presenter, ask, screen, notices };
}

test('a request of the chat in view opens a pick by itself, and the choice is its answer', async () => {
  const { prompt, window, ask, screen, notices } = setUp();
  window.show('a');
  const answer = ask('a', 'p1');
  assert.deepEqual([screen(), notices()], [['p1'], []]);
  prompt.onScreen[0]?.act('no');
  assert.equal(await answer, 'no');
  assert.deepEqual(screen(), []);
});

test('requests of one chat come to the screen one after the other, oldest first', async () => {
  const { prompt, window, ask, screen } = setUp();
  window.show('a');
  void ask('a', 'p1');
  void ask('a', 'p2');
  assert.deepEqual(screen(), ['p1']);
  prompt.onScreen[0]?.act('yes');
  await setImmediate();
  assert.deepEqual(screen(), ['p2']);
});

test('a request of a chat that is not in view is told by one notification, and no pick', () => {
  const { window, ask, screen, notices } = setUp();
  window.show('a');
  void ask('b', 'p1');
  window.show('a');
  assert.deepEqual([screen(), notices()], [[], ['p1']]);
});

test('following the notification reveals the chat and shows the pick', async () => {
  const { prompt, window, ask, screen, notices } = setUp();
  window.show('a');
  void ask('b', 'p1');
  prompt.notices[0]?.act(true);
  await setImmediate();
  assert.deepEqual([window.revealed, screen(), notices()], [['b'], ['p1'], []]);
});

test('ignoring the notification answers nothing and reveals nothing', async () => {
  const { prompt, desk, window, ask } = setUp();
  window.show('a');
  void ask('b', 'p1');
  prompt.notices[0]?.act(false);
  await setImmediate();
  assert.deepEqual([window.revealed, desk.open.length], [[], 1]);
});

test('switching chats puts the pick away and shows that of the other chat; coming back shows it again', async () => {
  const { desk, window, ask, screen } = setUp();
  window.show('a');
  void ask('a', 'p1');
  void ask('b', 'p2');
  assert.deepEqual(screen(), ['p1']);
  window.show('b');
  await setImmediate();
  assert.deepEqual(screen(), ['p2']);
  window.show('a');
  await setImmediate();
  assert.deepEqual(screen(), ['p1']);
  assert.equal(desk.open.length, 2);
});

test('no chat waits for another one: a request in view is shown though an older one waits elsewhere', () => {
  const { window, ask, screen } = setUp();
  window.show('a');
  void ask('b', 'p1');
  void ask('a', 'p2');
  assert.deepEqual(screen(), ['p2']);
});

test('Escape leaves the request open and the pick away, also when the chat is shown again', async () => {
  const { prompt, desk, window, ask, screen } = setUp();
  window.show('a');
  void ask('a', 'p1');
  prompt.onScreen[0]?.act(undefined);
  await setImmediate();
  window.show('b');
  window.show('a');
  assert.deepEqual([screen(), desk.open.length], [[], 1]);
});

test('after Escape the next request of the chat is shown, and the command brings the first one back', async () => {
  const { prompt, window, presenter, ask, screen } = setUp();
  window.show('a');
  void ask('a', 'p1');
  prompt.onScreen[0]?.act(undefined);
  await setImmediate();
  void ask('a', 'p2');
  assert.deepEqual(screen(), ['p2']);
  prompt.onScreen[0]?.act('yes');
  await setImmediate();
  presenter.showNext();
  assert.deepEqual(screen(), ['p1']);
});

test('Escape frees the screen, however many requests wait; the command shows them one after the other', async () => {
  const { prompt, desk, window, presenter, ask, screen } = setUp();
  window.show('a');
  for (const id of ['p1', 'p2', 'p3']) void ask('a', id);
  prompt.onScreen[0]?.act(undefined);
  await setImmediate();
  assert.deepEqual([screen(), desk.open.length], [[], 3]);
  presenter.showNext();
  assert.deepEqual(screen(), ['p1']);
  prompt.onScreen[0]?.act('yes');
  await setImmediate();
  assert.deepEqual(screen(), ['p2']);
});

test('Escape in one chat leaves the requests of another chat to be shown', async () => {
  const { prompt, window, ask, screen } = setUp();
  window.show('a');
  void ask('a', 'p1');
  void ask('b', 'p2');
  prompt.onScreen[0]?.act(undefined);
  await setImmediate();
  window.show('b');
  assert.deepEqual(screen(), ['p2']);
});

test('the command reveals the chat of the oldest request when the chat in view has none', async () => {
  const { window, presenter, ask, screen } = setUp();
  window.show('c');
  void ask('b', 'p1');
  void ask('a', 'p2');
  presenter.showNext();
  await setImmediate();
  assert.deepEqual([window.revealed, screen()], [['b'], ['p1']]);
});

test('an answer in the card takes the pick off the screen and opens the next one', async () => {
  const { desk, window, ask, screen } = setUp();
  window.show('a');
  const first = ask('a', 'p1');
  void ask('a', 'p2');
  desk.answer('p1', 'yes');
  assert.equal(await first, 'yes');
  assert.deepEqual(screen(), ['p2']);
});

test('card and pick at the same time: one answer, that of the first', async () => {
  const { prompt, desk, window, ask } = setUp();
  window.show('a');
  const answer = ask('a', 'p1');
  const [pick] = prompt.onScreen;
  pick?.act('yes');
  desk.answer('p1', 'no');
  assert.equal(await answer, 'no');
  await setImmediate();
  assert.deepEqual(desk.open, []);
});

test('a stopped chat takes its pick and its notifications away', async () => {
  const { desk, window, ask, screen, notices } = setUp();
  window.show('a');
  const answers = [ask('a', 'p1'), ask('b', 'p2')];
  desk.cancelChat('a');
  desk.cancelChat('b');
  assert.deepEqual(await Promise.all(answers), [null, null]);
  assert.deepEqual([screen(), notices()], [[], []]);
});

test('with the setting "card" nothing opens by itself, and the command still shows the pick', async () => {
  const { window, settings, presenter, ask, screen, notices } = setUp();
  settings.ask('card');
  window.show('a');
  void ask('a', 'p1');
  void ask('b', 'p2');
  assert.deepEqual([screen(), notices()], [[], []]);
  presenter.showNext();
  await setImmediate();
  assert.deepEqual(screen(), ['p1']);
});

test('with the setting "notification" a request in view is told by a notification that leads to the pick', async () => {
  const { prompt, window, settings, ask, screen, notices } = setUp();
  settings.ask('notification');
  window.show('a');
  void ask('a', 'p1');
  assert.deepEqual([screen(), notices()], [[], ['p1']]);
  prompt.notices[0]?.act(true);
  await setImmediate();
  assert.deepEqual(screen(), ['p1']);
});

test('a pick that fails answers nothing, and the request stays open', async () => {
  const { desk, prompt, window, ask } = setUp();
  prompt.ask = () => Promise.reject(new Error('no screen'));
  window.show('a');
  void ask('a', 'p1');
  await setImmediate();
  assert.equal(desk.open.length, 1);
});

test('hiding the view takes the pick away and tells by a notification instead', () => {
  const { window, ask, screen, notices } = setUp();
  window.show('a');
  void ask('a', 'p1');
  window.show(undefined);
  assert.deepEqual([screen(), notices()], [[], ['p1']]);
});
