import type { ToolCallEntry, ToolCallState } from '../../src/bridge/messages.ts';
import { commandOf } from '../../src/bridge/words.ts';
import { S } from '../strings.ts';
import { beginning, oneLine, reveal, shortPath } from '../ui/text.ts';
import { titleOf } from './waiting.ts';

type ToolKind = ToolCallEntry['toolKind'];

/** What the agent does, as a word before what it does it to: to be done, under way, done. */
interface Words {
  readonly icon: string;
  readonly verbs: readonly [plan: string, now: string, past: string] | null;
  /** Other words for it that agents begin their titles with. */
  readonly also: string;
}

const WORDS: Readonly<Record<ToolKind, Words>> = {
  read: { icon: 'file-code', verbs: ['Read', 'Reading', 'Read'], also: 'view|open|list|cat' },
  edit: {
    icon: 'edit',
    verbs: ['Edit', 'Editing', 'Edited'],
    also: 'write|writing|wrote|update|create|replace',
  },
  delete: { icon: 'trash', verbs: ['Delete', 'Deleting', 'Deleted'], also: 'remove|removing' },
  move: { icon: 'file-symlink-file', verbs: ['Move', 'Moving', 'Moved'], also: 'rename|renaming' },
  search: { icon: 'search', verbs: ['Search', 'Searching', 'Searched'], also: 'find|finding|grep' },
  execute: {
    icon: 'terminal',
    verbs: ['Run', 'Running', 'Ran'],
    also: 'execute|executing|bash|shell|\\$',
  },
  think: { icon: 'thinking', verbs: null, also: '' },
  fetch: { icon: 'globe', verbs: ['Fetch', 'Fetching', 'Fetched'], also: 'get|getting|download' },
  switch_mode: { icon: 'arrow-swap', verbs: null, also: '' },
  other: { icon: 'tools', verbs: null, also: '' },
};

export interface StateWords {
  readonly icon: string | null;
  /** The contract of tests and screen readers. */
  readonly spoken: string;
  readonly shown: string;
}

const STATES: Readonly<Record<ToolCallState, StateWords>> = {
  pending: { icon: null, spoken: S.pending, shown: S.pending },
  waiting: { icon: 'question', spoken: S.waitingForPermission, shown: S.waitingForYou },
  running: { icon: 'loading', spoken: S.running, shown: '' },
  done: { icon: null, spoken: S.done, shown: '' },
  failed: { icon: 'error', spoken: S.failed, shown: S.failed },
  cancelled: { icon: 'circle-slash', spoken: S.cancelled, shown: S.cancelled },
  rejected: { icon: 'circle-slash', spoken: S.rejected, shown: S.rejected },
};

export function stateWords(state: ToolCallState): StateWords {
  return STATES[state];
}

export function kindIcon(kind: ToolKind): string {
  return WORDS[kind].icon;
}

/** The row of a call: a verb in the right tense, and what it is about. */
export interface RowWords {
  readonly verb: string;
  readonly target: string;
  /** A command or a pattern: shown in the font of code. */
  readonly code: boolean;
  /** Where the target is a file that can be opened. */
  readonly file: { readonly path: string; readonly line: number | null } | null;
}

export function rowWords(entry: ToolCallEntry): RowWords {
  const title = titleOf(entry);
  const { verbs, also } = WORDS[entry.toolKind];
  if (verbs === null) return { verb: title, target: '', code: false, file: null };
  const verb = verbs[tense(entry.state)];
  const file = onlyFile(entry);
  if (file !== null) return { verb, target: shortPath(file.path), code: false, file };
  const command = entry.toolKind === 'execute' ? commandOf(entry) : '';
  if (command !== '') {
    return { verb, target: oneLine(reveal(beginning(command))), code: true, file: null };
  }
  const begins = new RegExp(`^(?:${verbs.join('|')}|${also})(?=[\\s:\`]|$):?\\s*`, 'i');
  const rest = title.replace(begins, '');
  // A sentence of the agent's own says it better than our verb before it.
  if (rest === title && /\s/.test(title))
    return { verb: title, target: '', code: false, file: null };
  const target = rest.replace(/^`([^`]*)`$/, '$1');
  const code = entry.toolKind === 'execute' || entry.toolKind === 'search';
  return { verb, target: target === S.untitledCall ? '' : target, code, file: null };
}

function tense(state: ToolCallState): 0 | 1 | 2 {
  if (state === 'running') return 1;
  return state === 'done' ? 2 : 0;
}

/** The one file that a call reads, edits, deletes or moves; `null` where there are several or none. */
function onlyFile(entry: ToolCallEntry): RowWords['file'] {
  if (!['read', 'edit', 'delete'].includes(entry.toolKind)) return null;
  const diffs = entry.content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  const paths = new Set([...diffs, ...entry.locations.map(({ path }) => path)]);
  const [path] = paths;
  if (path === undefined || paths.size > 1) return null;
  return { path, line: entry.locations.find((place) => place.path === path)?.line ?? null };
}
