import type { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS } from './acp.ts';

/** The version of the protocol that we speak; sent as exactly this number. */
export const PROTOCOL_VERSION = 1;

type AgentMethod = (typeof AGENT_METHODS)[keyof typeof AGENT_METHODS];
type ClientMethod = (typeof CLIENT_METHODS)[keyof typeof CLIENT_METHODS];
type ProtocolMethod = (typeof PROTOCOL_METHODS)[keyof typeof PROTOCOL_METHODS];

/** What we call at the agent. */
export const agentMethods = {
  initialize: 'initialize',
  newSession: 'session/new',
  prompt: 'session/prompt',
  cancel: 'session/cancel',
} as const satisfies Record<string, AgentMethod>;

/** What the agent calls at us. */
export const clientMethods = {
  sessionUpdate: 'session/update',
  requestPermission: 'session/request_permission',
  readTextFile: 'fs/read_text_file',
  writeTextFile: 'fs/write_text_file',
  createTerminal: 'terminal/create',
  terminalOutput: 'terminal/output',
  waitForTerminalExit: 'terminal/wait_for_exit',
  killTerminal: 'terminal/kill',
  releaseTerminal: 'terminal/release',
} as const satisfies Record<string, ClientMethod>;

/** Takes a request back; either side may send it (`{ requestId }`). */
export const CANCEL_REQUEST = '$/cancel_request' satisfies ProtocolMethod;
