import { ErrorCode, RequestError } from '../../src/protocol/errors.ts';
import type { SessionRequests } from '../../src/client/agents/sessionRouter.ts';

const unserved = (): Promise<never> =>
  Promise.reject(new RequestError(ErrorCode.methodNotFound, 'not served'));

/** A session that serves nothing. */
export const unservedRequests: SessionRequests = {
  readTextFile: unserved,
  writeTextFile: unserved,
  createTerminal: unserved,
  terminalOutput: unserved,
  waitForTerminalExit: unserved,
  killTerminal: unserved,
  releaseTerminal: unserved,
};
