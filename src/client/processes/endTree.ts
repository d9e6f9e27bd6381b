import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that each step may take before the next one follows. */
export interface EndTimes {
  /** After SIGTERM. */
  readonly terminate: number;
  /** After SIGKILL, for what even that does not end at once. */
  readonly kill: number;
}

/** What is to end: a process and whoever belongs to it. */
export interface Tree {
  alive(): boolean;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** How often to look whether a tree has gone: milliseconds. */
const POLL = 25;

/** SIGTERM, then SIGKILL. Resolves when nobody is left, at the latest after both times; never rejects. */
export async function endTree(tree: Tree, times: EndTimes): Promise<void> {
  if (!tree.alive()) return;
  tree.signal('SIGTERM');
  if (await goneWithin(tree, times.terminate)) return;
  tree.signal('SIGKILL');
  await goneWithin(tree, times.kill);
}

async function goneWithin(tree: Tree, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (tree.alive()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL);
  }
  return true;
}
