import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../base/errors.ts';
import type {
  AgentSetting,
  LaunchConsent,
  Memory,
  ModelKeys,
  Settings,
  Workspace,
} from '../ports.ts';
import { commandLine, expand, type Variables } from './commandLine.ts';
import { BASE_URL, keyVariable, modelVariables } from './referenceModel.ts';

/** The id of the agent that Parley brings along. */
const REFERENCE_AGENT = 'reference';

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
  /** A launch that a workspace names needs trust and consent. */
  readonly origin: 'user' | 'workspace';
}

interface AgentCatalogParts {
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly consent: LaunchConsent;
  readonly memory: Memory;
  readonly keys: ModelKeys;
  /** Absolute path of `dist/agent.js`. */
  readonly bundledAgent: string;
}

/** The agents that there are, and how each is started: the bundled one, and those of the settings. */
export class AgentCatalog {
  /** Questions that the person has not answered yet, by what they would allow. */
  private readonly asking = new Map<string, Promise<boolean>>();

  constructor(private readonly parts: AgentCatalogParts) {}

  /** The bundled agent first, then those of the settings in their order. */
  choices(): readonly AgentOffer[] {
    const own = [...this.parts.settings.agents()]
      .filter(([id]) => id !== REFERENCE_AGENT)
      .map(([id, agent]) => ({
        id,
        name: id,
        detail: commandLine(agent.command, agent.args),
      }));
    const { baseUrl, model } = this.parts.settings.referenceModel();
    const reference = {
      id: REFERENCE_AGENT,
      name: 'Reference agent',
      detail:
        baseUrl === ''
          ? 'Comes with Parley: no network, no account'
          : `Comes with Parley, with your model ${model}`,
    };
    return [reference, ...own];
  }

  /** For people, until the agent has told its own title. */
  nameOf(id: string): string {
    return id === REFERENCE_AGENT ? 'Reference agent' : id;
  }

  /** How an agent is started, before anybody was asked. Throws a `UserError` that says what is wrong in the settings. */
  resolve(id: string): Launch {
    if (id === REFERENCE_AGENT) return this.bundled();
    const setting = this.parts.settings.agents().get(id);
    if (setting === undefined) {
      throw new UserError(`There is no agent "${id}" in the setting parley.agents.`, [
        'selectAgent',
        'openSettings',
      ]);
    }
    return this.expanded(id, setting);
  }

  /**
   * How an agent is started, once that is allowed: a command that a workspace names runs only in a trusted workspace,
   * and only after the person has agreed to exactly this command, once.
   */
  async allowed(id: string): Promise<Launch> {
    const launch = this.resolve(id);
    if (id === REFERENCE_AGENT) return this.withKey(launch);
    if (launch.origin === 'user') return launch;
    if (!this.parts.workspace.trusted()) {
      throw new UserError(
        `The agent "${id}" comes from the settings of this workspace, which is not trusted. Trust the workspace, or define the agent in your user settings.`,
        ['selectAgent', 'openSettings'],
      );
    }
    await this.consented(launch);
    return launch;
  }

  private async consented(launch: Launch): Promise<void> {
    const key = `launchConsent:${fingerprint(launch)}`;
    if (this.parts.memory.get(key) === true) return;
    if (!(await this.agreed(key, launch))) {
      throw new UserError(
        `The agent "${launch.agentId}" was not started: its command comes from this workspace, and you have not allowed it.`,
        ['restartAgent', 'selectAgent', 'openSettings'],
      );
    }
    await this.parts.memory.set(key, true);
  }

  /** Asks once, however many starts wait for the answer. */
  private agreed(key: string, launch: Launch): Promise<boolean> {
    const asked =
      this.asking.get(key) ??
      this.parts.consent
        .agree({
          agentId: launch.agentId,
          commandLine: commandLine(launch.command, launch.args),
          cwd: launch.cwd,
          envNames: Object.keys(launch.env),
        })
        .finally(() => {
          this.asking.delete(key);
        });
    this.asking.set(key, asked);
    return asked;
  }

  /** The key is no part of what `resolve` tells: it goes to the bundled agent's process and nowhere else. */
  private async withKey(launch: Launch): Promise<Launch> {
    const baseUrl = launch.env[BASE_URL];
    if (baseUrl === undefined) return launch;
    const key = await this.parts.keys.keyFor(baseUrl);
    return { ...launch, env: { ...launch.env, ...keyVariable(key, process.env) } };
  }

  private bundled(): Launch {
    return {
      agentId: REFERENCE_AGENT,
      command: process.execPath,
      args: [this.parts.bundledAgent],
      // VS Code's own runtime is Electron: this makes it behave as Node.
      env: { ELECTRON_RUN_AS_NODE: '1', ...modelVariables(this.parts.settings.referenceModel()) },
      cwd: this.folder(),
      origin: 'user',
    };
  }

  private expanded(id: string, setting: AgentSetting): Launch {
    const variables: Variables = {
      workspaceFolder: this.parts.workspace.folders()[0] ?? null,
      env: process.env,
    };
    const where = `The setting parley.agents, "${id}",`;
    const full = (text: string): string => expand(text, variables, where);
    return {
      agentId: id,
      command: full(setting.command),
      args: setting.args.map(full),
      env: Object.fromEntries(
        Object.entries(setting.env).map(([name, value]) => [name, full(value)]),
      ),
      cwd: this.processFolder(setting.cwd === null ? null : full(setting.cwd)),
      origin: setting.origin,
    };
  }

  /** A relative folder counts from the workspace's. */
  private processFolder(cwd: string | null): string {
    if (cwd === null || cwd === '') return this.folder();
    const home = cwd === '~' || cwd.startsWith('~/') ? path.join(homedir(), cwd.slice(1)) : cwd;
    return path.resolve(this.folder(), home);
  }

  private folder(): string {
    return this.parts.workspace.folders()[0] ?? homedir();
  }
}

/** The same for two launches only if they start the same program in the same way. */
export function fingerprint(launch: Launch): string {
  const env = Object.entries(launch.env).sort(([a], [b]) => (a < b ? -1 : 1));
  const whole = JSON.stringify([launch.agentId, launch.command, launch.args, env, launch.cwd]);
  return createHash('sha256').update(whole).digest('hex');
}
