import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { Agent, type AgentParts } from './agent.ts';
import type { AgentOffer } from './catalog.ts';

/** All agents that chats use or may use. No fault of one touches another. */
export class Agents implements Disposable {
  private readonly changed = new Emitter<Agent>((error) => {
    this.parts.log.error(`a listener to the agents failed: ${messageOf(error)}`);
  });
  private readonly known = new Map<string, Agent>();
  private readonly owned = new Disposables();
  private closing: Promise<unknown> | undefined;

  /** An agent's state or name changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly parts: AgentParts) {
    this.owned.add(this.changed);
    this.owned.add(
      parts.settings.onDidChange(() => {
        for (const agent of this.known.values()) agent.settingsChanged();
      }),
    );
    this.owned.add(
      parts.workspace.onDidChange(() => {
        for (const agent of this.known.values()) agent.workspaceChanged();
      }),
    );
  }

  /** The agent of that name; one that the settings do not have fails when it is started, and says so. */
  get(id: string): Agent {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const agent = this.owned.add(new Agent(id, this.parts));
    this.known.set(id, agent);
    agent.onDidChange(() => {
      this.changed.fire(agent);
    });
    return agent;
  }

  /** What can be chosen for a new chat. */
  choices(): readonly AgentOffer[] {
    return this.parts.catalog.choices();
  }

  /** Ends all processes. Never rejects; resolves when they have ended. */
  close(): Promise<void> {
    this.closing ??= Promise.all([...this.known.values()].map((agent) => agent.close()));
    this.owned.dispose();
    return this.closing.then(() => undefined);
  }

  /** As `close`, without waiting for it. */
  dispose(): void {
    void this.close();
  }
}
