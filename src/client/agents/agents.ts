import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { FileHandler } from '../requests/fileHandler.ts';
import type { Log, Settings, Workspace } from '../ports.ts';
import { Agent } from './agent.ts';
import type { AgentCatalog, AgentOffer } from './catalog.ts';

export interface AgentsParts {
  readonly catalog: AgentCatalog;
  readonly files: FileHandler;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly log: Log;
  /** Folder for traces and stderr: the extension's log folder. */
  readonly logFolder: string;
  /** Of the extension; agents are told. */
  readonly version: string;
}

/** All agents that chats use or may use. */
export class Agents implements Disposable {
  private readonly changed = new Emitter<Agent>();
  private readonly known = new Map<string, Agent>();

  /** An agent's state or name changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: AgentsParts) {}

  /** The agent of that name; one that the settings do not have fails when it is started, and says so. */
  get(id: string): Agent {
    const agent = this.known.get(id) ?? new Agent(id);
    this.known.set(id, agent);
    return agent;
  }

  /** What can be chosen for a new chat. */
  choices(): readonly AgentOffer[] {
    return this.parts.catalog.choices();
  }

  /** Ends all processes. */
  dispose(): void {
    this.changed.dispose();
  }
}
