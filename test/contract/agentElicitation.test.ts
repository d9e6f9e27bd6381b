import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { client, methods } from '@agentclientprotocol/sdk';
import type { Form, FormAnswer } from '../../src/agent/server/forms.ts';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  SessionUpdate,
} from '../../src/protocol/acp.ts';
import { ALL_FILES, Driver, chunksOf, makeFolder } from './agentDriver.ts';
import { Connected, Embedded, deferred, sessionOf } from './agentServerEmbedded.ts';

const OFFERED = { elicitation: { form: {}, url: {} } };

const FORM: Form = {
  title: 'T',
  required: ['name'],
  fields: {
    name: { type: 'string', minLength: 1, maxLength: 3 },
    mail: { type: 'string', format: 'email' },
    day: { type: 'string', format: 'date' },
    moment: { type: 'string', format: 'date-time' },
    page: { type: 'string', format: 'uri' },
    code: { type: 'string', pattern: '^[A-Z]+$' },
    colour: { type: 'string', enum: ['red', 'green'] },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
    count: { type: 'integer', minimum: 1, maximum: 3 },
    share: { type: 'number', minimum: 0, maximum: 1 },
    news: { type: 'boolean' },
    days: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: { type: 'string', enum: ['a', 'b', 'c'] },
    },
    extras: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
  },
};

/** An embedded agent that asks with the form in its only turn; its client answers with this. */
async function filledIn(response: CreateElicitationResponse): Promise<FormAnswer> {
  const answer = deferred<FormAnswer>();
  const app = client({ name: 'test' }).onRequest(methods.client.elicitation.create, () => response);
  const one = new Connected(
    {
      prompt: async (_content, asked, signal) => {
        answer.resolve(await asked.fillIn('Please', FORM, signal));
        return 'end_turn';
      },
    },
    app,
  );
  await one.initialize(OFFERED);
  await one.newSession();
  await one.prompt();
  await one.close();
  return answer.promise;
}

describe('a form of the agent library', () => {
  test('is sent as the protocol has it, of a session, with every field', async () => {
    let seen: CreateElicitationRequest | undefined;
    const app = client({ name: 'test' }).onRequest(
      methods.client.elicitation.create,
      ({ params }) => {
        seen = params;
        return { action: 'decline' };
      },
    );
    const one = new Connected(
      {
        prompt: async (_content, asked, signal) => {
          await asked.fillIn('Please', FORM, signal);
          return 'end_turn';
        },
      },
      app,
    );
    await one.initialize(OFFERED);
    await one.newSession();
    await one.prompt();
    assert.deepEqual(seen, {
      mode: 'form',
      sessionId: 's1',
      message: 'Please',
      requestedSchema: {
        type: 'object',
        title: 'T',
        required: ['name'],
        properties: FORM.fields,
      },
    });
    await one.close();
  });

  test('hands on what fits it, and nothing that was not asked for', async () => {
    const content = {
      name: '😀😀😀',
      mail: 'a@b',
      day: '2024-02-29',
      moment: '2024-02-29T10:00:00Z',
      page: 'https://example.com/',
      code: 'ABC',
      colour: 'red',
      size: 's',
      count: 3,
      share: 0.5,
      news: false,
      days: ['a', 'c'],
      extras: [],
    };
    const answer = await filledIn({ action: 'accept', content: { ...content, more: 'x' } });
    assert.deepEqual(answer, { action: 'accept', content });
  });

  test('may be left empty but for what is required', async () => {
    assert.deepEqual(await filledIn({ action: 'accept', content: { name: 'x' } }), {
      action: 'accept',
      content: { name: 'x' },
    });
  });

  test('can be declined or put away', async () => {
    assert.deepEqual(await filledIn({ action: 'decline' }), { action: 'decline' });
    assert.deepEqual(await filledIn({ action: 'cancel' }), { action: 'cancel' });
    assert.deepEqual(await filledIn({ action: '_later' }), { action: 'cancel' });
  });

  const misfits: readonly (readonly [string, unknown])[] = [
    ['name', ''],
    ['name', 'long'],
    ['name', 7],
    ['mail', 'nobody'],
    ['day', '2024-13-01'],
    ['moment', 'now'],
    ['page', 'not a page'],
    ['code', 'abc'],
    ['colour', 'blue'],
    ['size', 'Small'],
    ['count', 0],
    ['count', 4],
    ['count', 1.5],
    ['count', '2'],
    ['share', 1.1],
    ['news', 'yes'],
    ['days', []],
    ['days', ['a', 'b', 'c']],
    ['days', ['a', 'a']],
    ['days', ['z']],
    ['days', 'a'],
    ['extras', ['X']],
    ['share', { a: 1 }],
  ];
  for (const [name, value] of misfits) {
    test(`is not answered by ${name}: ${JSON.stringify(value)}`, async () => {
      const embedded = new Embedded({
        newSession: () =>
          sessionOf('s1', async (_content, asked, signal) => {
            const answer = await asked.fillIn('Please', FORM, signal);
            await asked.message(JSON.stringify(answer), 'm');
            return 'end_turn';
          }),
      }).listen();
      await embedded.initialize(OFFERED);
      await embedded.result(embedded.newSession());
      const prompt = embedded.prompt();
      const content = { name: 'x', [name]: value };
      await embedded.reply('elicitation/create', {
        jsonrpc: '2.0',
        result: { action: 'accept', content },
      });
      await embedded.result(prompt);
      assert.match(JSON.stringify(embedded.updates()), /cancel.*faults/);
      assert.match(JSON.stringify(embedded.updates()), new RegExp(name));
      await embedded.close();
    });
  }

  test('that lacks what is required is not answered', async () => {
    const answer = await filledIn({ action: 'accept', content: {} });
    assert.deepEqual(answer, { action: 'cancel', faults: ['"name" is missing.'] });
  });

  test('is given up when the turn is cancelled', async () => {
    const asked = deferred();
    const app = client({ name: 'test' }).onRequest(methods.client.elicitation.create, () => {
      asked.resolve();
      return new Promise<CreateElicitationResponse>(() => undefined);
    });
    const one = new Connected(
      {
        prompt: async (_content, session, signal) => {
          await session.fillIn('Please', FORM, signal);
          return 'end_turn';
        },
      },
      app,
    );
    await one.initialize(OFFERED);
    await one.newSession();
    const turn = one.prompt();
    await asked.promise;
    await one.cancel();
    assert.equal(await turn, 'cancelled');
    await one.close();
  });
});

