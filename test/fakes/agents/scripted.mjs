/**
 * Does what the prompt's text says: a JSON list of steps, each `[verb, ...]`. What a request of the agent was answered
 * with is said back as JSON. Text that is no list is said back. `--version N`: speaks that version of the protocol.
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

const verbs = {
  say: (sessionId, text) => say(sessionId, text),
  update: (sessionId, body) => update(sessionId, body),
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
  readAll: (sessionId, paths) => Promise.all(paths.map((path) => verbs.read(sessionId, path))),
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
