import type { ClientCapabilities } from '../../protocol/acp.ts';
import type { ModeId } from '../modes.ts';
import type { WireTool } from './endpoint.ts';
import { approvePlan } from './tools/approvePlan.ts';
import { edit } from './tools/edit.ts';
import { list } from './tools/list.ts';
import { plan } from './tools/plan.ts';
import { read } from './tools/read.ts';
import { run } from './tools/run.ts';
import { search } from './tools/search.ts';
import type { Tool } from './tools/tool.ts';
import { write } from './tools/write.ts';

const ALL: readonly Tool[] = [read, list, search, edit, write, run, plan];

/** What the model may do with this client: what the client does not offer is not offered to the model. */
export function toolsFor(capabilities: ClientCapabilities, mode: ModeId): readonly Tool[] {
  const tools = mode === 'plan' ? [...ALL, approvePlan] : ALL;
  return tools.filter((tool) => tool.isOffered(capabilities));
}

/** The tool as the endpoint is told of it. */
export function wireTool({ name, description, parameters }: Tool): WireTool {
  const all = Object.entries(parameters);
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(all.map(([key, { schema }]) => [key, schema])),
        required: all.filter(([, { optional }]) => optional !== true).map(([key]) => key),
      },
    },
  };
}
