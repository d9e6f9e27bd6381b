import type {
  ChatViewState,
  DiffContent,
  DiffRow,
  Entry,
  Permission,
  Terminal,
  ToolCallEntry,
  Turn,
  TurnState,
} from '../../../src/bridge/messages.ts';

/** A fixed morning, so that pictures do not change with the clock. */
export const TEN = Date.UTC(2026, 10, 30, 10, 38);
const S = 1000;

type Part<T> = Partial<Omit<T, 'kind'>>;

export const user = (text: string): Entry => ({ kind: 'user', at: TEN, messageId: null, text });
export const agent = (text: string): Entry => ({ kind: 'agent', at: TEN, messageId: null, text });
export const thought = (text: string, took: number | null): Entry => ({
  kind: 'thought',
  at: TEN,
  endedAt: took === null ? null : TEN + took,
  messageId: null,
  text,
});

let calls = 0;
export function tool(fields: Part<ToolCallEntry>): ToolCallEntry {
  calls++;
  return {
    kind: 'tool',
    at: TEN,
    endedAt: fields.state === 'running' || fields.state === 'waiting' ? null : TEN + 1800,
    toolCallId: `call-${calls}`,
    title: '',
    toolKind: 'other',
    state: 'done',
    content: [],
    locations: [],
    rawInput: null,
    rawOutput: null,
    output: '',
    exit: null,
    cwd: null,
    permissions: [],
    ...fields,
  };
}

export function permission(fields: Part<Permission> = {}): Permission {
  return {
    id: 'p1',
    at: TEN,
    options: [
      { optionId: 'once', name: 'Yes, once', kind: 'allow_once' },
      {
        optionId: 'always',
        name: 'Yes, and always allow npm run build in this project',
        kind: 'allow_always',
      },
      { optionId: 'no', name: 'No, and tell the agent what to do instead…', kind: 'reject_once' },
    ],
    state: { kind: 'open' },
    ...fields,
  };
}

export function terminal(fields: Partial<Terminal> & { terminalId: string }): Terminal {
  return {
    command: 'npm test',
    cwd: '/project',
    startedAt: TEN,
    endedAt: fields.exit === null ? null : TEN + 3400,
    exit: { code: 0, signal: null },
    output: '',
    cut: false,
    ...fields,
  };
}

/** A call that holds a terminal of Parley's. */
export function commandCall(terminalId: string, fields: Part<ToolCallEntry> = {}): ToolCallEntry {
  return tool({
    title: terminalId,
    toolKind: 'execute',
    content: [{ type: 'terminal', terminalId }],
    ...fields,
  });
}

export function turn(state: TurnState, entries: readonly Entry[], id = 't1'): Turn {
  return {
    id,
    startedAt: TEN,
    endedAt: state.kind === 'running' ? null : TEN + 72 * S,
    state,
    entries,
  };
}

export const RUNNING: TurnState = { kind: 'running', cancelling: false };
export const ENDED: TurnState = { kind: 'stopped', reason: 'end_turn' };

/** A view with one chat; everything in it can be replaced. */
export function view(
  fields: Partial<Omit<ChatViewState, 'thread'>> & {
    thread?: Partial<ChatViewState['thread']>;
  } = {},
): ChatViewState {
  const { thread, ...rest } = fields;
  return {
    chat: { id: 'chat-1', readOnly: false },
    agent: { id: 'claude', name: 'Claude Code', state: { kind: 'ready' } },
    chats: [
      {
        id: 'chat-1',
        title: 'Retry with backoff',
        agentId: 'claude',
        agentName: 'Claude Code',
        updatedAt: TEN,
        state: 'running',
      },
    ],
    agents: [
      { id: 'claude', name: 'Claude Code', detail: 'npx claude-code-acp', chosen: true },
      { id: 'gemini', name: 'Gemini CLI', detail: 'gemini --acp', chosen: false },
      { id: 'reference', name: 'Parley Agent', detail: 'Works offline', chosen: false },
    ],
    workspace: { hasFolder: true, trusted: true, folders: ['/project'] },
    ...rest,
    thread: {
      title: null,
      past: [],
      latest: null,
      draft: '',
      queue: [],
      queueHeld: false,
      commands: [],
      usage: null,
      terminals: {},
      ...thread,
    },
  };
}

