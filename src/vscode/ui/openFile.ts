import { access } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { platformOf } from '../../client/files/paths.ts';
import { insideFolders } from '../../client/files/walls.ts';

/** Shows a file that an agent named, if it is inside the workspace folders. @param line 1-based. */
export async function openFile(
  named: string,
  line: number | null,
  folders: readonly string[],
): Promise<void> {
  const file = await findFile(named, folders);
  if (file === undefined) {
    throw new UserError(
      vscode.l10n.t('There is no such file in the folders of this workspace: {0}', named),
    );
  }
  const start = new vscode.Position((line ?? 1) - 1, 0);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), {
    preview: true,
    ...(line === null ? {} : { selection: new vscode.Range(start, start) }),
  } satisfies vscode.TextDocumentShowOptions);
}

/** A relative path names a file only if a single folder has it: nothing is guessed. */
async function findFile(named: string, folders: readonly string[]): Promise<string | undefined> {
  const places = path.isAbsolute(named)
    ? [named]
    : folders.map((folder) => path.resolve(folder, named));
  const found = await Promise.all(places.map((place) => insideFile(place, folders)));
  const [file, ...others] = found.filter((place) => place !== undefined);
  return others.length === 0 ? file : undefined;
}

async function insideFile(place: string, folders: readonly string[]): Promise<string | undefined> {
  try {
    const file = await insideFolders(place, folders, platformOf(process.platform));
    await access(file);
    return file;
  } catch {
    return undefined;
  }
}
