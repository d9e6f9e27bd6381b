import { after, afterEach, before } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Change, Entry, TurnState } from '../../src/bridge/messages.ts';
import { PageServer, type FakeHost } from '../fakes/FakeHost.ts';

/** One browser for all tests of a file. */
export function usePages(): { open: PageServer['open']; openScript: PageServer['openScript'] } {
  let server: PageServer | undefined;
  const opened: FakeHost[] = [];
  before(async () => {
    server = await PageServer.start();
  });
  // Pages that nobody looks at any more would take their share of the machine.
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((host) => host.close()));
  });
  after(async () => {
    await server?.stop();
  });
  const running = (): PageServer => {
    if (server === undefined) throw new Error('no server');
    return server;
  };
  const keep = (host: FakeHost): FakeHost => {
    opened.push(host);
    return host;
  };
  return {
    // Nothing moves, unless a test wants to see it move: spinners take time from the tests.
    open: async (options) => keep(await running().open({ reducedMotion: true, ...options })),
    openScript: (name, code) => running().openScript(name, code),
  };
}

/** Waits until `read` gives what `good` accepts; fails with the last value after five seconds. */
export async function until<T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const value = await read();
    if (good(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const grow = (text: string, index = 1, turn = 0): Change => ({
  type: 'text',
  turn,
  index,
  text,
});
export const put = (entry: Entry, index: number, turn = 0): Change => ({
  type: 'entry',
  turn,
  index,
  entry,
});
export const become = (state: TurnState, turn = 0): Change => ({
  type: 'turnState',
  turn,
  state,
  endedAt: state.kind === 'running' ? null : Date.UTC(2026, 10, 30, 10, 40),
});

/** Names of the articles of the chat, in order. */
export async function articles(host: FakeHost): Promise<readonly string[]> {
  return host.page
    .getByRole('log')
    .getByRole('article')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''));
}

/** The element that has the focus, by its accessible label. */
export async function focused(host: FakeHost): Promise<string> {
  return host.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
}

export function log(host: FakeHost): Locator {
  return host.page.getByRole('log', { name: 'Conversation' });
}
