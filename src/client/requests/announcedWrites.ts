import path from 'node:path';
import type { Change, DiffContent, ToolCallEntry, ToolContent } from '../../thread/thread.ts';
import type { Place } from '../files/place.ts';
import { showsChange } from '../files/shownChange.ts';
import { isOpen, type OwnCalls } from '../session/ownCalls.ts';
import type { ThreadStore } from '../session/threadStore.ts';
import { callNaming, mayChange, pathsOf } from './callPaths.ts';

/** Writes of a turn, and characters of them, that are remembered; one beyond is shown at once. */
const REMEMBERED = { writes: 1_000, characters: 32 << 20 };

/** Calls that could have told of a write, and are looked at closely: each may cost looks at the disk. */
const CANDIDATES = 20;

/** What was written at the wish of an agent. */
export interface MadeWrite {
  readonly place: Place;
  /** The folder that the agent's names of files count from. */
  readonly cwd: string;
  /** What the agent asked for; where the person has typed or formats on save, `after` is another text. */
  readonly asked: string;
  /** `null`: there was no file. */
  readonly before: string | null;
  readonly after: string;
  /** Shows it in the chat as a change of Parley's own. */
  readonly show: () => void;
}

type NamedWrite = MadeWrite & { readonly names: ReadonlySet<string> };

/** The writes that one call of the agent is to tell of. */
interface Account {
  readonly turnId: string;
  readonly writes: readonly NamedWrite[];
  /** What the call showed when it was last looked at, and all of them stood there; `null` before. */
  readonly seen: readonly ToolContent[] | null;
}

/**
 * Sees to it that no write is silent. One that a call of the agent tells of needs no word of ours: but the agent may
 * still end that call otherwise, or take its change back. So when the call has ended, and as long as its turn is the
 * latest, each write must stand there as a change that was made; each change that is shown is good for one write. What
 * does not stand there is shown as a change of Parley's own.
 */
export class AnnouncedWrites {
  private readonly accounts = new Map<string, Account>();
  private count = 0;
  private characters = 0;
  private due = false;

  constructor(
    store: ThreadStore,
    private readonly calls: OwnCalls,
  ) {
    store.onDidChange((changes) => {
      if (this.accounts.size > 0 && changes.some((change) => this.concerns(change))) this.soon();
    });
  }

  /** Finds the call that tells of a write, or shows the write. */
  async add(write: MadeWrite): Promise<void> {
    const found = this.hasRoom(write) ? await this.telling(write) : null;
    const turn = this.calls.latest;
    if (found === null || turn === null) {
      write.show();
      return;
    }
    const { call, named } = found;
    const writes = [...this.writesOf(call), named];
    this.put(call.toolCallId, { turnId: turn.id, writes, seen: null });
    // It may have ended meanwhile.
    this.check(false);
  }

  /** The turn has ended: what does not stand in it by now is shown. */
  turnEnded(): void {
    this.check(false);
  }

  /** Nothing more comes from the agent. */
  close(): void {
    this.check(true);
  }

  private hasRoom(write: MadeWrite): boolean {
    return (
      this.count < REMEMBERED.writes && this.characters + sizeOf([write]) <= REMEMBERED.characters
    );
  }

  private async telling(
    write: MadeWrite,
  ): Promise<{ readonly call: ToolCallEntry; readonly named: NamedWrite } | null> {
    let open = this.calls.agentCalls().filter((call) => this.mayTell(call, write));
    for (let tried = 0; tried < CANDIDATES; tried += 1) {
      const call = await callNaming(open, write.place, write.cwd);
      if (call === null) return null;
      const named = { ...write, names: await namesOf(write, call) };
      const diffs = diffsIn(call.content);
      if (diffs.length === 0 || missing([...this.writesOf(call), named], diffs).length === 0) {
        return { call, named };
      }
      open = open.slice(open.indexOf(call) + 1);
    }
    return null;
  }

