import { RequestError } from '@agentclientprotocol/sdk';
import type { LoadSessionRequest, McpServer } from '../../protocol/acp.ts';

/**
 * Reads the parameters of `session/fork`, of which the SDK's stable side knows nothing. They are those of `session/load`.
 *
 * @throws RequestError -32602 for anything else.
 */
export function forkParams(params: unknown): LoadSessionRequest {
  if (typeof params === 'object' && params !== null && 'sessionId' in params && 'cwd' in params) {
    const { sessionId, cwd } = params;
    const mcpServers = 'mcpServers' in params ? (params.mcpServers ?? []) : [];
    const folders = 'additionalDirectories' in params ? (params.additionalDirectories ?? []) : [];
    if (
      typeof sessionId === 'string' &&
      typeof cwd === 'string' &&
      isListOf(mcpServers, isServer) &&
      isListOf(folders, (each): each is string => typeof each === 'string')
    ) {
      return { sessionId, cwd, mcpServers, additionalDirectories: folders };
    }
  }
  throw new RequestError(-32602, 'session/fork needs a "sessionId", a "cwd", and lists.');
}

function isListOf<T>(value: unknown, is: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

/** As far as a server is looked at here: by its type it is refused or handed on to whoever connects to it. */
function isServer(value: unknown): value is McpServer {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false;
  if ('type' in value) return 'url' in value && typeof value.url === 'string';
  return 'command' in value && typeof value.command === 'string';
}
