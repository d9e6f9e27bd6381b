import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parley } from './extension.ts';

const run = async (command: string, ...args: readonly unknown[]): Promise<void> => {
  await vscode.commands.executeCommand(command, ...args);
};

const settings = () => vscode.workspace.getConfiguration('parley');

const set = async (name: string, value: unknown): Promise<void> => {
  await settings().update(name, value, vscode.ConfigurationTarget.Global);
};

describe('commands, with no turn running', () => {
  before(async () => {
    await parley().activate();
  });

  after(async () => {
    await set('defaultAgent', undefined);
    await set('agents', undefined);
  });

  it('stop, and have nothing to stop', async () => {
    await run('parley.stop');
  });

  it('make a new chat, again and again', async () => {
    await run('parley.newChat');
    await run('parley.newChat');
  });

  it('choose the agent that is named in the argument, for new chats', async () => {
    await set('agents', { other: { command: 'node', args: ['-e', ''] } });
    await run('parley.selectAgent', 'other');
    assert.equal(settings().get('defaultAgent'), 'other');
    await run('parley.selectAgent', 'reference');
    assert.equal(settings().get('defaultAgent'), 'reference');
  });

  it('restart the agent', async () => {
    await run('parley.restartAgent');
  });

  it('show the log', async () => {
    await run('parley.showLog');
  });
});