const row = (
  kind: DiffRow['kind'],
  oldLine: number | null,
  newLine: number | null,
  text: string,
): DiffRow => ({
  kind,
  oldLine,
  newLine,
  text,
});

export const DIFF: DiffContent = {
  type: 'diff',
  path: '/project/src/http.ts',
  oldText: 'old',
  newText: 'new',
  added: 12,
  removed: 3,
  rows: [
    row('same', 28, 28, 'export async function fetchJson(url: string) {'),
    row('del', 29, null, '  const res = await fetch(url);'),
    row('del', 30, null, '  if (!res.ok) throw new Error(res.statusText);'),
    row('add', null, 29, '  const res = await withRetry(() => get(url));'),
    row('add', null, 30, '  // get() throws HttpError with the status'),
    row('same', 31, 31, '  return res.json();'),
    row('same', 60, 60, '}'),
    row('add', null, 61, ''),
    row('add', null, 62, 'export const RETRYABLE = new Set([429, 502, 503, 504]);'),
  ],
  omittedRows: 0,
};

const ANSWER = `## What happens today

A 503 is thrown at once, see \`src/http.ts:31\`. Two callers wrap it with a loop of their own, with **different** limits:

| Caller | Waits | Tries |
|---|---|--:|
| sync.ts | fixed 1 s | 3 |
| upload.ts | none | 10 |

> A server may send Retry-After with any 429 or 503.

### Rules

- Retry only \`429\` and \`5xx\`, and only for idempotent methods.
- Respect \`Retry-After\`; else wait longer each time:
  - 200 ms, 400 ms, 800 ms, with jitter

- [x] One place for the policy
- [ ] Delete the two loops

\`\`\`ts
export async function withRetry<T>(run: () => Promise<T>, tries = 4) {
  for (let i = 1; ; i++) {
    try { return await run(); } // the last error is thrown
    catch (e) { if (i === tries || !retryable(e)) throw e; }
    await sleep(backoff(i, 'full-jitter'));
  }
}
\`\`\`
`;

const WORK: readonly Entry[] = [
  user(
    'Make fetchJson retry with backoff, and prove it with a test. Keep the public API as it is. The graph shows what users see today.',
  ),
  thought('The helper swallows the status code.', 12 * S),
  agent('I read the helper and its callers first. Here is what I found, and what I will do.'),
  tool({
    title: 'Read src/http.ts',
    toolKind: 'read',
    locations: [{ path: '/project/src/http.ts', line: 1 }],
    content: [{ type: 'text', text: '```\nexport async function fetchJson() {}\n```' }],
  }),
  tool({
    title: 'Search `fetchJson\\(`',
    toolKind: 'search',
    rawInput: { pattern: 'fetchJson\\(' },
  }),
  tool({
    title: 'Fetch developer.mozilla.org/…/Retry-After',
    toolKind: 'fetch',
    endedAt: TEN + 600,
  }),
  agent(ANSWER),
  {
    kind: 'plan',
    at: TEN,
    steps: [
      { content: 'Read the helper and its callers', priority: 'medium', status: 'completed' },
      { content: 'Write withRetry beside it', priority: 'medium', status: 'completed' },
      { content: 'Use it in fetchJson', priority: 'medium', status: 'completed' },
      { content: 'Replace the loop in sync.ts', priority: 'high', status: 'in_progress' },
      { content: 'Replace the loop in upload.ts', priority: 'medium', status: 'pending' },
      { content: 'Test with a fake clock', priority: 'medium', status: 'pending' },
      { content: 'Note it in the changelog', priority: 'low', status: 'pending' },
    ],
  },
  tool({ title: 'Edit src/http.ts', toolKind: 'edit', content: [DIFF] }),
  tool({
    title: 'Edit src/sync.ts',
    toolKind: 'edit',
    state: 'failed',
    locations: [{ path: 'src/sync.ts', line: null }],
    content: [
      {
        type: 'text',
        text: 'The text to replace was not found: the file changed on disk after it was read (10:40).',
      },
    ],
  }),
  tool({
    title: 'npm run bench',
    toolKind: 'execute',
    state: 'cancelled',
    rawInput: { command: 'npm run bench' },
  }),
  tool({
    title: 'npm test',
    toolKind: 'execute',
    state: 'running',
    rawInput: { command: 'npm test -- --run http' },
    output:
      ' RUN  v4.1.0 packages/http\n\n \u001b[32m✓\u001b[0m http.test.ts (9 tests) 412 ms\n ✓ retry.test.ts (6 tests) 88 ms\n ❯ sync.test.ts 4/11',
  }),
  tool({
    title: 'npm ci && npm run build',
    toolKind: 'execute',
    state: 'waiting',
    rawInput: { command: 'npm ci && npm run build -- --filter @acme/http && rm -rf dist/old' },
    permissions: [permission()],
  }),
];

