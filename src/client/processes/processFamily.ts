import { setTimeout as delay } from 'node:timers/promises';
import { endTree, type EndTimes } from './endTree.ts';
import { familyOf } from './family.ts';
import { killTreeNow, signalTree, treeAlive } from './killTree.ts';
import { startOf, stillRuns, type ProcessEntry, type ProcessTable } from './processTable.ts';

/** How often a group without its leader is looked at, so that its number is not used when it is somebody else's. */
const WATCH = 1_000;
/** How often those are looked for who came while others were ended. */
const ROUNDS = 5;

/**
 * A process that leads a group of its own, and whoever it started, also those who left the group as far as the platform can
 * tell: on Linux by a variable that they inherit, by session, by parent and by the output that they still hold, on macOS by
 * parent, on Windows while the leader runs. A daemon that has thrown away its environment, its session, its parents and
 * its output is known by nothing any more and is left alone.
 */
export class ProcessFamily {
  private leads = true;
  private grouped = true;
  private watch: NodeJS.Timeout | undefined;
  private ending: Promise<void> | undefined;
  /** Who belonged to it when it was last looked for. */
  private members: readonly ProcessEntry[] = [];
  private readonly since: number;

  /**
   * @param pid Of one that was just started.
   * @param mark The value of the table's variable in the environment of all of them.
   * @param pipe The pipe that their output goes to, as `heldPipe` names it; '' if there is none.
   */
  constructor(
    private readonly pid: number,
    private readonly mark: string,
    private readonly table: ProcessTable,
    private readonly times: EndTimes,
    private readonly pipe = '',
  ) {
    this.since = startOf(pid);
  }

  /** The leader has ended and its number may be given out again. */
  leaderEnded(): void {
    this.leads = false;
    this.look();
    if (!this.grouped) return;
    this.watch = setInterval(() => {
      this.look();
    }, WATCH).unref();
  }

  /** SIGTERM to all, then SIGKILL. Resolves when nobody is left, in bounded time; a second call waits for the first. */
  end(): Promise<void> {
    this.ending ??= this.endAll().finally(() => {
      this.ending = undefined;
    });
    return this.ending;
  }

  /** SIGKILL to all, done when it returns. @param entries Who runs now. */
  endNow(entries: readonly ProcessEntry[]): void {
    this.members = this.among(entries);
    if (this.groupAlive()) killTreeNow(this.pid);
    this.signalStrays('SIGKILL');
  }

  /** Nobody is to be ended any more. */
  forget(): void {
    clearInterval(this.watch);
  }

  /** Looks who belongs to it now: once their parents are gone, it cannot be told of all. */
  async find(): Promise<void> {
    this.members = this.among(await this.table.look());
  }

  private async endAll(): Promise<void> {
    await this.find();
    const tree = {
      alive: () => this.alive(),
      signal: (signal: 'SIGTERM' | 'SIGKILL') => {
        this.signal(signal);
      },
    };
    await endTree(tree, this.times);
    await this.endRest();
  }

  /** Those who were started, or left the group, while the others were ended. */
  private async endRest(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      await this.find();
      if (!this.alive()) break;
      this.signal('SIGKILL');
      await delay(20 * (round + 1));
    }
    this.look();
  }

  private signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.groupAlive()) signalTree(this.pid, signal);
    this.signalStrays(signal);
  }

  /** A signal reaches nobody twice, which some take for more than one. */
  private signalStrays(signal: 'SIGTERM' | 'SIGKILL'): void {
    for (const member of this.members) {
      if (member.group !== this.pid || !this.groupAlive()) signalOne(member, signal);
    }
  }

  private among(entries: readonly ProcessEntry[]): readonly ProcessEntry[] {
    const leader = this.groupAlive() ? this.pid : null;
    const { mark, pipe, since, members: known } = this;
    return familyOf(entries, { leader, mark, pipe, since, known }, process.pid);
  }

  private alive(): boolean {
    if (this.leads || this.members.some(stillRuns)) return true;
    // Where processes can be told apart, a group of zombies that nobody fetches is not taken for a living one.
    return !this.table.tellsAll && this.groupAlive();
  }

  private groupAlive(): boolean {
    return this.leads || (this.grouped && treeAlive(this.pid));
  }

  private look(): void {
    this.grouped &&= treeAlive(this.pid);
    if (!this.grouped) clearInterval(this.watch);
  }
}

function signalOne(member: ProcessEntry, signal: 'SIGTERM' | 'SIGKILL'): void {
  // Its number may be somebody else's by now.
  if (!stillRuns(member)) return;
  try {
    process.kill(member.pid, signal);
  } catch {
    // It has ended by itself.
  }
}
