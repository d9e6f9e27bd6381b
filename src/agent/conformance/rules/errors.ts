import { advise, deviates, notRun } from '../finding.ts';
import { show } from '../json.ts';
import type { Reply } from '../peer.ts';
import type { Rule, Subject } from '../rule.ts';
import { AUTH_REQUIRED, told } from '../walk.ts';
import type { Walk } from '../walk.ts';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

const UNKNOWN = '_parley.dev/conformance/unknown';
/** Milliseconds that a refusal may come after the answer to a request that was sent later. */
const AFTER_MS = 1_000;

const unknownMethod: Rule = {
  id: 'errors.unknown-method',
  title: `An unknown request is answered with ${METHOD_NOT_FOUND}`,
  spec: 'extensibility#custom-requests',
  check: async (walk) => {
    expectError(await walk.ask(UNKNOWN, {}), METHOD_NOT_FOUND);
  },
};

const unknownNotification: Rule = {
  id: 'errors.unknown-notification',
  title: 'An unknown notification is ignored',
  spec: 'jsonrpc#notification',
  check: async (walk) => {
    const peer = await walk.ready();
    peer.notify(UNKNOWN, {});
    await expectLife(walk);
    const [answer] = peer.stray;
    if (answer !== undefined) deviates(`it was answered: ${told(answer)}`);
  },
};

const stringId: Rule = {
  id: 'errors.string-id',
  title: 'A request with a text as its id is answered with that id',
  spec: 'jsonrpc#request_object',
  check: async (walk) => {
    const peer = await walk.ready();
    const id = 'parley-\u00e9-1';
    const reply = await peer.request(UNKNOWN, {}, walk.timeout, id);
    if (reply.kind === 'nothing') deviates(told(reply));
    if (reply.id !== id) deviates(`the id was ${show(reply.id)}, not ${show(id)}`);
  },
};

const missingParams: Rule = {
  id: 'errors.missing-params',
  title: `Missing parameters are answered with ${INVALID_PARAMS}`,
  spec: 'jsonrpc#error_object',
  check: async (walk) => {
    const reply = await walk.ask('session/new', {});
    if (reply.kind === 'error' && reply.code === AUTH_REQUIRED) notRun('needs sign-in');
    expectError(reply, INVALID_PARAMS);
  },
};

const notJson: Rule = {
  id: 'errors.not-json',
  title: `A line that is not JSON is answered with ${PARSE_ERROR}, and the agent lives on`,
  spec: 'jsonrpc#error_object',
  check: (walk) => refused(walk, '{"jsonrpc":"2.0","method', PARSE_ERROR),
};

const wrongVersion: Rule = {
  id: 'errors.jsonrpc-version',
  title: `A request without "jsonrpc": "2.0" is answered with ${INVALID_REQUEST}`,
  spec: 'jsonrpc#request_object',
  check: (walk) => {
    const id = 'parley-1.0';
    const line = JSON.stringify({ jsonrpc: '1.0', id, method: UNKNOWN, params: {} });
    return refused(walk, line, INVALID_REQUEST, id);
  },
};

const noRequest: Rule = {
  id: 'errors.invalid-request',
  title: `JSON that is no request is answered with ${INVALID_REQUEST}`,
  spec: 'jsonrpc#error_object',
  // The example of JSON-RPC 2.0, section 7.
  check: (walk) => refused(walk, '{"jsonrpc":"2.0","method":1,"params":"bar"}', INVALID_REQUEST),
};

const batch: Rule = {
  id: 'errors.batch',
  title: `A batch, which ACP v1 does not have, is refused with one ${INVALID_REQUEST}`,
  spec: 'transports#stdio',
  check: async (walk) => {
    const requests = ['batch-1', 'batch-2'].map((id) => ({ jsonrpc: '2.0', id, method: UNKNOWN }));
    await refused(walk, JSON.stringify(requests), INVALID_REQUEST);
    const count = walk.current?.stray.length ?? 0;
    if (count > 1) deviates(`there were ${count} answers`);
  },
};

const pieces: Rule = {
  id: 'transport.pieces',
  title: 'A message may come in pieces, and two may come at once',
  spec: 'transports#stdio',
  check: async (walk) => {
    const peer = await walk.ready();
    const ids = ['piece-1', 'piece-2'];
    const answers = ids.map((id) => peer.answerTo(id, walk.timeout));
    const lines = ids.map((id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: UNKNOWN, params: { text: '\u{1f642}' } }),
    );
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    // In the middle of a character.
    const middle = bytes.indexOf(0xf0) + 2;
    peer.sendPiece(bytes.subarray(0, middle));
    await new Promise((resolve) => setImmediate(resolve));
    peer.sendPiece(bytes.subarray(middle));
    for (const answer of answers) expectError(await answer, METHOD_NOT_FOUND);
  },
};

export const errors: Subject = {
  name: 'Errors',
  rules: [
    unknownMethod,
    unknownNotification,
    stringId,
    missingParams,
    notJson,
    wrongVersion,
    noRequest,
    batch,
    pieces,
  ],
};

function expectError(reply: Reply, code: number): void {
  if (reply.kind !== 'error' || reply.code !== code) deviates(told(reply));
}

async function expectLife(walk: Walk): Promise<void> {
  const peer = walk.current;
  if (peer === undefined || (await peer.lives(walk.timeout))) return;
  walk.doubtful = true;
  deviates(peer.gone ?? 'after that it answers nothing any more');
}

/** Sends a line that is to be refused with an error, whose id is null or that of the request if it has one. */
async function refused(walk: Walk, line: string, code: number, id?: string): Promise<void> {
  const peer = await walk.ready();
  const answers: Reply[] = [];
  const own = id === undefined ? undefined : peer.answerTo(id, walk.timeout);
  void own?.then((reply) => answers.push(reply));
  peer.send(line);
  await expectLife(walk);
  await peer.until(() => peer.stray.length + answers.length > 0, AFTER_MS);
  const answer = peer.stray[0] ?? answers[0];
  if (answer === undefined) deviates('nothing was answered');
  if (answer.kind !== 'error' || answer.code !== code) deviates(told(answer));
  if (answer.id !== null && answer.id !== id)
    advise(`the id of the error is ${show(answer.id)}, not null`);
}
