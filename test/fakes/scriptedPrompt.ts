import type { PermissionPrompt, PermissionQuestion } from '../../src/client/ports.ts';

/** Something on screen that waits for the person. */
export interface Shown<T> {
  readonly question: PermissionQuestion;
  readonly signal: AbortSignal;
  /** What the person does; `undefined` or `false` puts it away. */
  readonly act: (answer: T) => void;
}

/** A person at the screen: what is shown stays until the test acts or the signal takes it away. */
export class ScriptedPrompt implements PermissionPrompt {
  readonly picks: Shown<string | undefined>[] = [];
  readonly notices: Shown<boolean>[] = [];

  /** Picks on screen now. */
  get onScreen(): readonly Shown<string | undefined>[] {
    return this.picks.filter((pick) => !pick.signal.aborted && !this.done.has(pick));
  }

  private readonly done = new Set<unknown>();

  ask(question: PermissionQuestion, signal: AbortSignal): Promise<string | undefined> {
    return this.shown<string | undefined>(this.picks, question, signal, undefined);
  }

  notify(question: PermissionQuestion, signal: AbortSignal): Promise<boolean> {
    return this.shown(this.notices, question, signal, false);
  }

  private shown<T>(
    list: Shown<T>[],
    question: PermissionQuestion,
    signal: AbortSignal,
    putAway: T,
  ): Promise<T> {
    return new Promise((resolve) => {
      const shown: Shown<T> = {
        question,
        signal,
        act: (answer) => {
          this.done.add(shown);
          resolve(answer);
        },
      };
      signal.addEventListener('abort', () => {
        resolve(putAway);
      });
      list.push(shown);
    });
  }
}
