import type { Change, ChatViewState, Entry, Terminal } from '../../src/bridge/messages.ts';
import type { FakeHost } from '../fakes/FakeHost.ts';
import { commandCall, RUNNING, terminal, turn, user, view } from './gallery/states.ts';
import { log } from './support.ts';

export const running = (fields: Partial<Terminal> = {}): Terminal =>
  terminal({ terminalId: 't', exit: null, ...fields });

export const call = (fields: Parameters<typeof commandCall>[1] = {}): Entry =>
  commandCall('t', { title: 'npm test', state: 'running', ...fields });

export const showing = (one: Terminal, entry: Entry = call()): ChatViewState =>
  view({
    thread: { latest: turn(RUNNING, [user('Test'), entry]), terminals: { [one.terminalId]: one } },
  });

export const prints = (text: string): Change => ({ type: 'terminalText', terminalId: 't', text });
export const becomes = (one: Terminal): Change => ({ type: 'terminal', terminal: one });

export const card = (host: FakeHost, name: string | RegExp = /^Tool call/) =>
  log(host).getByRole('article', { name });
export const screen = (host: FakeHost) => card(host).getByRole('group', { name: 'Output' });
export const button = (host: FakeHost, name: string) =>
  card(host).getByRole('button', { name, exact: true });

/** Lines as they are on screen. */
export async function lines(host: FakeHost): Promise<readonly string[]> {
  return screen(host)
    .locator('div')
    .evaluateAll((nodes) => nodes.map((node) => node.textContent.replace(/\n$/, '')));
}
