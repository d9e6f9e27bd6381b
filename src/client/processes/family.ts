import type { ProcessEntry } from './processTable.ts';

/** By what the processes of a family are known. */
export interface FamilyName {
  /** The leader of its group and session; `null` once nobody of that group is left, since numbers are given out again. */
  readonly leader: number | null;
  /** The variable's value that all have who did not throw it away; `''` if there is none. */
  readonly mark: string;
  /** The pipe that its output goes to; '' if there is none. */
  readonly pipe?: string;
  /**
   * When its leader began. Who holds the pipe but began earlier was handed it (a terminal multiplexer that runs for the
   * person, say) and belongs to somebody else.
   */
  readonly since?: number;
  /** Who was known before, by number and beginning. */
  readonly known?: readonly ProcessEntry[];
}

/**
 * Everybody who belongs to a family: by group, by session, by mark, by pipe, and whoever they started. Never ourselves, nor those
 * who started us.
 */
export function familyOf(
  entries: readonly ProcessEntry[],
  { leader, mark, pipe = '', since = 0, known = [] }: FamilyName,
  ourselves: number,
): ProcessEntry[] {
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]));
  const forbidden = ancestors(byPid, ourselves);
  const before = new Map(known.map(({ pid, started }) => [pid, started]));
  const belongs = (entry: ProcessEntry): boolean =>
    (mark !== '' && entry.mark === mark) ||
    (pipe !== '' && entry.started >= since && entry.holds.includes(pipe)) ||
    (entry.started > 0 && before.get(entry.pid) === entry.started) ||
    (leader !== null && [entry.pid, entry.group, entry.session].includes(leader));
  const children = childrenOf(entries);
  const found = new Set<number>();
  const queue = entries.filter(belongs).map(({ pid }) => pid);
  for (const pid of queue) {
    if (found.has(pid) || forbidden.has(pid) || pid <= 1) continue;
    found.add(pid);
    queue.push(...(children.get(pid) ?? []));
  }
  return entries.filter(({ pid }) => found.has(pid));
}

function ancestors(byPid: ReadonlyMap<number, ProcessEntry>, pid: number): ReadonlySet<number> {
  const all = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && !all.has(at);) {
    all.add(at);
    at = byPid.get(at)?.parent;
  }
  return all;
}

function childrenOf(entries: readonly ProcessEntry[]): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of entries) {
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [pid]);
    else known.push(pid);
  }
  return children;
}