  /** A call that shows another change than this one has not told of it. */
  private mayTell(call: ToolCallEntry, { asked, before, after }: MadeWrite): boolean {
    if (!mayChange(call)) return false;
    const diffs = diffsIn(call.content);
    if (diffs.length === 0) return isOpen(call) && this.calls.latest?.state.kind === 'running';
    return (isOpen(call) || call.state === 'done') && showsChange(diffs, before, [asked, after]);
  }

  private writesOf({ toolCallId }: ToolCallEntry): readonly NamedWrite[] {
    const account = this.accounts.get(toolCallId);
    // Some agents begin to count anew in each turn.
    return account?.turnId === this.calls.latest?.id ? (account?.writes ?? []) : [];
  }

  private concerns(change: Change): boolean {
    if (change.type === 'entry') {
      return change.entry.kind === 'tool' && this.accounts.has(change.entry.toolCallId);
    }
    return change.type === 'turn' || change.type === 'turnState';
  }

  /** Not at once: others still have to hear of the changes that we heard of, before they hear of ours. */
  private soon(): void {
    if (this.due) return;
    this.due = true;
    queueMicrotask(() => {
      this.due = false;
      this.check(false);
    });
  }

  private check(isOver: boolean): void {
    const latest = this.calls.latest;
    for (const [toolCallId, account] of [...this.accounts]) {
      const isLatest = account.turnId === latest?.id;
      const call = this.calls.find(account.turnId, toolCallId);
      const over = isOver || !isLatest || latest.state.kind !== 'running';
      // A call that Stop has cancelled here may still be completed.
      if (!over && call !== null && (isOpen(call) || call.state === 'cancelled')) continue;
      const seen = call?.state === 'done' ? call.content : [];
      // Texts are long: one account is looked at when it is another one, not when any is.
      const gone = seen === account.seen ? [] : missing(account.writes, diffsIn(seen));
      const writes = isLatest && !isOver ? account.writes.filter(isNoneOf(gone)) : [];
      this.put(toolCallId, { ...account, writes, seen });
      for (const write of gone) write.show();
    }
  }

  private put(toolCallId: string, account: Account): void {
    const before = this.accounts.get(toolCallId)?.writes ?? [];
    this.count += account.writes.length - before.length;
    this.characters += sizeOf(account.writes) - sizeOf(before);
    if (account.writes.length === 0) this.accounts.delete(toolCallId);
    else this.accounts.set(toolCallId, account);
  }
}

/** Those of the writes that the changes do not show: each is good for one write, or all of a file together are. */
function missing(
  writes: readonly NamedWrite[],
  diffs: readonly DiffContent[],
): readonly NamedWrite[] {
  let left = diffs;
  return writes.filter((write) => {
    const texts = [write.asked, write.after];
    const mine = left.filter((diff) => isOf(write, diff.path));
    const one = mine.find((diff) => showsChange([diff], write.before, texts));
    const used = one !== undefined ? [one] : showsChange(mine, write.before, texts) ? mine : [];
    left = left.filter((diff) => !used.includes(diff));
    return used.length === 0;
  });
}

function diffsIn(content: readonly ToolContent[]): readonly DiffContent[] {
  return content.filter((part) => part.type === 'diff');
}

function isOf({ place, cwd, names }: NamedWrite, named: string): boolean {
  if (names.has(named)) return true;
  const full = place.kind === 'virtual' ? path.posix.normalize(named) : path.resolve(cwd, named);
  return full === place.path || (place.kind === 'disk' && full === place.real);
}

/** The names in a call that lead to the file that was written: only the disk tells, and only now. */
async function namesOf(
  { place, cwd }: MadeWrite,
  call: ToolCallEntry,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const name of pathsOf(call)) {
    const only = { ...call, content: [], rawInput: null, locations: [{ path: name, line: null }] };
    if ((await callNaming([only], place, cwd)) !== null) names.add(name);
  }
  return names;
}

function isNoneOf(gone: readonly MadeWrite[]): (write: MadeWrite) => boolean {
  return (write) => !gone.includes(write);
}

function sizeOf(writes: readonly MadeWrite[]): number {
  return writes.reduce(
    (sum, { asked, before, after }) => sum + asked.length + (before?.length ?? 0) + after.length,
    0,
  );
}
