import type {
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionResponse,
  SessionUpdate,
  WriteTextFileRequest,
  WriteTextFileResponse,
} from './acp.ts';
import type { PermissionRequest } from './permission.ts';

/**
 * What the client does for the agent. A handler that throws `RequestError` answers exactly that; anything else is
 * reported and answered with a general internal error. `signal` aborts when the agent takes its request back, and when
 * the connection closes: then nobody waits for the answer.
 */
export interface AgentRequestHandlers {
  /** Every decoded session/update, in order. Called in the reader's stack: must be cheap and must not throw. */
  sessionUpdate(sessionId: string, update: SessionUpdate): void;
  requestPermission(
    params: PermissionRequest,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  readTextFile(params: ReadTextFileRequest, signal: AbortSignal): Promise<ReadTextFileResponse>;
  writeTextFile(params: WriteTextFileRequest, signal: AbortSignal): Promise<WriteTextFileResponse>;
}
