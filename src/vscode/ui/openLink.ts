import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';

const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** Opens a link that an agent wrote. VS Code asks first, unless the person trusts the domain. */
export async function openLink(href: string): Promise<void> {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !ALLOWED.has(url.protocol)) {
    throw new UserError(
      vscode.l10n.t(
        'Parley opens links to web pages and mail addresses only, not this one: {0}',
        href,
      ),
    );
  }
  await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
