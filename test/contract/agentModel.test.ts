import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calls,
  chunk,
  event,
  fails,
  hangsAfter,
  raw,
  says,
  streams,
} from '../fakes/modelEndpoint.ts';
import { until, chunksOf } from './agentDriver.ts';
import { callsIn, roomFor, toldIn } from './agentModelRoom.ts';

test('an answer streams piece by piece as one message, and the model hears who it is and what was asked', async (t) => {
  const { endpoint, driver, id, folder } = await roomFor(t);
  endpoint.script(says('Hel', 'lo ', '**you**'));
  assert.deepEqual(await driver.prompt(id, 'greet me'), { stopReason: 'end_turn' });
  assert.deepEqual(chunksOf(driver.updates(id), 'agent_message_chunk'), ['Hel', 'lo ', '**you**']);
  const ids = driver
    .updates(id)
    .flatMap((one) => (one.sessionUpdate === 'agent_message_chunk' ? [one.messageId] : []));
  assert.equal(new Set(ids).size, 1);
  const { path, body, authorization } = endpoint.last;
  assert.equal(path, '/v1/chat/completions');
  assert.equal(authorization, undefined);
  assert.equal(body.model, 'tester');
  assert.equal(body.stream, true);
  assert.deepEqual(body.stream_options, { include_usage: true });
  const [system, user] = body.messages;
  assert.equal(system?.role, 'system');
  assert.ok(String(system.content).includes(folder));
  assert.deepEqual(user, { role: 'user', content: 'greet me' });
});

test('the answer shows while it streams, and a stop breaks the request off at once', async (t) => {
  const room = await roomFor(t);
  const { endpoint, driver, id } = room;
  endpoint.script(hangsAfter('I begin'), says('fine'));
  const turn = driver.prompt(id, 'talk');
  await until('the first words', () => driver.said(id) === 'I begin');
  await driver.cancel(id);
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
  await until('the request is broken off', () => endpoint.aborted === 1);
  await driver.prompt(id, 'again');
  const told = endpoint.last.body.messages.slice(1).map(({ role, content }) => [role, content]);
  assert.deepEqual(told, [
    ['user', 'talk'],
    ['assistant', 'I begin'],
    ['user', 'again'],
  ]);
});

test('a stop before the first word leaves the model a conversation that takes turns', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(() => undefined, says('fine'));
  const turn = driver.prompt(id, 'talk');
  await until('the request', () => endpoint.asked.length === 1);
  await driver.cancel(id);
  assert.deepEqual(await turn, { stopReason: 'cancelled' });
  await until('the request is broken off', () => endpoint.aborted === 1);
  await driver.prompt(id, 'again');
  assert.deepEqual(
    endpoint.last.body.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
});

for (const [what, field] of [
  ['reasoning_content', 'reasoning_content'],
  ['reasoning', 'reasoning'],
] as const) {
  test(`thoughts in ${what} are shown as thoughts, and are no part of the conversation`, async (t) => {
    const { endpoint, driver, id } = await roomFor(t);
    endpoint.script(
      streams([{ [field]: 'Hm, ' }, { [field]: 'yes.' }, { content: 'Done.' }]),
      says('fine'),
    );
    await driver.prompt(id, 'think');
    assert.equal(driver.thought(id), 'Hm, yes.');
    assert.equal(driver.said(id), 'Done.');
    await driver.prompt(id, 'again');
    assert.ok(!JSON.stringify(endpoint.last.body.messages).includes('Hm'));
  });
}

test('thoughts between <think> tags are told from the words, wherever the pieces end', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(
    says('<th', 'ink>Let me', ' see.</', 'think>\n\nThe answer', ' has a <think> tag.'),
  );
  await driver.prompt(id, 'think');
  assert.equal(driver.thought(id), 'Let me see.');
  assert.equal(driver.said(id), 'The answer has a <think> tag.');
});

