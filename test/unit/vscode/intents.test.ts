import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseIntent } from '../../../src/vscode/chat/intents.ts';

function parse(message: unknown): { intent: unknown; reports: string[] } {
  const reports: string[] = [];
  return { intent: parseIntent(message, (line) => reports.push(line)), reports };
}

describe('what the page may say', () => {
  const messages = [
    { type: 'ready' },
    { type: 'prompt', chatId: 'c', text: 'hello' },
    { type: 'prompt', chatId: 'c', text: '' },
    { type: 'stop', chatId: 'c' },
    { type: 'draft', chatId: 'c', text: '' },
    { type: 'sendQueued', chatId: 'c', promptId: 'p' },
    { type: 'removeQueued', chatId: 'c', promptId: 'p' },
    { type: 'answerPermission', permissionId: 'p', optionId: '' },
    { type: 'newChat' },
    { type: 'openChat', chatId: 'c' },
    { type: 'chooseAgent', agentId: 'reference' },
    { type: 'command', command: 'showLog' },
    { type: 'copy', text: 'x' },
    { type: 'openFile', path: '/a/b.ts', line: null },
    { type: 'openFile', path: '/a/b.ts', line: 1 },
    { type: 'openLink', href: 'https://example.com' },
    { type: 'openDiff', chatId: 'c', turn: 0, entry: 0, content: 0 },
    { type: 'stopTerminal', chatId: 'c', terminalId: 't' },
    { type: 'openTerminalOutput', chatId: 'c', terminalId: 't' },
    { type: 'showTerminal', chatId: 'c', terminalId: 't' },
    { type: 'openOutput', chatId: 'c', turn: 1, entry: 2 },
  ];
  for (const message of messages) {
    test(JSON.stringify(message), () => {
      assert.deepEqual(parse(message), { intent: message, reports: [] });
    });
  }
});

describe('what is dropped, with one line in the log', () => {
  const messages: unknown[] = [
    null,
    'ready',
    [],
    {},
    { type: 'reboot' },
    { type: 'prompt', chatId: 'c' },
    { type: 'prompt', text: 'to whom' },
    { type: 'stop' },
    { type: 'stopTerminal', chatId: 'c' },
    { type: 'showTerminal', chatId: 'c', terminalId: '' },
    { type: 'openOutput', chatId: 'c', turn: 0.5, entry: 0 },
    { type: 'prompt', chatId: 'c', text: 7 },
    { type: 'prompt', chatId: 'c', text: 'x'.repeat(4 * 1024 * 1024 + 1) },
    { type: 'command', command: 'workbench.action.quit' },
    { type: 'openFile', path: '/a', line: 0 },
    { type: 'openFile', path: '/a', line: 1.5 },
    { type: 'openFile', path: '', line: null },
    { type: 'openDiff', chatId: 'c', turn: -1, entry: 0, content: 0 },
    { type: 'openDiff', chatId: 'c', turn: 0, entry: Number.NaN, content: 0 },
    { type: 'openChat', chatId: 'c'.repeat(10_000) },
  ];
  for (const message of messages) {
    test(JSON.stringify(message).slice(0, 80), () => {
      const { intent, reports } = parse(message);
      assert.equal(intent, undefined);
      assert.equal(reports.length, 1);
      assert.ok((reports[0] ?? '').length < 400);
    });
  }
});

test('a prompt of 4 MB is taken', () => {
  const text = 'x'.repeat(4 * 1024 * 1024);
  assert.deepEqual(parse({ type: 'prompt', chatId: 'c', text }).intent, {
    type: 'prompt',
    chatId: 'c',
    text,
  });
});

test('what the page adds beside is not passed on', () => {
  assert.deepEqual(parse({ type: 'stop', chatId: 'c', more: 1 }).intent, {
    type: 'stop',
    chatId: 'c',
  });
});
