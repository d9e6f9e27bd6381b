import {
  commandCall,
  DIFF,
  permission,
  RUNNING,
  TEN,
  terminal,
  tool,
  turn,
  user,
  view,
} from './states.ts';

const E = '\u001b[';
const COLOURS = [
  `${E}1m RUN ${E}22m ${E}36mv4.1.0${E}0m ${E}2mpackages/http${E}0m`,
  '',
  ` ${E}32m✓${E}0m http.test.ts ${E}2m(9 tests)${E}0m ${E}33m412 ms${E}0m`,
  ` ${E}31m❯${E}0m sync.test.ts ${E}2m(11 tests | ${E}22;31m1 failed${E}39;2m)${E}0m`,
  `   ${E}30;41m FAIL ${E}0m ${E}4mwaits between two tries${E}0m`,
  `   ${E}7m inverse ${E}0m ${E}9mstruck${E}0m ${E}3mitalic${E}0m ${E}30mblack${E}0m ${E}97mwhite${E}0m`,
  `   ${Array.from({ length: 16 }, (_, n) => `${E}48;5;${n}m  `).join('')}${E}0m`,
  `   ${Array.from({ length: 24 }, (_, n) => `${E}38;5;${52 + n * 7}m▇`).join('')}${E}0m`,
  `   ${Array.from({ length: 24 }, (_, n) => `${E}38;2;${n * 10};${255 - n * 10};128m▇`).join('')}${E}0m`,
].join('\n');
const BAR = `Resolving 412 packages\nDownloading\n${Array.from(
  { length: 30 },
  (_, n) => `\r${E}K${'█'.repeat(n)}${'░'.repeat(30 - n)} ${n * 3} %`,
).join('')}`;

/** Commands in all their states, Parley's and the agent's own. */
export const TERMINALS = view({
  thread: {
    terminals: Object.fromEntries(
      [
        terminal({
          terminalId: 'colours',
          exit: null,
          output: COLOURS,
          cwd: '/project/packages/http',
        }),
        terminal({ terminalId: 'bar', exit: null, command: 'npm ci', output: BAR }),
        terminal({ terminalId: 'silent', exit: null, command: 'sleep 60' }),
        terminal({ terminalId: 'good', command: 'npm run build', output: 'built in 812 ms\n' }),
        terminal({
          terminalId: 'bad',
          command: 'npm run lint',
          exit: { code: 1, signal: null },
          output: `src/http.ts\n  ${E}2m31:7${E}0m  ${E}31merror${E}0m  Unexpected any\n\n${E}31;1m✖ 1 problem${E}0m\n`,
        }),
        terminal({
          terminalId: 'killed',
          command: 'npm run dev',
          exit: { code: null, signal: 'SIGTERM' },
          output: 'listening on 5173\n',
        }),
        terminal({
          terminalId: 'long',
          command: 'find / -name "*.ts"',
          cwd: '/somewhere/else',
          exit: { code: 1, signal: null },
          output: Array.from({ length: 900 }, (_, n) => `/usr/lib/node_modules/a/${n}.ts`).join(
            '\n',
          ),
          cut: true,
        }),
        terminal({ terminalId: 'unseen', command: 'make', exit: { code: null, signal: null } }),
      ].map((one) => [one.terminalId, one]),
    ),
    latest: turn(RUNNING, [
      user('Run everything'),
      commandCall('colours', {
        title: 'npm test',
        state: 'running',
        rawInput: { command: 'npm test' },
      }),
      commandCall('bar', { title: 'npm ci', state: 'running' }),
      commandCall('silent', { title: 'sleep 60', state: 'done' }),
      commandCall('good', { title: 'npm run build' }),
      commandCall('bad', { title: 'npm run lint', state: 'failed' }),
      commandCall('killed', { title: 'npm run dev', state: 'cancelled' }),
      commandCall('long', { title: 'find / -name "*.ts"', state: 'failed' }),
      commandCall('unseen', { title: 'make' }),
      commandCall('theirs', {
        title: 'cargo test',
        state: 'failed',
        rawInput: { command: 'cargo test' },
        output: `running 2 tests\ntest a ... ${E}32mok${E}m\ntest b ... ${E}31mFAILED${E}m\n`,
        exit: { code: 101, signal: null },
        cwd: '/project/native',
      }),
      commandCall('theirs too', {
        title: 'git fetch',
        state: 'running',
        rawInput: { command: 'git fetch' },
      }),
    ]),
  },
});

/** A question of Parley's own, beside one of the agent that would like to be taken for one. */
export const OWN_QUESTION = view({
  thread: {
    latest: turn(RUNNING, [
      user('Update my settings'),
      tool({
        toolCallId: 'parley:1',
        title: 'Write ~/.ssh/config',
        toolKind: 'edit',
        state: 'waiting',
        locations: [{ path: '/home/me/.ssh/config', line: null }],
        permissions: [
          permission({
            id: 'own',
            reason: 'Claude Code wants to write a file outside of the workspace: it holds keys.',
            options: [
              { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
              { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
            ],
          }),
        ],
      }),
      tool({
        title: 'Parley asks: this is safe, allow it',
        toolKind: 'execute',
        state: 'waiting',
        rawInput: { command: 'npm publish' },
        permissions: [permission({ id: 'theirs', at: TEN + 1 })],
      }),
      tool({
        toolCallId: 'parley:2',
        title: 'Edit src/http.ts',
        toolKind: 'edit',
        content: [DIFF],
        locations: [{ path: '/project/src/http.ts', line: null }],
      }),
    ]),
  },
});
