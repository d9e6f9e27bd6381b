import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  chunk,
  event,
  fails,
  hangsAfter,
  ModelEndpoint,
  raw,
  says,
  type Reply,
} from '../fakes/modelEndpoint.ts';
import { until } from './agentDriver.ts';
import { faultOf, roomFor } from './agentModelRoom.ts';

const KEY = 'sk-test-0123456789abcdef';

const broken: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event(chunk({ content: 'Half' })), () => response.destroy());
};

const forever =
  (piece: string): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = (): void => {
      if (!response.destroyed) response.write(piece, () => setImmediate(more));
    };
    more();
  };

const html = '<!doctype html><title>Sign in</title>';

for (const [what, replies, words] of [
  ['a key that is missing', [fails(401, { error: { message: 'no key' } })], /API key.*401.*no key/],
  ['no access', [fails(403, { error: 'not you' })], /403.*not you/],
  [
    'a model that is not there',
    [fails(404, { error: { message: "model 'tester' not found, try pulling it" } })],
    /“tester”.*404.*try pulling/,
  ],
  ['an address that is not there', [fails(404, html)], /404.*base URL/],
  [
    'too long a context',
    [fails(400, { message: 'context too long' }), fails(400, { message: 'context too long' })],
    /400.*context too long/,
  ],
  ['a fault of the server', [fails(500, { error: { message: 'out of memory' } })], /500.*memory/],
  ['a proxy without a server', [fails(502, html)], /failed \(502\)\.$/],
  ['a web page', [raw(html, 'text/html')], /web page/],
  ['a stream that breaks off', [broken], /closed the connection/],
  ['a stream that ends early', [raw(event(chunk({ content: 'x' })))], /in the middle/],
  ['nothing at all', [raw('')], /in the middle/],
  ['events that are no JSON', [raw(event('{"choices":'))], /no JSON/],
  ['a body that is no JSON', [raw('{', 'application/json')], /no JSON/],
  ['a body that is no stream', [raw('hello\n\nworld', 'text/plain')], /in the middle/],
  [
    'an error inside the stream',
    [raw(event(chunk({ content: 'x' })) + event({ error: { message: 'ran out' } }))],
    /failed: ran out/,
  ],
  ['a line without an end', [forever('x'.repeat(64 * 1024))], /line that is too long/],
  [
    'an answer without an end',
    [forever(`: ${'x'.repeat(64 * 1024)}\n`)],
    /answer that is too long/,
  ],
  [
    'arguments without an end',
    [
      forever(
        event(chunk({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(60_000) } }] })),
      ),
    ],
    /arguments that are too long/,
  ],
  [
    'calls without an end',
    [
      raw(
        Array.from({ length: 100 }, (_, index) =>
          event(chunk({ tool_calls: [{ index, function: { name: 'list', arguments: '{}' } }] })),
        ).join(''),
      ),
    ],
    /more than 64/,
  ],
  ['a wait that is too long', [fails(429, {}, { 'retry-after': '3600' })], /too many requests/],
] as const) {
  test(`${what}: the turn fails in words that name the host, and the chat goes on`, async (t) => {
    const room = await roomFor(t);
    room.endpoint.script(...replies, says('fine'));
    const message = await faultOf(room);
    assert.match(message, words);
    assert.ok(message.includes(room.endpoint.host), message);
    assert.ok(!message.includes('<'), 'HTML in a message');
    assert.equal(room.endpoint.asked.length, replies.length);
    assert.equal((await room.driver.prompt(room.id, 'again')).stopReason, 'end_turn');
    // The roles take turns, which many templates of local models demand.
    const roles = room.endpoint.last.body.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'assistant', 'user']);
  });
}

test('an endpoint where nobody listens is named, with what to look at', async (t) => {
  const gone = await ModelEndpoint.start();
  const { host } = gone;
  await gone.stop();
  const room = await roomFor(t, { env: { PARLEY_AGENT_BASE_URL: `http://${host}` } });
  const message = await faultOf(room);
  assert.match(message, /refused/);
  assert.ok(message.includes(host));
});

test('a busy endpoint is asked again after the time that it names, and no more than three times', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id } = room;
  endpoint.script(fails(429, {}, { 'retry-after': '0' }), says('now'));
  await driver.prompt(id, 'go');
  assert.equal(driver.said(id), 'now');
  assert.match(driver.thought(id), /busy/);
  const busy = fails(429, { error: { message: 'slow down' } }, { 'retry-after': '0' });
  endpoint.script(busy, busy, busy, busy);
  assert.match(await faultOf(room), /429.*slow down/);
  assert.equal(endpoint.asked.length, 2 + 3);
});

test('a stop while a busy endpoint is waited for ends the turn at once', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(fails(429, {}, { 'retry-after': '25' }));
  const begun = performance.now();
  const turn = driver.prompt(id, 'go');
  await until('the wait', () => driver.thought(id).includes('25 s'));
  await driver.cancel(id);
  assert.equal((await turn).stopReason, 'cancelled');
  assert.ok(performance.now() - begun < 10_000);
});

for (const [what, reply] of [
  ['before the answer', () => undefined],
  ['in the middle of the answer', hangsAfter('I begin')],
] as const) {
  test(`an endpoint that falls silent ${what} is given up`, async (t) => {
    const room = await roomFor(t, { env: { PARLEY_AGENT_PATIENCE_MS: '300' } });
    room.endpoint.script(reply);
    assert.match(await faultOf(room), /silent/);
    await until('the request is broken off', () => room.endpoint.aborted === 1);
  });
}

