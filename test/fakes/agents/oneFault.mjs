/**
 * A strict agent of a few lines that does one thing wrong: its argument says what, `none` for nothing. Each turn says
 * something, makes a tool call, asks for permission for it, and ends.
 */
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';

const [fault = 'none'] = process.argv.slice(2);
const is = (name) => fault === name;
const waiting = new Map();
const turns = new Map();
const sessions = new Set();
let greeted = false;
let ids = 0;

const write = (message) =>
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: is('jsonrpc') ? '1.0' : '2.0', ...message })}\n`,
  );
const refuse = (id, code) => write({ id, error: { code, message: `refused with ${code}` } });
const update = (sessionId, body) =>
  write({ method: 'session/update', params: { sessionId, update: body } });
const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

async function turn(id, { sessionId, prompt }) {
  if (!sessions.has(sessionId) && !is('anySession')) return refuse(id, -32002);
  if (prompt.some(({ type }) => type !== 'text' && type !== 'resource_link'))
    return refuse(id, -32602);
  if (is('dies')) process.exit(7);
  if (is('silent')) return;
  if (is('flood')) {
    setInterval(() => {
      for (let n = 0; n < 1_000; n += 1) say(sessionId, 'x'.repeat(1_000));
    }, 1);
    return;
  }
  if (is('hugeLine')) process.stdout.write(`${'x'.repeat(100_000_000)}\n`);
  if (is('file'))
    write({ id: 'f', method: 'terminal/create', params: { sessionId, command: 'ls' } });
  say(is('otherSession') ? 'session-x' : sessionId, is('badUpdate') ? 7 : 'Hello');
  if (!is('noToolCall')) {
    const locations = [{ path: is('relativePath') ? 'a.txt' : '/a.txt' }];
    update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Dig', locations });
  }
  const options = [
    { optionId: 'yes', name: 'Yes', kind: is('badOption') ? 'perhaps' : 'allow_once' },
    { optionId: is('sameOption') ? 'yes' : 'no', name: 'No', kind: 'reject_once' },
  ];
  const params = { sessionId, toolCall: { toolCallId: 'c1' }, options };
  const answer = new Promise((resolve) => waiting.set(`p${++ids}`, resolve));
  write({ id: `p${ids}`, method: 'session/request_permission', params });
  const { outcome } = (await answer).result;
  const status = outcome.optionId === 'yes' ? 'completed' : 'failed';
  if (!is('openCall'))
    update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status });
  if (is('backwards'))
    update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'pending' });
  const cancelled = turns.get(id) === 'cancelled';
  if (cancelled && is('cancelError')) return refuse(id, -32603);
  const stopReason =
    cancelled && !is('cancelEnds') ? 'cancelled' : is('stopReason') ? 'done' : 'end_turn';
  write({ id, result: { stopReason } });
  if (cancelled && is('cancelLate')) say(sessionId, 'late');
}

function request({ id, method, params }) {
  if (method === 'initialize') {
    greeted = true;
    const protocolVersion = is('version') ? '1' : is('echoVersion') ? params.protocolVersion : 1;
    const agentCapabilities = {
      loadSession: is('loadsAnything'),
      ...(is('badCapability') && { promptCapabilities: { image: 'yes' } }),
      ...(is('ownField') && { mine: true }),
    };
    const authMethods = is('badAuth') ? [{ id: 'a' }] : [];
    write({
      id,
      result: {
        protocolVersion,
        agentCapabilities,
        agentInfo: { name: 'one-fault', version: '1' },
        authMethods,
      },
    });
  } else if (!greeted) refuse(id, -32600);
  else if (method === 'session/new') {
    if (is('signIn')) return refuse(id, -32000);
    if (typeof params.cwd !== 'string' && !is('lax')) return refuse(id, -32602);
    if (!params.cwd?.startsWith('/') && !is('lax')) return refuse(id, -32602);
    const sessionId = is('sameId') ? 'session' : randomUUID();
    sessions.add(sessionId);
    if (is('leaves'))
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
        stdio: 'ignore',
        detached: true,
      });
    write({ id, result: is('noId') ? {} : { sessionId } });
  } else if (method === 'session/load' && is('loadsAnything')) write({ id, result: {} });
  else if (method === 'session/prompt') {
    turns.set(id, 'running');
    void turn(id, params);
  } else refuse(id, is('unknownMethod') ? -32603 : -32601);
}

function take(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    if (is('diesOfNoise')) process.exit(1);
    return is('noParseError') ? undefined : refuse(null, -32700);
  }
  if (Array.isArray(message)) return is('batch') ? undefined : refuse(null, -32600);
  if (message.method === undefined) return waiting.get(message.id)?.(message);
  if (typeof message.method !== 'string') return refuse(null, -32600);
  if (message.jsonrpc !== '2.0' && !is('anyVersion')) return refuse(null, -32600);
  if (message.id !== undefined)
    return request(is('ids') ? { ...message, id: String(message.id) } : message);
  if (message.method === 'session/cancel')
    for (const id of turns.keys()) turns.set(id, 'cancelled');
  else if (is('answersNotification')) refuse(null, -32601);
}

if (is('banner')) process.stdout.write('Welcome!\n');
if (is('stays')) setInterval(() => {}, 1_000);
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) take(line);
});
process.stdin.on('end', () => {
  if (!is('stays')) process.exit(0);
});
