import fs from 'node:fs';
import type { TestContext } from 'node:test';
import type { ClientCapabilities, SessionUpdate } from '../../src/protocol/acp.ts';
import { ModelEndpoint } from '../fakes/modelEndpoint.ts';
import { Driver, makeFolder } from './agentDriver.ts';

/** A client that offers everything that the agent's tools need. */
export const ALL: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
};

export interface Room {
  readonly endpoint: ModelEndpoint;
  readonly driver: Driver;
  readonly folder: string;
  readonly id: string;
}

interface RoomOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
}

/** The built agent with a model behind it, in a folder of its own; all of it is gone after the test. */
export async function roomFor(t: TestContext, options: RoomOptions = {}): Promise<Room> {
  const endpoint = await ModelEndpoint.start();
  const folder = makeFolder(options.files ?? {});
  const driver = await Driver.start(options.capabilities ?? ALL, {
    PARLEY_AGENT_BASE_URL: `http://${endpoint.host}/v1`,
    PARLEY_AGENT_MODEL: 'tester',
    PARLEY_AGENT_API_KEY: '',
    ...options.env,
  });
  t.after(async () => {
    await driver.stop();
    await endpoint.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return { endpoint, driver, folder, id: await driver.newSession(folder) };
}

/** A tool call as a client knows it after all updates: the later field wins. */
export interface SeenCall {
  readonly title?: unknown;
  readonly kind?: unknown;
  readonly status?: unknown;
  readonly content?: unknown;
  readonly locations?: unknown;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

export function callsIn(updates: readonly SessionUpdate[]): readonly SeenCall[] {
  const seen = new Map<string, SeenCall>();
  for (const update of updates) {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update')
      continue;
    const { toolCallId, sessionUpdate, ...fields } = update;
    if (sessionUpdate === 'tool_call' && seen.has(toolCallId)) throw new Error('an id twice');
    seen.set(toolCallId, { ...seen.get(toolCallId), ...fields });
  }
  return [...seen.values()];
}

/** What the model was told by its tools, in the order of its calls. */
export function toldIn({ endpoint }: Room): readonly string[] {
  return endpoint.last.body.messages.flatMap(({ role, content }) =>
    role === 'tool' ? [String(content)] : [],
  );
}

/** The error that a prompt ends with. */
export async function faultOf({ driver, id }: Room, prompt = 'go'): Promise<string> {
  try {
    const { stopReason } = await driver.prompt(id, prompt);
    throw new Error(`the turn ended with ${stopReason}`);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
