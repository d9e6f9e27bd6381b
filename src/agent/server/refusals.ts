import path from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import type { ContentBlock, NewSessionRequest, ResumeSessionRequest } from '../../protocol/acp.ts';
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
  const { type } = undeclared;
  throw new RequestError(-32602, `This agent does not take content of the type "${type}".`, {
    type,
  });
}

/** @throws RequestError -32602 for a folder that is no absolute path, and for servers or folders that would be ignored. */
export function refuseUndeclaredSetup(
  request: NewSessionRequest | ResumeSessionRequest,
  info: AgentInfo,
): void {
  const folders = request.additionalDirectories ?? [];
  if (folders.length > 0 && info.additionalDirectories !== true) {
    throw new RequestError(-32602, 'This agent does not take additional directories.');
  }
  if (![request.cwd, ...folders].every((folder) => path.isAbsolute(folder))) {
    throw new RequestError(-32602, 'The folders of a session need absolute paths, as its "cwd".');
  }
  const { mcp = {} } = info;
  for (const server of request.mcpServers ?? []) {
    const type = 'type' in server ? server.type : 'stdio';
    if (mcp[type] === true) continue;
    throw new RequestError(-32602, `This agent does not connect to MCP servers of type "${type}".`);
  }
}
