import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlanEntry, ToolCallState, TurnState } from '../../src/bridge/messages.ts';
import type { FakeHost } from '../fakes/FakeHost.ts';
import {
  agent,
  DIFF,
  ENDED,
  permission,
  RUNNING,
  TEN,
  thought,
  tool,
  turn,
  user,
  view,
  WORKING,
} from './gallery/states.ts';
import { articles, become, focused, log, put, until, usePages } from './support.ts';

const ended = (...entries: Parameters<typeof turn>[1]) =>
  view({ thread: { latest: turn(ENDED, [user('Hi'), ...entries]) } });
const running = (...entries: Parameters<typeof turn>[1]) =>
  view({ thread: { latest: turn(RUNNING, [user('Hi'), ...entries]) } });
const act = (host: FakeHost, name: string) => host.page.getByRole('article', { name, exact: true });

describe('The transcript', () => {
  const pages = usePages();

  test('it is a log that is not read aloud, with one polite region beside it', async () => {
    const host = await pages.open();
    await host.snapshot(WORKING);
    assert.equal(await log(host).getAttribute('aria-live'), 'off');
    assert.equal(await host.page.locator('[aria-live="polite"]').count(), 1);
  });

  test('each part is an article that says what it is, under the heading of its turn', async () => {
    const host = await pages.open();
    await host.snapshot(WORKING);
    assert.deepEqual(await articles(host), [
      'You',
      'Thought',
      'Agent',
      'Tool call: Read src/http.ts, Done',
      'Tool call: Search `fetchJson\\(`, Done',
      'Tool call: Fetch developer.mozilla.org/…/Retry-After, Done',
      'Agent',
      'Plan',
      'Tool call: Edit src/http.ts, Done',
      'Tool call: Edit src/sync.ts, Failed',
      'Tool call: npm run bench, Cancelled',
      'Tool call: npm test, Running',
      'Tool call: npm ci && npm run build, Waiting for your permission',
    ]);
    await host.page.getByRole('heading', { name: 'You, 10:38', level: 2 }).waitFor();
  });

  test('a tool call changes in place through all its states', async () => {
    const host = await pages.open();
    await host.snapshot(running(tool({ title: 'X', state: 'pending' })));
    const states: readonly [ToolCallState, string][] = [
      ['pending', 'Waiting'],
      ['waiting', 'Waiting for your permission'],
      ['running', 'Running'],
      ['done', 'Done'],
      ['failed', 'Failed'],
      ['cancelled', 'Cancelled'],
      ['rejected', 'Rejected'],
    ];
    const row = host.page.getByRole('article', { name: /^Tool call: X/ });
    const node = await row.elementHandle();
    const height = (await row.boundingBox())?.height;
    for (const [state, word] of states) {
      await host.patch([put(tool({ title: 'X', state }), 1)]);
      await act(host, `Tool call: X, ${word}`).waitFor();
      assert.equal((await row.boundingBox())?.height, height, `the row jumps when ${state}`);
    }
    assert.equal(await row.evaluate((now, before) => now === before, node), true);
  });

  test('success is folded, failure is open, and what the person chose stays', async () => {
    const host = await pages.open();
    const content = [{ type: 'text', text: 'the words' } as const];
    await host.snapshot(
      ended(
        tool({ title: 'Good', toolKind: 'read', content }),
        tool({ title: 'Bad', toolKind: 'read', state: 'failed', content }),
      ),
    );
    const good = act(host, 'Tool call: Good, Done');
    const bad = act(host, 'Tool call: Bad, Failed');
    assert.equal(await good.getByText('the words').count(), 0);
    await bad.getByText('the words').waitFor();
    await good.getByRole('button', { expanded: false }).click();
    await good.getByText('the words').waitFor();
    await bad.getByRole('button', { expanded: true }).press('Enter');
    await bad.getByText('the words').waitFor({ state: 'detached' });
    await host.patch([put(tool({ title: 'Good', toolKind: 'read', state: 'failed', content }), 1)]);
    await act(host, 'Tool call: Good, Failed').getByText('the words').waitFor();
    await host.patch([put(tool({ title: 'Good', toolKind: 'read', content }), 1)]);
    await good.getByText('the words').waitFor();
  });

  test('a card that has the focus folds only after the focus has left', async () => {
    const host = await pages.open();
    const call = { title: 'npm test', toolKind: 'execute', output: 'line' } as const;
    await host.snapshot(running(tool({ ...call, state: 'running' })));
    const open = host.page.getByRole('article', { name: /^Tool call: npm test/ });
    await open.getByRole('button', { name: 'Copy output' }).focus();
    await host.patch([put(tool({ ...call, state: 'done' }), 1)]);
    await act(host, 'Tool call: npm test, Done').getByText('line').waitFor();
    await host.page.getByRole('textbox', { name: 'Message' }).focus();
    await open.getByText('line').waitFor({ state: 'detached' });
  });

  test('a diff has its signs and counts, and opens in the native editor by its address', async () => {
    const host = await pages.open();
    await host.snapshot(
      view({
        thread: {
          past: [turn(ENDED, [user('a')], 'a')],
          latest: turn(RUNNING, [
            user('b'),
            tool({
              title: 'Edit',
              toolKind: 'edit',
              state: 'waiting',
              content: [{ type: 'text', text: 'why' }, DIFF],
              permissions: [permission()],
            }),
          ]),
        },
      }),
    );
    const edit = host.page.getByRole('article', { name: /^Tool call: Edit/ });
    await edit.getByText('+12').waitFor();
    await edit.getByText('−3').waitFor();
    const rows = await edit
      .locator('.diff .r')
      .evaluateAll((nodes) => nodes.map((n) => n.textContent));
    assert.equal(rows.length, DIFF.rows.length);
    assert.equal(rows[1], '29−  const res = await fetch(url);');
    await edit.getByRole('button', { name: 'Open diff' }).click();
    assert.deepEqual(await host.saidOf('openDiff'), [
      { type: 'openDiff', chatId: 'chat-1', turn: 1, entry: 1, content: 1 },
    ]);
  });

  test('locations are links that open the file at its line', async () => {
    const host = await pages.open();
    await host.snapshot(
      ended(
        tool({ title: 'Read', toolKind: 'read', locations: [{ path: '/w/src/a.ts', line: 12 }] }),
        tool({
          title: 'Find',
          toolKind: 'search',
          locations: [
            { path: '/w/b.ts', line: null },
            { path: '/w/c.ts', line: 3 },
          ],
        }),
      ),
    );
    await host.page.getByRole('link', { name: 'src/a.ts' }).click();
    await host.page.getByRole('button', { name: /Searched/ }).click();
    await host.page.getByRole('link', { name: 'w/c.ts' }).press('Enter');
    assert.deepEqual(await host.saidOf('openFile'), [
      { type: 'openFile', path: '/w/src/a.ts', line: 12 },
      { type: 'openFile', path: '/w/c.ts', line: 3 },
    ]);
  });

  test('raw input and output are one fold away, however deep they are', async () => {
    const host = await pages.open();
    let deep: unknown = 'bottom';
    for (let level = 0; level < 500; level++) deep = [deep];
    await host.snapshot(ended(tool({ title: 'Odd', rawInput: { secret: 1 }, rawOutput: deep })));
    await host.page.getByRole('button', { name: 'Odd' }).click();
    await host.page.getByText('Details').click();
    await host.page.getByRole('group', { name: 'Input' }).getByText('"secret": 1').waitFor();
    assert.deepEqual(await host.wrongs(), []);
  });

  test('a live thought is open and counts, then it is folded and says how long it took', async () => {
    const host = await pages.open();
    await host.snapshot(running(thought('hmm', null)));
    await act(host, 'Thought').getByText('Thinking…').waitFor();
    await act(host, 'Thought').getByText('hmm').waitFor();
    await host.patch([put(thought('hmm', 12_000), 1)]);
    await act(host, 'Thought').getByText('Thought for 12 s').waitFor();
    await act(host, 'Thought').getByText('hmm').waitFor({ state: 'detached' });
  });

  test('the plan is one card with its progress, replaced by each update', async () => {
    const host = await pages.open();
    const plan = (done: number): PlanEntry => ({
      kind: 'plan',
      at: TEN,
      steps: ['a', 'b', 'c'].map((content, index) => ({
        content,
        priority: 'medium',
        status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
      })),
    });
    await host.snapshot(running(plan(0)));
    await act(host, 'Plan').getByText('0/3').waitFor();
    await host.patch([put(plan(1), 1)]);
    await act(host, 'Plan').getByText('1/3').waitFor();
    assert.equal(await act(host, 'Plan').count(), 1);
    assert.equal(
      await act(host, 'Plan').locator('[aria-current="step"]').textContent(),
      'In progress: b',
    );
  });

  const ends: readonly [TurnState, string | null][] = [
    [ENDED, null],
    [{ kind: 'stopped', reason: 'max_tokens' }, 'The answer reached the length limit.'],
    [
      { kind: 'stopped', reason: 'max_turn_requests' },
      'The agent reached its limit of steps for one turn.',
    ],
    [{ kind: 'stopped', reason: 'refusal' }, 'The agent declined to go on with this.'],
    [{ kind: 'stopped', reason: 'cancelled' }, 'You stopped this turn.'],
    [{ kind: 'stopped', reason: 'out_of_coffee' }, 'The turn ended: out_of_coffee'],
    [{ kind: 'interrupted' }, 'This turn was interrupted: the window closed while it ran.'],
  ];
  for (const [state, words] of ends) {
    const name = state.kind === 'stopped' ? state.reason : state.kind;
    test(`a turn that ends as ${name} says ${words === null ? 'nothing' : 'so in plain words'}`, async () => {
      const host = await pages.open();
      await host.snapshot(running(agent('Text')));
      await host.patch([become(state)]);
      await log(host).locator('.working').waitFor({ state: 'detached' });
      if (words === null) assert.equal(await log(host).locator('.endline').count(), 0);
      else await log(host).getByText(words).waitFor();
    });
  }

  test('a turn at work says so with a clock, and that it is stopping', async () => {
    const host = await pages.open({ now: TEN + 42_000 });
    await host.snapshot(running(agent('Text')));
    await log(host).getByText('Writing · 0:42').waitFor();
    await host.patch([become({ kind: 'running', cancelling: true })]);
    await log(host).getByText('Stopping… · 0:42').waitFor();
  });

  test('a failed turn and a failed agent each give one alert with what to do next', async () => {
    const host = await pages.open();
    await host.snapshot(
      view({
        thread: {
          latest: turn(
            { kind: 'failed', failure: { message: 'It broke.', details: 'code -32603' } },
            [user('Hi')],
          ),
        },
      }),
    );
    const alert = host.page.getByRole('alert', { name: 'Error' });
    await alert.getByText('It broke.').waitFor();
    await alert.getByText('code -32603').waitFor();
    const failure = { message: 'It stopped.', details: '', exit: 'code 1', stderr: 'boom\nline 2' };
    await host.patch([], {
      agent: { id: 'claude', name: 'Claude Code', state: { kind: 'failed', failure } },
    });
    await alert.getByText('Exit: code 1').waitFor();
    await alert.getByText('line 2').waitFor();
    assert.equal(await alert.count(), 1);
    for (const name of ['Restart agent', 'Show log', 'Open settings']) {
      await alert.getByRole('button', { name }).click();
    }
    assert.deepEqual(
      (await host.saidOf('command')).map(({ command }) => command),
      ['restartAgent', 'showLog', 'openSettings'],
    );
  });

  test('restarted by keyboard, the card of a dead agent leaves the focus to the composer', async () => {
    const host = await pages.open();
    const failure = { message: 'It stopped.', details: '', exit: 'code 1', stderr: '' };
    const dead = { id: 'claude', name: 'Claude Code', state: { kind: 'failed', failure } } as const;
    await host.snapshot({ ...ended(agent('Hi')), agent: dead });
    const alert = host.page.getByRole('alert', { name: 'Error' });
    await alert.getByRole('button', { name: 'Restart agent' }).press('Enter');
    await host.patch([], { agent: { ...dead, state: { kind: 'starting', since: 0 } } });
    await alert.waitFor({ state: 'detached' });
    assert.equal(await focused(host), 'Message');
  });

  test('an answer is copied with its button, or with Ctrl+C on it where nothing is selected', async () => {
    const host = await pages.open();
    await host.snapshot(ended(agent('# One'), tool({ title: 'X' }), agent('**Two**')));
    await host.page.getByRole('button', { name: 'Copy answer' }).click();
    await act(host, 'Agent').last().focus();
    await host.page.keyboard.press('Control+c');
    assert.deepEqual(
      (await host.saidOf('copy')).map(({ text }) => text),
      ['# One\n\n**Two**', '**Two**'],
    );
    await host.forget();
    await act(host, 'Agent').last().getByText('Two').selectText();
    await host.page.keyboard.press('Control+c');
    assert.deepEqual(await host.saidOf('copy'), []);
  });

  test('a code block is copied with its button, or with Ctrl+C on it', async () => {
    const host = await pages.open();
    await host.snapshot(ended(agent('```ts\nlet a = 1;\n\nlet b;\n```')));
    await host.page.getByRole('button', { name: 'Copy code' }).click();
    await host.page.getByRole('group', { name: 'Code block, TypeScript' }).focus();
    await host.page.keyboard.press('Control+c');
    const copied = (await host.saidOf('copy')).map(({ text }) => text);
    assert.deepEqual(copied, ['let a = 1;\n\nlet b;', 'let a = 1;\n\nlet b;']);
  });

  test('pictures come from their bytes, links to resources are links', async () => {
    const host = await pages.open();
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await host.snapshot(
      ended(
        {
          kind: 'block',
          at: TEN,
          voice: 'agent',
          block: { type: 'image', data, mimeType: 'image/png' },
        },
        {
          kind: 'block',
          at: TEN,
          voice: 'agent',
          block: { type: 'resource_link', name: 'a.ts', uri: 'file:///w/a.ts' },
        },
        {
          kind: 'block',
          at: TEN,
          voice: 'agent',
          block: { type: 'resource_link', name: 'bad', uri: 'javascript:alert(1)' },
        },
        {
          kind: 'block',
          at: TEN,
          voice: 'agent',
          block: { type: 'image', data: '<x>', mimeType: 'text/html' },
        },
      ),
    );
    const picture = host.page.getByRole('img', { name: 'Image' });
    await until(
      () => picture.evaluate((node) => (node instanceof HTMLImageElement ? node.naturalWidth : 0)),
      (width) => width === 1,
    );
    await host.page.getByRole('button', { name: 'a.ts' }).click();
    assert.deepEqual(await host.saidOf('openFile'), [
      { type: 'openFile', path: '/w/a.ts', line: null },
    ]);
    assert.equal(await host.page.getByRole('button', { name: 'bad' }).count(), 0);
    assert.deepEqual(await host.wrongs(), []);
  });

  test('with no folder open or no trust the chat says what the agent cannot do', async () => {
    const host = await pages.open();
    await host.snapshot({ ...ended(), workspace: { hasFolder: false, trusted: false } });
    await host.page.getByText('the agent works in a folder of its own').waitFor();
    await host.page.getByText('the agent cannot change files').waitFor();
  });

  test('a chunk in the latest turn leaves the DOM of past turns and settled blocks alone', async () => {
    const host = await pages.open();
    await host.snapshot(
      view({
        thread: {
          past: [turn(ENDED, [user('a'), agent('past')], 'a')],
          latest: turn(RUNNING, [user('b'), agent('First.\n\nSecond.\n\nThird')]),
        },
      }),
    );
    await host.page.evaluate(() => {
      const changed: string[] = [];
      new MutationObserver((records) => {
        for (const { target } of records) changed.push(target.textContent ?? '');
      }).observe(document.querySelector('[role="log"]') ?? document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      Object.assign(window, { changed });
    });
    await host.patch([{ type: 'text', turn: 1, index: 1, text: ' grows' }]);
    await log(host).getByText('Third grows').waitFor();
    const changed = await host.page.evaluate(() => Reflect.get(window, 'changed') as string[]);
    const touched = changed.filter((text) => !/^(?:Third grows|\d+:\d\d)$/.test(text));
    assert.deepEqual(touched, []);
  });

  test('short sentences say that a turn began, waits and has ended', async () => {
    const host = await pages.open();
    const status = host.page.getByRole('status');
    await host.snapshot(ended());
    assert.equal(await status.innerText(), '');
    await host.patch([{ type: 'turn', turn: turn(RUNNING, [user('go')], 't2') }]);
    await status.getByText('Claude Code is working').waitFor();
    await host.patch([
      put(tool({ title: 'rm', state: 'waiting', permissions: [permission()] }), 1, 1),
    ]);
    await status.getByText('Waiting for your permission: rm').waitFor();
    await host.patch([
      put(tool({ title: 'rm', state: 'cancelled', permissions: [] }), 1, 1),
      become({ kind: 'stopped', reason: 'cancelled' }, 1),
    ]);
    await status.getByText('The turn was stopped').waitFor();
  });
});
