import path from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import type { ContentBlock, NewSessionRequest } from '../../protocol/acp.ts';
import type { AgentInfo } from './api.ts';

/**
 * Says what is not supported instead of passing over it in silence.
 *
 * @throws RequestError -32602 for content that the agent has not declared in `promptCapabilities`.
 */
export function refuseUndeclaredContent(content: readonly ContentBlock[], info: AgentInfo): void {
  const declared: Readonly<Record<string, boolean | undefined>> = {
    text: true,
    resource_link: true,
    image: info.prompt?.image,
    audio: info.prompt?.audio,
    resource: info.prompt?.embeddedContext,
  };
  const undeclared = content.find(({ type }) => declared[type] !== true);
  if (!undeclared) return;
  throw new RequestError(
    -32602,
    `This agent does not take content of the type "${undeclared.type}".`,
    {
      type: undeclared.type,
    },
  );
}

/** @throws RequestError -32602 for a folder that is no absolute path, and for servers or folders that would be ignored. */
export function refuseUndeclaredSetup(request: NewSessionRequest): void {
  if (!path.isAbsolute(request.cwd)) {
    throw new RequestError(-32602, 'The session needs an absolute path as its "cwd".');
  }
  if (request.mcpServers.length > 0) {
    throw new RequestError(-32602, 'This agent does not connect to MCP servers.');
  }
  if ((request.additionalDirectories ?? []).length > 0) {
    throw new RequestError(-32602, 'This agent does not take additional directories.');
  }
}
