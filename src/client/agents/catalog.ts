import type { LaunchConsent, Memory, Settings, Workspace } from '../ports.ts';

/** The id of the agent that Parley brings along. */
export const REFERENCE_AGENT = 'reference';

/** An agent that can be chosen for a new chat. */
export interface AgentOffer {
  readonly id: string;
  readonly name: string;
  /** Its command line as the settings have it, or what the bundled agent is. */
  readonly detail: string;
}

/** All that starting an agent takes, expanded. */
export interface Launch {
  readonly agentId: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables on top of our own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute folder of the process. */
  readonly cwd: string;
}

export interface AgentCatalogParts {
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly consent: LaunchConsent;
  readonly memory: Memory;
  /** Absolute path of `dist/agent.js`. */
  readonly bundledAgent: string;
}

/** The agents that there are, and how each is started: the bundled one, and those of the settings. */
export class AgentCatalog {
  constructor(private readonly parts: AgentCatalogParts) {}

  /** The bundled agent first, then those of the settings by name. */
  choices(): readonly AgentOffer[] {
    return [...this.parts.settings.agents().keys()].map((id) => ({ id, name: id, detail: '' }));
  }
}
