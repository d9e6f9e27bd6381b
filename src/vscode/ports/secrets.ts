import type * as vscode from 'vscode';
import type { ModelKeys } from '../../client/ports.ts';

const SECRET = 'parley.referenceAgent.apiKeys';

/**
 * Keys of model endpoints in VS Code's secret storage, each for the host that it was given for: who changes the address
 * does not send the key along.
 */
export class SecretModelKeys implements ModelKeys {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async keyFor(baseUrl: string): Promise<string> {
    const origin = originOf(baseUrl);
    return origin === undefined ? '' : ((await this.all()).get(origin) ?? '');
  }

  /** @param baseUrl An http or https address. */
  async set(baseUrl: string, key: string): Promise<void> {
    const origin = originOf(baseUrl);
    if (origin === undefined) return;
    const keys = new Map(await this.all()).set(origin, key);
    await this.secrets.store(SECRET, JSON.stringify(Object.fromEntries(keys)));
  }

  /** Forgets the keys of all hosts. */
  async clear(): Promise<void> {
    await this.secrets.delete(SECRET);
  }

  private async all(): Promise<ReadonlyMap<string, string>> {
    const keys = new Map<string, string>();
    for (const [origin, key] of entriesIn(await this.secrets.get(SECRET))) {
      if (typeof key === 'string') keys.set(origin, key);
    }
    return keys;
  }
}

function entriesIn(stored: string | undefined): readonly (readonly [string, unknown])[] {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? Object.entries(value) : [];
  } catch {
    return [];
  }
}

/** Scheme, host and port; undefined for what no key is sent to. */
export function originOf(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { protocol, origin } = new URL(baseUrl);
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}
