import { PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AuthMethod, ClientCapabilities, InitializeResponse } from '../../protocol/acp.ts';
import type { AnyAgent } from './desk.ts';
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
  agent: AnyAgent,
  authMethods: readonly AuthMethod[],
): InitializeResponse {
  const { info } = agent;
  const { image = false, audio = false, embeddedContext = false } = info.prompt ?? {};
  const { http = false, sse = false } = info.mcp ?? {};
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: info.name, title: info.title, version: info.version },
    agentCapabilities: {
      loadSession: has(agent, 'loadSession'),
      promptCapabilities: { image, audio, embeddedContext },
      mcpCapabilities: { http, sse },
      ...sessionCapabilities(agent),
    },
    authMethods: [...authMethods],
  };
}

/** Whether the agent has a method that not every agent has, also where no compiler has looked. */
export function has(agent: AnyAgent, method: keyof Omit<AnyAgent, 'info'>): boolean {
  return typeof agent[method] === 'function';
}

function sessionCapabilities(agent: AnyAgent): { readonly sessionCapabilities?: object } {
  const declared = [
    ['additionalDirectories', agent.info.additionalDirectories === true],
    ['list', has(agent, 'listSessions')],
    ['resume', has(agent, 'resumeSession')],
    ['close', has(agent, 'closeSession')],
    ['delete', has(agent, 'deleteSession')],
    ['fork', has(agent, 'forkSession')],
  ] as const;
  const names = declared.flatMap(([name, isThere]) => (isThere ? [name] : []));
  if (names.length === 0) return {};
  return { sessionCapabilities: Object.fromEntries(names.map((name) => [name, {}])) };
}
