import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  KillTerminalRequest,
  KillTerminalResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ReleaseTerminalRequest,
  ReleaseTerminalResponse,
  RequestPermissionResponse,
  SessionUpdate,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitRequest,
  WaitForTerminalExitResponse,
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
  createTerminal(params: TerminalRequest, signal: AbortSignal): Promise<CreateTerminalResponse>;
  terminalOutput(
    params: TerminalOutputRequest,
    signal: AbortSignal,
  ): Promise<TerminalOutputResponse>;
  waitForTerminalExit(
    params: WaitForTerminalExitRequest,
    signal: AbortSignal,
  ): Promise<WaitForTerminalExitResponse>;
  killTerminal(params: KillTerminalRequest, signal: AbortSignal): Promise<KillTerminalResponse>;
  releaseTerminal(
    params: ReleaseTerminalRequest,
    signal: AbortSignal,
  ): Promise<ReleaseTerminalResponse>;
}

/** `terminal/create`, with nothing left to ask whether it is there. */
export interface TerminalRequest extends CreateTerminalRequest {
  readonly args: string[];
  readonly env: { readonly name: string; readonly value: string }[];
  /** `null`: the session's own folder. */
  readonly cwd: string | null;
  /** Bytes; `null`: as much as the client keeps. */
  readonly outputByteLimit: number | null;
}
