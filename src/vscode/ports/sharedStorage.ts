import path from 'node:path';

/**
 * The folder for what belongs to a workspace, the same for all its windows.
 *
 * VS Code keeps a workspace's storage for one window at a time: where windows can share a workspace (in a browser, and
 * on a remote machine), it gives the second one `ID-1` in place of `ID`, and so on up to 9. What is kept in such a
 * folder is found again only by a window that happens to be the second one.
 * @param folder Path of the extension's own folder in the storage of this window.
 */
export function sharedStorage(folder: string): string {
  const ofWindow = path.dirname(folder);
  const id = path.basename(ofWindow).replace(/(?<=.)-[1-9]$/, '');
  return path.join(path.dirname(ofWindow), id, path.basename(folder));
}