/** The built agent with a client that answers its questions; what it asked and said. */
async function asked(
  capabilities: object,
  prompt: string,
  response: CreateElicitationResponse,
): Promise<{ said: string; requests: CreateElicitationRequest[]; completed: string[] }> {
  const requests: CreateElicitationRequest[] = [];
  const completed: string[] = [];
  const driver = new Driver({}, [], (app) =>
    app
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        requests.push(params);
        return response;
      })
      .onNotification(methods.client.elicitation.complete, ({ params }) => {
        completed.push(params.elicitationId);
      }),
  );
  await driver.initialize({ ...ALL_FILES, ...capabilities });
  const id = await driver.newSession(makeFolder());
  await driver.prompt(id, prompt);
  const updates: readonly SessionUpdate[] = driver.updates(id);
  await driver.stop();
  return { said: chunksOf(updates, 'agent_message_chunk').join(''), requests, completed };
}

describe('/ask of the reference agent', () => {
  test('asks with every kind of field, and tells what came back', async () => {
    const { said, requests } = await asked(OFFERED, '/ask', {
      action: 'accept',
      content: { name: 'Ada', colour: 'red', days: ['Monday'], count: 2, news: true },
    });
    const [request] = requests;
    assert.ok(request && 'requestedSchema' in request);
    const kinds = JSON.stringify(request.requestedSchema);
    for (const kind of [
      '"type":"string"',
      '"type":"integer"',
      '"type":"number"',
      '"type":"boolean"',
      '"type":"array"',
      '"enum"',
      '"oneOf"',
      '"anyOf"',
      '"pattern"',
      '"format":"email"',
      '"format":"uri"',
      '"format":"date"',
      '"format":"date-time"',
      '"default"',
    ]) {
      assert.ok(kinds.includes(kind), kind);
    }
    assert.match(said, /Ada[\s\S]*red[\s\S]*2[\s\S]*true[\s\S]*Monday/);
  });

  test('says when it was declined, put away, or answered with what does not fit', async () => {
    assert.match((await asked(OFFERED, '/ask', { action: 'decline' })).said, /declined/);
    assert.match((await asked(OFFERED, '/ask', { action: 'cancel' })).said, /put the form away/);
    const wrong = await asked(OFFERED, '/ask', { action: 'accept', content: { name: 'x' } });
    assert.match(wrong.said, /does not fit/);
  });

  test('asks to visit a page, and says when it is done', async () => {
    const { requests, completed, said } = await asked(OFFERED, '/ask url', { action: 'accept' });
    const [request] = requests;
    assert.ok(request && 'url' in request);
    assert.match(String(request.url), /^https:\/\/agentclientprotocol\.com\//);
    assert.deepEqual(completed, [request.elicitationId]);
    assert.match(said, /I cannot see/);
  });

  test('says so honestly where the client cannot be asked that way, and asks nothing', async () => {
    for (const [capabilities, prompt] of [
      [{}, '/ask'],
      [{}, '/ask url'],
      [{ elicitation: { url: {} } }, '/ask'],
      [{ elicitation: { form: {} } }, '/ask url'],
    ] as const) {
      const { said, requests } = await asked(capabilities, prompt, { action: 'cancel' });
      assert.match(said, /does not offer/);
      assert.deepEqual(requests, []);
    }
  });
});
