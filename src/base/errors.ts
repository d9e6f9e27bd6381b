/** What a person can do about an error, offered as a button beside it. */
export type ErrorAction = 'restartAgent' | 'showLog' | 'openSettings' | 'selectAgent';

/** The only kind of error whose text people see. Everything else is a fault of ours and goes to the log. */
export class UserError extends Error {
  override readonly name = 'UserError';

  /**
   * @param message One or two plain sentences: what happened, and what to do.
   * @param actions Buttons to offer, most useful first.
   */
  constructor(
    message: string,
    readonly actions: readonly ErrorAction[] = [],
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Work that was given up on request; never shown, never logged as an error. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';

  constructor(message = 'Cancelled') {
    super(message);
  }
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
