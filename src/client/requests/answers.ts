import { Cancelled, messageOf } from '../../base/errors.ts';
import { ErrorCode, RequestError } from '../../protocol/errors.ts';
import { FileFault, type Log } from '../ports.ts';

/**
 * Does what an agent asked for; what goes wrong becomes a `RequestError` with a sentence that its model can act on.
 * @param missing What the agent hears where the thing is not there.
 */
export async function answered<T>(
  log: Log,
  missing: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inWords(log, missing, error);
  }
}

function inWords(log: Log, missing: string, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof Cancelled || isAbort(error)) {
    return new RequestError(ErrorCode.cancelled, 'Request cancelled');
  }
  if (!(error instanceof FileFault)) {
    log.error(`A request of an agent failed: ${messageOf(error)}`);
    return new RequestError(ErrorCode.internal, `This could not be done: ${messageOf(error)}`);
  }
  switch (error.kind) {
    case 'notFound':
      return new RequestError(ErrorCode.notFound, missing);
    case 'refused':
      return new RequestError(ErrorCode.invalidParams, error.message);
    case 'failed':
      return new RequestError(ErrorCode.internal, error.message);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
