import type { ClientCapabilities } from '../../protocol/acp.ts';
import type { Workspace } from '../ports.ts';

/** What agents are told at their start: only what works now, so that none is led to try what is refused. */
export function capabilitiesOf(workspace: Workspace): ClientCapabilities {
  const trusted = workspace.trusted();
  // With no folder at all a chat has one of its own; a command cannot run in one that is not on this disk.
  const onDisk = workspace.folders().length > 0 || workspace.virtualFolders().length === 0;
  return {
    fs: { readTextFile: true, writeTextFile: trusted },
    terminal: trusted && onDisk,
  };
}

/** Whether `now` has something that `before` lacks. */
export function hasMore(now: ClientCapabilities, before: ClientCapabilities): boolean {
  const more = (a: boolean | undefined, b: boolean | undefined): boolean =>
    a === true && b !== true;
  return (
    more(now.fs?.writeTextFile, before.fs?.writeTextFile) || more(now.terminal, before.terminal)
  );
}
