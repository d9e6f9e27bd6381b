import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parley } from './extension.ts';

describe('activation', () => {
  it('is not done before anybody needs Parley', () => {
    assert.equal(parley().isActive, false);
  });

  it('is caused by the command that opens the view', async () => {
    await vscode.commands.executeCommand('parley.open');
    assert.equal(parley().isActive, true);
  });

  it('happens in a Node host, where agents can be started', () => {
    assert.equal(parley().extensionKind, vscode.ExtensionKind.Workspace);
    assert.ok(process.versions.node);
  });
});
