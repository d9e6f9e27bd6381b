import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import type { Agents } from '../../client/agents/agents.ts';
import type { Settings } from '../../client/ports.ts';
import { originOf, type SecretModelKeys } from '../ports/secrets.ts';

/** The id of the agent that has a model. */
const REFERENCE = 'reference';

export interface ModelKeyParts {
  readonly settings: Settings;
  readonly agents: Agents;
  readonly keys: SecretModelKeys;
}

/** Asks for the key of the endpoint that the settings name, and keeps it as a secret. */
export async function setModelKey({ settings, agents, keys }: ModelKeyParts): Promise<void> {
  const { baseUrl } = settings.referenceModel();
  const origin = originOf(baseUrl);
  if (origin === undefined) {
    throw new UserError(
      vscode.l10n.t(
        'First name the endpoint that the key is for, in the setting parley.referenceAgent.baseUrl.',
      ),
      ['openSettings'],
    );
  }
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', origin),
    prompt: isOpen(origin)
      ? vscode.l10n.t('This address is not encrypted: whoever sees the network sees the key.')
      : vscode.l10n.t('It is kept as a secret of this machine, and sent to this address alone.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^[\x21-\x7e]{1,4096}$/.test(value.trim())
        ? undefined
        : vscode.l10n.t('A key has no blanks and is not empty.'),
  });
  if (key === undefined) return;
  await keys.set(baseUrl, key.trim());
  await offerRestart(agents, vscode.l10n.t('The key for {0} is stored.', origin));
}

/** Forgets all keys. */
export async function clearModelKeys({ agents, keys }: ModelKeyParts): Promise<void> {
  await keys.clear();
  await offerRestart(agents, vscode.l10n.t('The API keys of the reference agent are forgotten.'));
}

/** A process that runs has the key that it was started with. */
async function offerRestart(agents: Agents, done: string): Promise<void> {
  const agent = agents.get(REFERENCE);
  if (agent.info.state.kind !== 'ready') {
    void vscode.window.showInformationMessage(done);
    return;
  }
  const restart = vscode.l10n.t('Restart the Reference Agent');
  if ((await vscode.window.showInformationMessage(done, restart)) === restart) {
    await agent.restart();
  }
}

/** Whether a key would travel in the open, to another machine. */
function isOpen(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
