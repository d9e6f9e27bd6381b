import { isObject } from './frames.ts';

/** An id of the agent's making: numbers from 0, strings; `0` and `"0"` are two ids. */
export type ForeignId = string | number;

/**
 * Numbers the open requests of an agent by ids of our own, so that the library, which takes 0 and "0" for the same,
 * answers each of them once. The agent gets its own id back.
 */
export class RequestIds {
  private next = 0;
  private readonly foreign = new Map<ForeignId, ForeignId>();

  /** A message has come: a request gets an id of ours. */
  adopt(message: object): void {
    if (!isObject(message) || typeof message['method'] !== 'string') return;
    const { id } = message;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const own = this.next++;
    this.foreign.set(own, id);
    message['id'] = own;
  }

  /** Our ids of the open requests to which the agent gave this id; more than one only by its mistake. */
  ownIds(id: ForeignId): ForeignId[] {
    return [...this.foreign].flatMap(([own, foreign]) => (foreign === id ? [own] : []));
  }

  /** A message as the agent is to get it: the answer to a request with the agent's id. */
  restore<T extends object>(message: T): T {
    const own = this.answered(message);
    const id = own === undefined ? undefined : this.foreign.get(own);
    return id === undefined ? message : { ...message, ...{ id } };
  }

  /** The message has been written. */
  release(message: object): void {
    const own = this.answered(message);
    if (own !== undefined) this.foreign.delete(own);
  }

  private answered(message: object): ForeignId | undefined {
    if (!isObject(message) || message['method'] !== undefined) return undefined;
    const { id } = message;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  }
}