test('while a turn lasts, thoughts go back with the calls that they led to', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  const call = {
    index: 0,
    id: 'a',
    function: { name: 'plan', arguments: '{"steps":[]}' },
  };
  endpoint.script(
    streams([{ reasoning_content: 'A plan.' }, { tool_calls: [call] }], 'tool_calls'),
    says('ok'),
    says('fine'),
  );
  await driver.prompt(id, 'go');
  assert.equal(endpoint.last.body.messages.at(-2)?.reasoning_content, 'A plan.');
  await driver.prompt(id, 'again');
  assert.ok(!JSON.stringify(endpoint.last.body).includes('A plan.'));
});

test('the tokens that the endpoint counts are told; without a count nothing is', async (t) => {
  const { endpoint, driver, id } = await roomFor(t, {
    env: { PARLEY_AGENT_CONTEXT_TOKENS: '8192' },
  });
  endpoint.script(streams([{ content: 'a' }], 'stop', [1200, 34]), says('b'));
  await driver.prompt(id, 'one');
  await driver.prompt(id, 'two');
  const usage = driver.updates(id).filter((one) => one.sessionUpdate === 'usage_update');
  assert.deepEqual(usage, [{ sessionUpdate: 'usage_update', used: 1234, size: 8192 }]);
});

test('a server that refuses the option for token counts is asked without it, then and later', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(
    fails(400, { error: { message: 'Unrecognized field: stream_options' } }),
    says('one'),
    says('two'),
  );
  await driver.prompt(id, 'a');
  await driver.prompt(id, 'b');
  assert.equal(driver.said(id), 'onetwo');
  assert.deepEqual(
    endpoint.asked.map(({ body }) => body.stream_options),
    [{ include_usage: true }, undefined, undefined],
  );
});

test('a model that takes no tools is asked without them, and the person is told', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(
    fails(400, { error: { message: 'registry/library/small:1b does not support tools' } }),
    says('Words.'),
  );
  await driver.prompt(id, 'a');
  assert.equal(endpoint.last.body.tools, undefined);
  assert.match(driver.said(id), /^Words\..*no tools/s);
});

test('a server that does not stream is understood', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  const message = { role: 'assistant', content: 'All at once.' };
  const whole = {
    choices: [{ message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  };
  endpoint.script(raw(JSON.stringify(whole), 'application/json; charset=utf-8'));
  assert.equal((await driver.prompt(id, 'a')).stopReason, 'end_turn');
  assert.equal(driver.said(id), 'All at once.');
});

test('lines may end with CR LF, carry comments, and end in the middle of a character', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  const body = Buffer.from(
    [': hello', 'event: message', `data:${JSON.stringify(chunk({ content: 'Grüße 🎉' }))}`, '', '']
      .join('\r\n')
      .concat(event(chunk({}, 'stop'))),
  );
  endpoint.script((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let at = 0;
    const step = (): void => {
      if (at >= body.length) response.end();
      else response.write(body.subarray(at, (at += 1)), () => setImmediate(step));
    };
    step();
  });
  assert.equal((await driver.prompt(id, 'a')).stopReason, 'end_turn');
  assert.equal(driver.said(id), 'Grüße 🎉');
});

for (const [finish, stopReason] of [
  ['length', 'max_tokens'],
  ['content_filter', 'refusal'],
  ['stop', 'end_turn'],
] as const) {
  test(`an answer that ends with ${finish} ends the turn with ${stopReason}`, async (t) => {
    const { endpoint, driver, id } = await roomFor(t);
    endpoint.script(streams([{ content: 'So far' }], finish), says('fine'));
    assert.deepEqual(await driver.prompt(id, 'secret thing'), { stopReason });
    await driver.prompt(id, 'again');
    const isKept = JSON.stringify(endpoint.last.body).includes('secret thing');
    // What is refused is no part of the next prompt, says the protocol.
    assert.equal(isKept, stopReason !== 'refusal');
  });
}

test('of an answer that was cut off no call is made', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  const call = { index: 0, id: 'a', function: { name: 'run', arguments: '{"command":"ec' } };
  endpoint.script(streams([{ tool_calls: [call] }], 'length'));
  assert.deepEqual(await driver.prompt(id, 'go'), { stopReason: 'max_tokens' });
  assert.deepEqual(callsIn(driver.updates(id)), []);
});

test('an empty answer is not passed over in silence', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(says());
  await driver.prompt(id, 'a');
  assert.match(driver.said(id), /empty/);
});

