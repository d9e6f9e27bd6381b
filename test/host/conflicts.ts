import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConflictAnswer, WriteConflict } from '../../src/client/ports.ts';
import { EditorWriteConflicts } from '../../src/vscode/ports/writeConflicts.ts';
import { closeAll, tabLabels } from './editor.ts';
import { until } from './extension.ts';

const MARKED = 'one\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> Test agent\nthree\n';
const CONFLICT: WriteConflict = {
  path: '/somewhere/conflict.txt',
  agentName: 'Test agent',
  mine: 'one\nmine\nthree\n',
  theirs: 'one\ntheirs\nthree\n',
  marked: MARKED,
};

/** The buttons of the notification that came last. */
const KEEP = 'Keep Mine';

describe('a conflict of an agent and the person', () => {
  const conflicts = new EditorWriteConflicts();
  const pending: AbortController[] = [];

  const asked = (): { answer: Promise<ConflictAnswer>; abort: () => void } => {
    const controller = new AbortController();
    pending.push(controller);
    return {
      answer: conflicts.resolve(CONFLICT, controller.signal),
      abort: () => {
        controller.abort();
      },
    };
  };

  afterEach(async () => {
    for (const controller of pending.splice(0)) controller.abort();
    await vscode.commands.executeCommand('notifications.clearAll');
    await closeAll();
  });

  after(() => {
    conflicts.dispose();
  });

  it('opens no tab and takes no text by itself; putting the question away keeps the own text', async () => {
    const { answer } = asked();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(tabLabels(), []);
    await vscode.commands.executeCommand('notifications.clearAll');
    assert.deepEqual(await answer, { kind: 'mine' });
  });

  it('needs no answer any more when the agent has given up', async () => {
    const { answer, abort } = asked();
    abort();
    assert.deepEqual(await answer, { kind: 'mine' });
    assert.deepEqual(await conflicts.resolve(CONFLICT, AbortSignal.abort()), { kind: 'mine' });
  });

  for (const [button, expected] of [
    [KEEP, { kind: 'mine' }],
    ["Take the Agent's", { kind: 'theirs' }],
  ] as const) {
    it(`is answered by the button "${button}"`, async () => {
      const { answer } = answeringWith(button, () => asked());
      assert.deepEqual(await answer, expected);
    });
  }

  it('is merged in an editor with both texts, and saving it is the answer', async () => {
    const { answer } = answeringWith('Open Merge…', () => asked());
    const document = await merging();
    assert.equal(document.getText(), MARKED);
    await replaced(document, 'one\nmine and theirs\nthree\n');
    assert.ok(await document.save());
    assert.deepEqual(await answer, { kind: 'merged', text: 'one\nmine and theirs\nthree\n' });
    await until('no tab of the merge', () => (tabLabels().length === 0 ? true : undefined));
  });

  it('whose merge still has markers is not settled by saving it once', async () => {
    const { answer } = answeringWith('Open Merge…', () => asked());
    const document = await merging();
    await replaced(document, `${MARKED}more\n`);
    assert.ok(await document.save());
    await vscode.commands.executeCommand('notifications.clearAll');
    await replaced(document, 'merged\n');
    await until('the merge to be taken', async () => {
      if (!document.isClosed && document.isDirty) await document.save();
      return tabLabels().length === 0 ? true : undefined;
    }).catch(() => undefined);
    assert.deepEqual(await answer, { kind: 'merged', text: 'merged\n' });
  });

  it('whose merge is closed keeps the own text', async () => {
    const { answer } = answeringWith('Open Merge…', () => asked());
    await merging();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.deepEqual(await answer, { kind: 'mine' });
  });

  it('that nobody waits for any more leaves the merge in its editor', async () => {
    const { answer, abort } = answeringWith('Open Merge…', () => asked());
    const document = await merging();
    await replaced(document, 'typed\n');
    abort();
    assert.deepEqual(await answer, { kind: 'mine' });
    assert.equal(document.getText(), 'typed\n');
    assert.deepEqual(tabLabels(), ['conflict.txt']);
  });
});

/** The person presses that button of the first notification that has it. */
function answeringWith<T>(button: string, ask: () => T): T {
  const real = vscode.window.showWarningMessage;
  const window: { showWarningMessage: unknown } = vscode.window;
  window.showWarningMessage = (
    message: string,
    ...buttons: string[]
  ): Thenable<string | undefined> => {
    window.showWarningMessage = real;
    assert.match(message, /Test agent.*conflict\.txt/);
    assert.ok(buttons.includes(button), buttons.join());
    return Promise.resolve(button);
  };
  return ask();
}

async function merging(): Promise<vscode.TextDocument> {
  return until('the editor of the merge', () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.fileName.endsWith('conflict.txt') === true ? document : undefined;
  });
}

async function replaced(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}
