/** The scripted agent of `test/fakes/agents` in a real VS Code. */
import path from 'node:path';
import { root } from '../harness/paths.mjs';

const PROGRAM = path.join(root, 'test', 'fakes', 'agents', 'scripted.mjs');

/**
 * User settings that make it the agent of new chats.
 * @param marker In its command line, to find its process by.
 */
export function scriptedAgent(marker = 'parley-ui'): Readonly<Record<string, unknown>> {
  return {
    'parley.agents': { scripted: { command: process.execPath, args: [PROGRAM, marker] } },
    'parley.defaultAgent': 'scripted',
  };
}

/** A prompt: what it is to do. */
export function steps(...list: readonly (readonly unknown[])[]): string {
  return JSON.stringify(list);
}
