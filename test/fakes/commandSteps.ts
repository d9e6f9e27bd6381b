/** Commands of the scripted agent, the questions about them, and what the chat holds of them. */
import assert from 'node:assert/strict';
import type { Chat } from '../../src/client/session/chat.ts';
import type { Terminal } from '../../src/thread/thread.ts';
import type { ClientFloor } from './clientFloor.ts';
import { eventually } from './eventually.ts';

export const terminals = (chat: Chat): readonly Terminal[] => Object.values(chat.thread.terminals);
export const asked = (floor: ClientFloor, count = 1): Promise<void> =>
  eventually(`${count} questions are open`, () => floor.desk.open.length === count);
export const question = (floor: ClientFloor) => floor.desk.open[0]?.question ?? assert.fail();
export const answer = (floor: ClientFloor, name: RegExp): void => {
  const { permissionId, options } = question(floor);
  const option = options.find((each) => name.test(each.name)) ?? assert.fail(String(name));
  assert.equal(floor.desk.answer(permissionId, option.optionId), true);
};
export const node = (
  script: string,
): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: ['-e', script],
});
export const create = (params: object): readonly unknown[] => [
  'request',
  'terminal/create',
  params,
];
export const ID = { terminalId: '$terminal' };
export const untilExit = ['request', 'terminal/wait_for_exit', ID] as const;
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
