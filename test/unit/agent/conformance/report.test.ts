import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../../../src/agent/conformance/check.ts';
import { parseOptions } from '../../../../src/agent/conformance/options.ts';
import { print } from '../../../../src/agent/conformance/report.ts';

const hostile = '\u001b[2J\u202e```\n<img src=x>|[link](command:evil)';
const report: Report = {
  agent: { command: ['agent'], name: hostile, version: '1' },
  rows: [
    {
      id: 'a.b',
      subject: 'Subject',
      title: 'A rule',
      verdict: 'deviates',
      reason: hostile,
      rule: { name: 'ACP v1, page', url: 'https://agentclientprotocol.com/protocol/v1/page' },
      frames: [{ direction: 'received', text: `${hostile} \`\`\`\`\``, at: 1 }],
    },
  ],
};

test('what an agent says cannot steer the terminal that shows the report', () => {
  const text = print(report, 'text');
  assert.doesNotMatch(text, /[\u001b\u202e]/);
  assert.match(text, /\\u\{1b\}\[2J/);
});

test('what an agent says is nothing but text in the Markdown report', () => {
  const markdown = print(report, 'markdown');
  assert.doesNotMatch(markdown, /[\u001b\u202e]/);
  const [table = '', frames = ''] = markdown.split('### A rule');
  assert.doesNotMatch(table, /(?<!\\)<img|(?<!\\)\]\(command/);
  // A fence ends only at a run of backticks at least as long: the longest run inside has five.
  assert.match(frames, /^\n\n`{6}text\n[^\n]*\n`{6}\n$/);
});

test('the report names the rule and its link in every format', () => {
  for (const format of ['text', 'json', 'markdown'] as const) {
    assert.match(print(report, format), /agentclientprotocol\.com\/protocol\/v1\/page/);
  }
});

const wrong = (options: ReturnType<typeof parseOptions>): string =>
  typeof options === 'string' ? options : assert.fail('it was taken');

test('a command line is told what is wrong with it', () => {
  assert.match(wrong(parseOptions([])), /command/);
  assert.match(wrong(parseOptions(['agent'])), /"agent"/);
  assert.match(wrong(parseOptions(['--format', 'xml', '--', 'a'])), /text, json or markdown/);
  assert.match(wrong(parseOptions(['--timeout', '0', '--', 'a'])), /seconds/);
  assert.match(wrong(parseOptions(['--prompt'])), /--prompt needs a value/);
});

test('what stands behind "--" is the agent\'s, whatever it looks like', () => {
  const options = parseOptions(['--timeout', '2', '--', 'agent', '--format', 'xml', '--']);
  assert.ok(typeof options !== 'string');
  assert.equal(options.timeout, 2_000);
  assert.deepEqual([options.command, ...options.args], ['agent', '--format', 'xml', '--']);
});
