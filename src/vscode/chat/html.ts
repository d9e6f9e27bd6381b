import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Loads the chat page. It can load files of the extension, from the folders that are meant for it, and no others. */
export function loadPage(webview: vscode.Webview, extensionUri: vscode.Uri): void {
  webview.options = {
    enableScripts: true,
    localResourceRoots: ['dist', 'media'].map((name) => vscode.Uri.joinPath(extensionUri, name)),
  };
  webview.html = pageHtml(webview, extensionUri);
}

/** The chat page: scripts run by nonce only, styles and fonts come from the extension, nothing from the network. */
function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(18).toString('base64');
  const source = webview.cspSource;
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data: blob:`,
    `media-src data: blob:`,
    `worker-src blob:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('codicon.css')}">
<link rel="stylesheet" href="${file('webview.css')}">
<title>Parley</title>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${file('webview.js')}"></script>
</body>
</html>`;
}
