import type { LaunchConsent, LaunchQuestion, Memory, ModelKeys } from '../../src/client/ports.ts';

/** Values that outlive a window, as far as a test does. */
export class FakeMemory implements Memory {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  set(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

/** A person who gives the same answer whenever a workspace wants to start a program. */
export class FakeConsent implements LaunchConsent {
  readonly asked: LaunchQuestion[] = [];
  answer = true;

  agree(question: LaunchQuestion): Promise<boolean> {
    this.asked.push(question);
    return Promise.resolve(this.answer);
  }
}

/** Keys that a test has given, by address. */
export class FakeModelKeys implements ModelKeys {
  readonly keys = new Map<string, string>();

  keyFor(baseUrl: string): Promise<string> {
    return Promise.resolve(this.keys.get(baseUrl) ?? '');
  }
}
