import { Emitter } from '../../src/base/event.ts';
import type { AgentSetting, ReferenceModel, Settings } from '../../src/client/ports.ts';

/** Settings that a test holds in its hands. */
export class FakeSettings implements Settings {
  private readonly changed = new Emitter<void>();
  private readonly byName = new Map<string, AgentSetting>();
  private chosen = 'reference';
  private prompt: ReturnType<Settings['permissionPrompt']> = 'quickPick';
  private tracing = false;
  private patience = 10_000;
  private saveActions = false;
  private given: ReferenceModel = { baseUrl: '', model: '', contextTokens: 32_768 };
  private readLimit = 16 * 1024 * 1024;

  readonly onDidChange = this.changed.event;

  /** Defines an agent as the user settings would. */
  define(name: string, agent: Partial<AgentSetting> & { readonly command: string }): void {
    this.byName.set(name, { args: [], env: {}, cwd: null, origin: 'user', ...agent });
    this.changed.fire();
  }

  undefine(name: string): void {
    this.byName.delete(name);
    this.changed.fire();
  }

  ask(how: ReturnType<Settings['permissionPrompt']>): void {
    this.prompt = how;
    this.changed.fire();
  }

  turnTrace(on: boolean): void {
    this.tracing = on;
    this.changed.fire();
  }

  /** @param ms How long an agent may be silent at its start. */
  allowSilence(ms: number): void {
    this.patience = ms;
  }

  agents(): ReadonlyMap<string, AgentSetting> {
    return this.byName;
  }

  defaultAgent(): string {
    return this.chosen;
  }

  setDefaultAgent(id: string): Promise<void> {
    this.chosen = id;
    this.changed.fire();
    return Promise.resolve();
  }

  permissionPrompt(): ReturnType<Settings['permissionPrompt']> {
    return this.prompt;
  }

  trace(): boolean {
    return this.tracing;
  }

  initializeTimeout(): number {
    return this.patience;
  }

  maxLineBytes(): number {
    return 64 * 1024 * 1024;
  }

  runSaveActions(): boolean {
    return this.saveActions;
  }

  referenceModel(): ReferenceModel {
    return this.given;
  }

  giveModel(baseUrl: string, model: string): void {
    this.given = { ...this.given, baseUrl, model };
    this.changed.fire();
  }

  maxReadBytes(): number {
    return this.readLimit;
  }

  letSaveActionsRun(run: boolean): void {
    this.saveActions = run;
  }

  limitReads(bytes: number): void {
    this.readLimit = bytes;
  }
}