test('the key goes to the endpoint, and into no message, error, or line of stderr', async (t) => {
  const room = await roomFor(t, { env: { PARLEY_AGENT_API_KEY: KEY } });
  const { endpoint, driver, id } = room;
  const tell = (status: number): Reply => fails(status, { error: { message: `bad key ${KEY}` } });
  endpoint.script(
    tell(401),
    tell(500),
    raw(event({ error: { message: `bad key ${KEY}` } })),
    says(`Your key is ${KEY}.`),
  );
  for (let times = 0; times < 3; times += 1) {
    const message = await faultOf(room);
    assert.match(message, /bad key/);
    assert.ok(!message.includes(KEY), message);
  }
  await driver.prompt(id, 'go');
  assert.equal(endpoint.last.authorization, `Bearer ${KEY}`);
  assert.match(driver.said(id), /Your key is/);
  assert.ok(!JSON.stringify(driver.updates(id)).includes(KEY));
  assert.ok(!JSON.stringify(endpoint.last.body).includes(KEY));
  assert.ok(!driver.log.includes(KEY));
});

test('no redirect is followed: neither the key nor the prompt goes to another host', async (t) => {
  const visitors: unknown[] = [];
  const other = http.createServer((request, response) => {
    visitors.push(request.headers);
    response.end();
  });
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  for (const status of [301, 302, 303, 307, 308]) {
    const room = await roomFor(t, { env: { PARLEY_AGENT_API_KEY: KEY } });
    const location = `http://127.0.0.1:${port}/v1/chat/completions?x=1`;
    room.endpoint.script(fails(status, '', { location }));
    assert.match(await faultOf(room), new RegExp(`redirect|127.0.0.1:${port}`));
  }
  assert.deepEqual(visitors, []);
});

for (const [what, env, words] of [
  ['another scheme', { PARLEY_AGENT_BASE_URL: 'file:///etc/passwd' }, /http/],
  ['no URL', { PARLEY_AGENT_BASE_URL: 'localhost' }, /http/],
  ['a password in the URL', { PARLEY_AGENT_BASE_URL: 'http://u:hunter2@x/v1' }, /password/],
  ['no model', { PARLEY_AGENT_MODEL: '' }, /no model is named/],
  ['a key over two lines', { PARLEY_AGENT_API_KEY: 'hunter2\nx' }, /API key/],
  ['nothing at all', { PARLEY_AGENT_BASE_URL: '', PARLEY_AGENT_MODEL: '' }, /none inside/],
] as const) {
  test(`with ${what}, the agent says so in one message and refuses, and works offline`, async (t) => {
    const { endpoint, driver, id } = await roomFor(t, { env });
    for (const prompt of ['/model', 'Please implement a parser', 'use the model, please']) {
      const before = driver.updates(id).length;
      assert.equal((await driver.prompt(id, prompt)).stopReason, 'refusal');
      const messages = driver
        .updates(id)
        .slice(before)
        .flatMap((one) => (one.sessionUpdate === 'agent_message_chunk' ? [one] : []));
      assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, 1);
      const text = messages.map(({ content }) => (content.type === 'text' ? content.text : ''));
      assert.match(text.join(''), words);
      assert.match(text.join(''), /PARLEY_AGENT_BASE_URL/);
      assert.ok(!text.join('').includes('hunter2'));
    }
    assert.equal((await driver.prompt(id, 'list todos')).stopReason, 'end_turn');
    assert.equal(endpoint.asked.length, 0);
    assert.ok(!driver.log.includes('hunter2'));
  });
}

test('the base URL may be the server, its version, with a slash or without, or the whole address', async (t) => {
  for (const [suffix, paths] of [
    ['', ['/v1/chat/completions']],
    ['/', ['/v1/chat/completions']],
    ['/v1', ['/v1/chat/completions']],
    ['/v1/', ['/v1/chat/completions']],
    ['/api/v3/chat/completions', ['/api/v3/chat/completions']],
    ['/openai', ['/openai/chat/completions']],
  ] as const) {
    const endpoint = await ModelEndpoint.start();
    const base = `http://${endpoint.host}${suffix}`;
    const { driver, id } = await roomFor(t, { env: { PARLEY_AGENT_BASE_URL: base } });
    endpoint.script(says('ok'));
    await driver.prompt(id, 'go');
    assert.deepEqual(
      endpoint.asked.map(({ path }) => path),
      paths,
    );
    await endpoint.stop();
  }
});

test('where there is no such path, the other usual one is tried, and remembered', async (t) => {
  const endpoint = await ModelEndpoint.start();
  t.after(() => endpoint.stop());
  const { driver, id } = await roomFor(t, {
    env: { PARLEY_AGENT_BASE_URL: `http://${endpoint.host}/proxy` },
  });
  endpoint.script(fails(404, '404 page not found'), says('a'), says('b'));
  await driver.prompt(id, 'go');
  await driver.prompt(id, 'go');
  assert.deepEqual(
    endpoint.asked.map(({ path }) => path),
    ['/proxy/chat/completions', '/proxy/v1/chat/completions', '/proxy/v1/chat/completions'],
  );
});
