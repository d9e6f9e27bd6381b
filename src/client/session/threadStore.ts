import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { apply } from '../../thread/change.ts';
import { reduce } from '../../thread/reducer.ts';
import {
  EMPTY_THREAD,
  type Change,
  type Thread,
  type ThreadEvent,
  type ThreadHappening,
} from '../../thread/thread.ts';

/** Takes the events that changed a thread, to keep them. */
interface EventSink {
  append(event: ThreadEvent): void;
}

/**
 * The one place where a chat's thread changes. An event becomes changes, the changes a new thread; what changed nothing
 * is not kept. An event that cannot be applied costs itself and nothing else.
 */
export class ThreadStore implements Disposable {
  private disposed = false;
  private current: Thread = EMPTY_THREAD;
  /** Who listens must not get into the way of the agent that speaks: we may be in the stack of its reader. */
  private readonly changed = new Emitter<readonly Change[]>((error) => {
    this.report(`a listener failed: ${messageOf(error)}`);
  });

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly sink: EventSink,
    private readonly report: (message: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  get thread(): Thread {
    return this.current;
  }

  /** Something happened now. It is kept in the log. */
  dispatch(happening: ThreadHappening): void {
    // What an agent still says while the window closes is not for anybody.
    if (this.disposed) return;
    const event: ThreadEvent = { at: this.now(), ...happening };
    const changes = this.take(event);
    if (changes.length === 0) return;
    this.sink.append(event);
    this.changed.fire(changes);
  }

  /** Something that this window shows but does not keep: it has no say in this chat. */
  show(happening: ThreadHappening): void {
    this.replay({ at: this.now(), ...happening });
  }

  /** An event from the log. */
  replay(event: ThreadEvent): void {
    const changes = this.take(event);
    if (changes.length > 0) this.changed.fire(changes);
  }

  dispose(): void {
    this.disposed = true;
    this.changed.dispose();
  }

  private take(event: ThreadEvent): readonly Change[] {
    try {
      const changes = reduce(this.current, event, this.report);
      this.current = apply(this.current, changes);
      return changes;
    } catch (error) {
      this.report(`an event of type ${event.type} could not be applied: ${messageOf(error)}`);
      return [];
    }
  }
}
