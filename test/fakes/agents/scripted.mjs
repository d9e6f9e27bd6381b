/**
 * Does what the prompt's text says: a JSON list of steps, each `[verb, ...]`. What a request of the agent was answered
 * with is said back as JSON. Text that is no list is said back. `--version N`: speaks that version of the protocol.
 *
 * Terminals: `["request", "terminal/create", { "command": "ls" }]` sends any request of the session and says the result
 * (or the error); the value `"$terminal"` stands for the terminal created last, in requests and in updates:
 * `["update", { "sessionUpdate": "tool_call", ..., "content": [{ "type": "terminal", "terminalId": "$terminal" }] }]`.
 * `["quietly", method, params]` does the same and says nothing; `["poll", "text"]` asks for the output until it holds the text.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { answer, listen, say, send, update } from './peer.mjs';

const waiting = new Map();
const cancels = new Map();
let ids = 0;

const request = (method, params) => {
  const id = ids++;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
};
const ask = async (sessionId, params) => {
  const { result, error } = await request('session/request_permission', { sessionId, ...params });
  say(sessionId, JSON.stringify(result?.outcome ?? error.code));
};

let terminal = null;
const filledIn = (value) =>
  JSON.parse(JSON.stringify(value), (_, part) => (part === '$terminal' ? terminal : part));
const sessionRequest = async (sessionId, method, params = {}) => {
  const reply = await request(method, { sessionId, ...filledIn(params) });
  if (method === 'terminal/create' && reply.result) terminal = reply.result.terminalId;
  return reply.result ?? reply.error;
};

const verbs = {
  request: async (sessionId, method, params) =>
    say(sessionId, `${JSON.stringify(await sessionRequest(sessionId, method, params))}\n`),
  /** Sends a request and does not wait for its answer. */
  start: (sessionId, method, params) => void sessionRequest(sessionId, method, params),
  /** Takes a request back after some milliseconds, and says what it was answered all the same. */
  takeBack: async (sessionId, method, params, ms) => {
    const id = ids;
    const reply = sessionRequest(sessionId, method, params);
    await delay(ms);
    send({ method: '$/cancel_request', params: { requestId: id } });
    say(sessionId, `${JSON.stringify(await reply)}\n`);
  },
  quietly: async (sessionId, method, params) =>
    void (await sessionRequest(sessionId, method, params)),
  poll: async (sessionId, text) => {
    for (;;) {
      const { output, code } = await sessionRequest(sessionId, 'terminal/output', {
        terminalId: terminal,
      });
      if (code !== undefined || output.includes(text)) return;
      await delay(20);
    }
  },
  say: (sessionId, text) => say(sessionId, text),
  update: (sessionId, body) => update(sessionId, filledIn(body)),
  /** Tells something after some milliseconds, when the turn may be over. */
  lateUpdate: (sessionId, ms, body) => void delay(ms).then(() => update(sessionId, body)),
  elsewhere: (sessionId, other, body) => update(other, body),
  ask,
  askAll: (sessionId, list) => Promise.all(list.map((params) => ask(sessionId, params))),
  read: async (sessionId, path, more = {}) => {
    const { result, error } = await request('fs/read_text_file', { sessionId, path, ...more });
    say(sessionId, JSON.stringify(result?.content ?? error));
  },
  write: async (sessionId, path, content) => {
    const { result, error } = await request('fs/write_text_file', { sessionId, path, content });
    say(sessionId, JSON.stringify(result ?? error));
  },
  /** Writes a file again and again, all `a` and all `b` in turn. */
  writeOver: async (sessionId, path, characters, times) => {
    for (let n = 1; n <= times; n++) {
      const content = 'ab'[n % 2].repeat(characters);
      await request('fs/write_text_file', { sessionId, path, content });
    }
  },
  readAll: (sessionId, paths) => Promise.all(paths.map((path) => verbs.read(sessionId, path))),
  /** Writes after some milliseconds, when the turn may be over. */
  later: (sessionId, ms, path, content) =>
    void delay(ms).then(() => request('fs/write_text_file', { sessionId, path, content })),
  /** Reads files below a folder, all at once, and says nothing. */
  flood: (sessionId, folder, times) => {
    for (let n = 0; n < times; n++) {
      void request('fs/read_text_file', { sessionId, path: `${folder}/${n}` });
    }
  },
  wait: (sessionId) => new Promise((resolve) => cancels.set(sessionId, resolve)),
  sleep: (sessionId, ms) => delay(ms),
  stderr: (sessionId, text) => void process.stderr.write(`${text}\n`),
  exit: (sessionId, code) => new Promise(() => process.stdout.write('', () => process.exit(code))),
  refuse: (sessionId, error) => ({ error }),
  end: (sessionId, stopReason) => ({ stopReason }),
};

function stepsOf(text) {
  try {
    const steps = JSON.parse(text);
    return Array.isArray(steps) ? steps : [['say', text]];
  } catch {
    return [['say', text]];
  }
}

async function turn(prompt) {
  const { sessionId, prompt: blocks } = prompt.params;
  for (const [verb, ...args] of stepsOf(blocks[0].text)) {
    const end = await verbs[verb](sessionId, ...args);
    if (end?.error) return send({ id: prompt.id, error: end.error });
    if (end?.stopReason) return answer(prompt, end);
  }
  answer(prompt, { stopReason: 'end_turn' });
}

const version = process.argv.indexOf('--version');

listen({
  ...(version > 0 && {
    initialize: (request) =>
      answer(request, { protocolVersion: Number(process.argv[version + 1]) }),
  }),
  'session/prompt': (prompt) => void turn(prompt),
  'session/cancel': ({ params }) => cancels.get(params.sessionId)?.(),
  response: (message) => waiting.get(message.id)?.(message),
});
