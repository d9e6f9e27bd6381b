import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AuthMethod, ClientCapabilities, InitializeResponse } from '../../protocol/acp.ts';
import type { AgentInfo } from './api.ts';
import type { Authentication } from './options.ts';

/** The methods that a client with these capabilities is told of. */
export function advertisedMethods(
  auth: Authentication | undefined,
  client: ClientCapabilities,
): readonly AuthMethod[] {
  const methods = auth?.methods ?? [];
  return methods.filter((method) => client.auth?.terminal === true || !isForTerminals(method));
}

function isForTerminals(method: object): boolean {
  return 'type' in method && method.type === 'terminal';
}

/** The answer to `initialize`: there is one version that the agent speaks. What it cannot do is written out, too. */
export function describeAgent(
  info: AgentInfo,
  canLoad: boolean,
  authMethods: readonly AuthMethod[],
): InitializeResponse {
  const { image = false, audio = false, embeddedContext = false } = info.prompt ?? {};
  const { http = false, sse = false } = info.mcp ?? {};
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: info.name, title: info.title, version: info.version },
    agentCapabilities: {
      loadSession: canLoad,
      promptCapabilities: { image, audio, embeddedContext },
      mcpCapabilities: { http, sse },
      ...(info.additionalDirectories === true && {
        sessionCapabilities: { additionalDirectories: {} },
      }),
    },
    authMethods: [...authMethods],
  };
}