test('a model that never comes to an end is stopped, and the chat goes on', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  for (let round = 0; round < 60; round += 1) endpoint.script(calls(['plan', { steps: [] }]));
  assert.deepEqual(await driver.prompt(id, 'loop'), { stopReason: 'max_turn_requests' });
  assert.equal(endpoint.asked.length, 50);
  assert.match(driver.said(id), /50 steps/);
});

test('earlier prompts, calls and results are remembered from turn to turn', async (t) => {
  const room = await roomFor(t, { files: { 'a.txt': 'apple\n' } });
  const { endpoint, driver, id } = room;
  endpoint.script(calls(['read', { path: 'a.txt' }]), says('An apple.'), says('Yes.'));
  await driver.prompt(id, 'what is in a.txt?');
  await driver.prompt(id, 'sure?');
  const { messages } = endpoint.last.body;
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
  );
  assert.equal(messages[2]?.tool_calls?.[0]?.id, messages[3]?.tool_call_id);
  assert.match(toldIn(room)[0] ?? '', /apple/);
});

test('two chats of one agent do not hear of each other', async (t) => {
  const { endpoint, driver, id, folder } = await roomFor(t);
  const other = await driver.newSession(folder);
  endpoint.script(says('a'), says('b'));
  await driver.prompt(id, 'first chat');
  await driver.prompt(other, 'second chat');
  assert.ok(!JSON.stringify(endpoint.last.body).includes('first chat'));
});

test('attached files and links are text for the model', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(says('ok'));
  await driver.prompt(id, [
    { type: 'text', text: 'Look at ' },
    { type: 'text', text: 'this:' },
    { type: 'resource', resource: { uri: 'file:///a.ts', text: 'let x = "```";', mimeType: '' } },
    { type: 'resource_link', uri: 'file:///b.ts', name: 'b.ts' },
  ]);
  const text = String(endpoint.last.body.messages[1]?.content);
  assert.match(text, /^Look at this:\n\n/);
  assert.match(text, /file:\/\/\/a\.ts.*\n````\nlet x = "```";\n````/);
  assert.match(text, /file:\/\/\/b\.ts/);
});

test('slash commands stay offline; plain words that a skill would take go to the model', async (t) => {
  const { endpoint, driver, id } = await roomFor(t);
  endpoint.script(says('from the model'));
  await driver.prompt(id, '/help');
  assert.match(driver.said(id), /language model that you gave me/);
  assert.equal(endpoint.asked.length, 0);
  await driver.prompt(id, 'list todos');
  assert.equal(endpoint.asked.length, 1);
  await driver.prompt(id, '/model');
  assert.match(driver.said(id), new RegExp(`tester.*${endpoint.host}`));
  assert.equal(endpoint.asked.length, 1);
});

test('old results are shortened and old turns dropped when the room is full, and no call is without its result', async (t) => {
  const room = await roomFor(t, {
    files: { 'big.txt': 'word '.repeat(4_000) },
    env: { PARLEY_AGENT_CONTEXT_TOKENS: '4096' },
  });
  const { endpoint, driver, id } = room;
  for (let turn = 0; turn < 6; turn += 1) {
    endpoint.script(
      calls(['read', { path: 'big.txt' }], ['search', { text: 'word' }]),
      calls(['read', { path: 'big.txt' }]),
      says('ok'),
    );
    assert.equal((await driver.prompt(id, `turn ${turn}`)).stopReason, 'end_turn');
    const { messages } = endpoint.last.body;
    assert.ok(JSON.stringify(messages).length < 4_096 * 4, 'it does not fit');
    assert.equal(messages[1]?.role, 'user');
    const waiting = new Set<string>();
    for (const message of messages) {
      if (message.role === 'tool') assert.ok(waiting.delete(message.tool_call_id ?? ''));
      else assert.equal(waiting.size, 0);
      for (const call of message.tool_calls ?? []) {
        waiting.add(call.id);
        assert.doesNotThrow(() => void JSON.parse(call.function.arguments));
      }
    }
  }
  const text = JSON.stringify(endpoint.last.body.messages);
  assert.ok(text.includes('turn 5'));
  assert.ok(!text.includes('turn 0'));
});
