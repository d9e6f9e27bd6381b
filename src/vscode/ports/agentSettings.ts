import * as v from 'valibot';
import type { AgentSetting } from '../../client/ports.ts';

/** The bundled agent's id: the settings cannot have another agent of that name. */
const RESERVED = 'reference';

const schema = v.object({
  command: v.pipe(v.string(), v.trim(), v.minLength(1)),
  args: v.optional(v.array(v.string()), []),
  env: v.optional(v.record(v.string(), v.string()), {}),
  cwd: v.optional(v.nullable(v.string()), null),
});

/** One level of `parley.agents`, as VS Code holds it: anything that a person may have typed. */
export interface AgentsLevel {
  readonly value: unknown;
  readonly origin: AgentSetting['origin'];
}

/**
 * The agents of all levels, weakest level first: a later one replaces an agent of the same name as a whole, so that a
 * command is never mixed from two places. Ill-formed ones are left out and reported; unknown keys are ignored.
 */
export function mergeAgents(
  levels: readonly AgentsLevel[],
  report: (message: string) => void,
): ReadonlyMap<string, AgentSetting> {
  const agents = new Map<string, AgentSetting>();
  for (const { value, origin } of levels) {
    if (value === undefined) continue;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report(`parley.agents (${origin} settings) is not an object`);
      continue;
    }
    for (const [name, entry] of Object.entries(value)) {
      // Also when it is ill-formed: what a stronger level says must not fall back to another command.
      agents.delete(name);
      const setting = readAgent(name, entry, origin, report);
      if (setting !== undefined) agents.set(name, setting);
    }
  }
  return agents;
}

function readAgent(
  name: string,
  entry: unknown,
  origin: AgentSetting['origin'],
  report: (message: string) => void,
): AgentSetting | undefined {
  const where = `parley.agents, ${JSON.stringify(name)} (${origin} settings)`;
  if (name === RESERVED) {
    report(`${where}: this name belongs to the bundled agent`);
    return undefined;
  }
  const result = v.safeParse(schema, entry);
  if (result.success) return { ...result.output, origin };
  const [issue] = result.issues;
  // The value itself stays out of the log: it may be a secret of `env`.
  report(`${where}: ${v.getDotPath(issue) ?? 'value'} must be ${issue.expected}`);
  return undefined;
}