/** A turn at work: nearly everything at once. */
export const WORKING = view({
  thread: {
    past: [],
    latest: turn(RUNNING, WORK),
    queue: [
      { id: 'q1', text: 'Then add a line to the changelog' },
      { id: 'q2', text: 'And open a draft pull request' },
    ],
  },
});

export const THINKING = view({
  thread: {
    past: [turn(ENDED, WORK.slice(0, 7), 't0')],
    latest: turn(RUNNING, [
      user('While that runs: does @upload.ts need it too?'),
      thought(
        'Uploads are POST requests, so they are not idempotent by themselves. There is an upload key in the header, though.',
        null,
      ),
      agent(
        'Yes, but with care. An upload is a `POST`, so it may only be sent again because it carries an `Idempotency-Key`',
      ),
    ]),
  },
});

export const EMPTY = view({
  chats: [],
  agent: { id: 'claude', name: 'Claude Code', state: { kind: 'ready' } },
});

export const TROUBLE = view({
  agent: {
    id: 'claude',
    name: 'Claude Code',
    state: {
      kind: 'failed',
      failure: {
        message: 'Claude Code stopped while it was working.',
        details: '',
        exit: 'code 1',
        stderr:
          "Error: EACCES: permission denied, mkdir '~/.cache/agent'\n    at Object.mkdirSync (node:fs:1364:26)",
      },
    },
  },
  workspace: { hasFolder: false, trusted: false },
  thread: {
    past: [
      turn(
        ENDED,
        [
          user('Build it'),
          tool({
            title: 'Edit settings.json',
            toolKind: 'edit',
            state: 'rejected',
            locations: [{ path: '~/.config/acme/settings.json', line: null }],
            permissions: [
              permission({
                id: 'a',
                state: { kind: 'answered', at: TEN + 240 * S, optionId: 'no' },
              }),
            ],
          }),
          tool({
            title: 'npm run build',
            toolKind: 'execute',
            rawInput: { command: 'npm run build' },
            endedAt: TEN + 8100,
            permissions: [
              permission({
                id: 'b',
                state: { kind: 'answered', at: TEN + 250 * S, optionId: 'once' },
              }),
            ],
          }),
          agent('The build works.'),
        ],
        'a',
      ),
      turn({ kind: 'stopped', reason: 'max_tokens' }, [user('Write a lot'), agent('A lot.')], 'b'),
      turn({ kind: 'stopped', reason: 'cancelled' }, [user('Never mind')], 'c'),
      turn({ kind: 'interrupted' }, [user('And then?')], 'd'),
    ],
    latest: turn(
      {
        kind: 'failed',
        failure: { message: 'Claude Code stopped while it was working.', details: '' },
      },
      [user('Go on')],
      'e',
    ),
    queue: [{ id: 'q1', text: 'Then the changelog' }],
    queueHeld: true,
  },
});

export const ASKING = view({
  thread: {
    latest: turn(RUNNING, [
      user('Update my settings'),
      tool({
        title: 'Edit ~/.config/acme/settings.json',
        toolKind: 'edit',
        state: 'waiting',
        content: [{ ...DIFF, path: '/home/me/.config/acme/settings.json' }],
        permissions: [permission()],
      }),
    ]),
  },
});

export const RTL = view({
  thread: {
    latest: turn(ENDED, [
      user('למה הבדיקה של retry.ts נכשלת?'),
      agent('השעון המדומה לא מקדם את `setTimeout`, ולכן הבדיקה ממתינה לנצח.'),
    ]),
  },
});
