import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parley } from './extension.ts';

const COMMANDS = [
  'parley.open',
  'parley.newChat',
  'parley.selectAgent',
  'parley.stop',
  'parley.answerPermission',
  'parley.switchChat',
  'parley.restartAgent',
  'parley.showLog',
];

const DEFAULTS: Readonly<Record<string, unknown>> = {
  agents: {},
  defaultAgent: 'reference',
  'permissions.prompt': 'quickPick',
  trace: false,
  initializeTimeout: 30,
  'wire.maxLineBytes': 64 * 1024 * 1024,
};

/** Settings that can make a program start: a repository must not set them. */
const RESTRICTED = ['parley.agents', 'parley.defaultAgent'];

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
  };
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

function manifest(): Manifest {
  return (parley() as { readonly packageJSON: Manifest }).packageJSON;
}

describe('what other extensions and keybindings rely on', () => {
  before(async () => {
    await parley().activate();
  });

  for (const command of COMMANDS) {
    it(`is the command ${command}`, async () => {
      const commands = await vscode.commands.getCommands(true);
      assert.ok(commands.includes(command));
    });
  }

  it('is that every command is titled "Parley: ..."', () => {
    for (const { command, title } of manifest().contributes.commands) {
      assert.match(title, /^Parley: \S/, command);
    }
  });

  for (const [name, value] of Object.entries(DEFAULTS)) {
    it(`is the setting parley.${name} with its default`, () => {
      const setting = vscode.workspace.getConfiguration('parley').inspect(name);
      assert.deepEqual(setting?.defaultValue, value);
    });
  }

  it('is that a repository cannot name programs before it is trusted', () => {
    const { restrictedConfigurations } = manifest().capabilities.untrustedWorkspaces;
    for (const name of RESTRICTED) assert.ok(restrictedConfigurations.includes(name), name);
  });

  it('is the view parley.chat, which can be focused by its command', async () => {
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes('parley.chat.focus'));
    await vscode.commands.executeCommand('parley.chat.focus');
  });
});
