import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agent, RUNNING, turn, user, view } from './gallery/states.ts';
import { grow, log, until, usePages } from './support.ts';

const TALK = view({ thread: { latest: turn(RUNNING, [user('Hi'), agent('One')]) } });

describe('The page and its host', () => {
  const pages = usePages();

  test('the page asks for a snapshot once when it starts', async () => {
    const host = await pages.open();
    await until(
      () => host.said(),
      (said) => said.length > 0,
    );
    assert.deepEqual(await host.said(), [{ type: 'ready' }]);
  });

  test('a patch that starts from the revision on screen changes it', async () => {
    const host = await pages.open();
    await host.snapshot(TALK);
    await host.patch([grow(' two')]);
    await log(host).getByText('One two').waitFor();
  });

  test('a patch that starts from another revision changes nothing and asks for a snapshot once', async () => {
    const host = await pages.open();
    await host.snapshot(TALK);
    await host.forget();
    for (const base of [7, 8]) {
      await host.post({
        type: 'patch',
        base,
        revision: base + 1,
        changes: [grow(' lost')],
        view: {},
      });
    }
    await until(
      () => host.said(),
      (said) => said.length > 0,
    );
    assert.deepEqual(await host.said(), [{ type: 'ready' }]);
    assert.equal(await log(host).getByText('lost').count(), 0);
    await host.snapshot(view({ thread: { latest: turn(RUNNING, [user('Hi'), agent('Fresh')]) } }));
    await log(host).getByText('Fresh').waitFor();
  });

  test('a change whose place is not there asks for a snapshot instead of breaking the page', async () => {
    const host = await pages.open();
    await host.snapshot(TALK);
    await host.forget();
    await host.patch([grow('x', 9)]);
    await until(
      () => host.saidOf('ready'),
      (said) => said.length === 1,
    );
    assert.deepEqual(await host.wrongs(), []);
  });

  test('parts of the view other than the thread arrive with a patch', async () => {
    const host = await pages.open();
    await host.snapshot(TALK);
    await host.patch([], { agent: { ...TALK.agent, state: { kind: 'starting', since: 0 } } });
    await host.page.getByText('Starting…').waitFor();
  });

  test('messages that are not the host’s are ignored', async () => {
    const host = await pages.open();
    await host.snapshot(TALK);
    await host.page.evaluate(() => {
      for (const data of [null, 3, 'x', {}, { type: 'nonsense' }]) window.postMessage(data, '*');
    });
    await host.settled();
    assert.deepEqual(await host.wrongs(), []);
    await log(host).getByText('One').waitFor();
  });

  test('the agent’s state is there in words', async () => {
    const host = await pages.open();
    for (const [kind, word] of [
      ['idle', 'Not started'],
      ['ready', 'Ready'],
    ] as const) {
      await host.snapshot(view({ agent: { ...TALK.agent, state: { kind } }, agents: [] }));
      await host.page.locator('header').getByText(word, { exact: true }).waitFor();
    }
  });
});
