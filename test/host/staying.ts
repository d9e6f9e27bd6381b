import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { AgentFiles, closeAll, opened, withSettings, workspaceFolder } from './editor.ts';
import { until } from './extension.ts';

/** Parts that can be folded by their indentation, more than an editor shows at once. */
const LINES = Array.from({ length: 300 }, (_, index) =>
  index % 10 === 0 ? `part ${index}` : `  line ${index}`,
);

describe('what an agent writes into a document that the person looks at', () => {
  const agent = new AgentFiles();
  let count = 0;

  const shown = async (): Promise<vscode.TextEditor> => {
    count += 1;
    const file = path.join(workspaceFolder(), `staying-${count}.txt`);
    fs.writeFileSync(file, LINES.join('\n'));
    await opened(file);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.fsPath, file);
    return editor;
  };

  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await closeAll();
  });

  after(() => {
    for (let n = 1; n <= count; n += 1) {
      fs.rmSync(path.join(workspaceFolder(), `staying-${n}.txt`), { force: true });
    }
  });

  it('leaves folded what is folded, where it has moved to', async () => {
    const editor = await shown();
    const isFolded = (part: number): true | undefined =>
      editor.visibleRanges.some(({ end }) => end.line === part) ? true : undefined;
    await vscode.commands.executeCommand('editor.fold', { selectionLines: [10], levels: 1 });
    await until('the fold', () => isFolded(10));
    const changed = LINES.with(1, 'changed').with(25, 'changed');
    await agent.write(editor.document.uri.fsPath, ['above', ...changed].join('\n'));
    await until('the fold one line below', () => isFolded(11));
    assert.equal(editor.document.lineAt(11).text, 'part 10');
  });

  it('leaves the person at the lines that were in view', async () => {
    const editor = await shown();
    const top = (): number => editor.visibleRanges[0]?.start.line ?? -1;
    editor.selection = new vscode.Selection(150, 0, 150, 0);
    editor.revealRange(new vscode.Range(150, 0, 150, 0), vscode.TextEditorRevealType.AtTop);
    const before = await until('the scrolling', () => (top() > 100 ? top() : undefined));
    const changed = LINES.with(1, 'changed').with(290, 'changed');
    await agent.write(editor.document.uri.fsPath, [...changed, 'below'].join('\n'));
    assert.equal(editor.document.lineAt(300).text, 'below');
    assert.equal(top(), before);
    assert.equal(editor.selection.start.line, 150);
  });

  it('leaves a breakpoint at its line, where that has moved to', async () => {
    await withSettings({ 'debug.allowBreakpointsEverywhere': true }, async () => {
      const editor = await shown();
      const { document } = editor;
      const place = new vscode.Location(document.uri, new vscode.Position(30, 0));
      vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place)]);
      const line = (): number => {
        const [breakpoint] = vscode.debug.breakpoints;
        assert.ok(breakpoint instanceof vscode.SourceBreakpoint);
        return breakpoint.location.range.start.line;
      };
      // The editor draws it in its own time, and only what it has drawn moves, whoever edits.
      await until('the editor takes the breakpoint along', async () => {
        const moved = movedSoon();
        await editor.edit((change) => {
          change.insert(new vscode.Position(0, 0), 'typed\n');
        });
        return (await moved) ? true : undefined;
      });
      await document.save();
      const [from, text] = [line(), document.lineAt(line()).text];
      await agent.write(document.uri.fsPath, `above\n${document.getText()}\nbelow`);
      await until('the breakpoint one line below', () => (line() === from + 1 ? true : undefined));
      assert.equal(document.lineAt(line()).text, text);
    });
  });
});

/** Whether VS Code tells of a breakpoint that has changed, within half a second. */
function movedSoon(): Promise<boolean> {
  return new Promise((resolve) => {
    const over = (moved: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(moved);
    };
    const timer = setTimeout(over, 500, false);
    const listener = vscode.debug.onDidChangeBreakpoints(({ changed }) => {
      if (changed.length > 0) over(true);
    });
  });
}
