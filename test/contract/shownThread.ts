import { createHash } from 'node:crypto';

import type { Entry, Thread, ToolCallEntry, ToolContent, Turn } from '../../src/thread/thread.ts';

/** A thread in the words of the expected files (test/fixtures/scripts/expectedThreads.mjs). */
export function shownThread(sessionId: string, thread: Thread): object {
  const { title, usage, commands, past, latest } = thread;
  const turns = latest === null ? past : [...past, latest];
  return {
    sessionId,
    title,
    usage: usage === null ? null : `${usage.used} of ${usage.size}`,
    commands: commands.map(({ name }) => name),
    turns: turns.map((turn) => ({
      state: shownState(turn),
      entries: turn.entries.map(shownEntry),
    })),
  };
}

function shownState({ state }: Turn): string {
  if (state.kind === 'stopped') return `stopped: ${state.reason}`;
  if (state.kind === 'failed') return `failed: ${state.failure.message}`;
  return state.kind;
}

function shownEntry(entry: Entry): object {
  switch (entry.kind) {
    case 'user':
    case 'agent':
    case 'thought':
      return { kind: entry.kind, text: digest(entry.text) };
    case 'plan': {
      const steps = entry.steps.map((step) => `${step.status} ${step.priority}: ${step.content}`);
      return { kind: 'plan', steps };
    }
    case 'tool':
      return shownCall(entry);
    case 'block':
    case 'notice':
      return entry;
  }
}

function shownCall(call: ToolCallEntry): object {
  return {
    kind: 'tool',
    id: call.toolCallId,
    title: digest(call.title),
    toolKind: call.toolKind,
    state: call.state,
    content: call.content.map(shownContent),
    locations: call.locations.map(({ path, line }) => (line === null ? path : `${path}:${line}`)),
    rawInput: digestJson(call.rawInput),
    rawOutput: digestJson(call.rawOutput),
    output: digest(call.output),
    exit: call.exit === null ? null : `code ${call.exit.code}, signal ${call.exit.signal}`,
    permissions: call.permissions.map(({ options, state }) => ({
      options: options.map(({ optionId, kind, name }) => `${optionId} (${kind}): ${name}`),
      answer: state.kind === 'answered' ? state.optionId : state.kind,
    })),
  };
}

function shownContent(part: ToolContent): object {
  switch (part.type) {
    case 'text':
      return { text: digest(part.text) };
    case 'block':
      return { block: part.block.type };
    case 'terminal':
      return { terminal: part.terminalId };
    case 'diff': {
      const { path, oldText, newText } = part;
      return {
        diff: path,
        oldText: oldText === null ? null : digest(oldText),
        newText: digest(newText),
      };
    }
  }
}

function digest(text: string): string {
  if (text.length <= 300) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `${text.slice(0, 40)}... (${text.length} characters, sha256 ${hash})`;
}

function digestJson(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= 300 ? value : digest(text);
}
