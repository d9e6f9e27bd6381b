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
    { type: 'prompt', text: 'hello' },
    { type: 'prompt', text: '' },
    { type: 'stop' },
    { type: 'draft', chatId: 'c', text: '' },
    { type: 'sendQueued', promptId: 'p' },
    { type: 'removeQueued', promptId: 'p' },
    { type: 'answerPermission', permissionId: 'p', optionId: '' },
    { type: 'newChat' },
    { type: 'openChat', chatId: 'c' },
    { type: 'chooseAgent', agentId: 'reference' },
    { type: 'command', command: 'showLog' },
    { type: 'copy', text: 'x' },
    { type: 'openFile', path: '/a/b.ts', line: null },
    { type: 'openFile', path: '/a/b.ts', line: 1 },
    { type: 'openLink', href: 'https://example.com' },
    { type: 'openDiff', turn: 0, entry: 0, content: 0 },
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
    { type: 'prompt' },
    { type: 'prompt', text: 7 },
    { type: 'prompt', text: 'x'.repeat(4 * 1024 * 1024 + 1) },
    { type: 'command', command: 'workbench.action.quit' },
    { type: 'openFile', path: '/a', line: 0 },
    { type: 'openFile', path: '/a', line: 1.5 },
    { type: 'openFile', path: '', line: null },
    { type: 'openDiff', turn: -1, entry: 0, content: 0 },
    { type: 'openDiff', turn: 0, entry: Number.NaN, content: 0 },
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
  assert.deepEqual(parse({ type: 'prompt', text }).intent, { type: 'prompt', text });
});

test('what the page adds beside is not passed on', () => {
  assert.deepEqual(parse({ type: 'stop', more: 1 }).intent, { type: 'stop' });
});
