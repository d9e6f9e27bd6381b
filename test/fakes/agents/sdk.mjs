/**
 * An agent on the official SDK, which checks every frame of ours by its own schema. The prompt's text says what it does:
 * `read PATH`, `write PATH TEXT`, `ask`, `wait` (until it is cancelled), `run COMMAND` (a terminal from create to
 * release), `hang` (waits for a terminal's end and takes that back); anything else is said back.
 */
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream } from '@agentclientprotocol/sdk';

const { agent: asked, client: ask } = methods;
const turns = new Map();

async function turn({ sessionId, prompt }, client) {
  const say = (text) =>
    client.notify(ask.session.update, {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    });
  const [verb, path, ...rest] = prompt[0].text.split(' ');
  if (verb === 'read') {
    const { content } = await client.request(ask.fs.readTextFile, {
      sessionId,
      path,
      line: 2,
      limit: 1,
    });
    await say(content);
  } else if (verb === 'write') {
    await client.request(ask.fs.writeTextFile, { sessionId, path, content: rest.join(' ') });
    await say('written');
  } else if (verb === 'ask') {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const toolCall = { toolCallId: 'call-1', title: 'Dig', kind: 'other' };
    const answer = await client.request(ask.session.requestPermission, {
      sessionId,
      toolCall,
      options,
    });
    await say(JSON.stringify(answer.outcome));
  } else if (verb === 'run') {
    const { terminalId } = await client.request(ask.terminal.create, {
      sessionId,
      command: path,
      args: rest,
      env: [{ name: 'A', value: '1' }],
      cwd: '/folder',
      outputByteLimit: 100,
    });
    const terminal = { sessionId, terminalId };
    await say(
      JSON.stringify({
        output: await client.request(ask.terminal.output, terminal),
        killed: await client.request(ask.terminal.kill, terminal),
        exit: await client.request(ask.terminal.waitForExit, terminal),
        released: await client.request(ask.terminal.release, terminal),
      }),
    );
  } else if (verb === 'hang') {
    const takenBack = AbortSignal.timeout(50);
    const error = await client
      .request(
        ask.terminal.waitForExit,
        { sessionId, terminalId: 't1' },
        { cancellationSignal: takenBack },
      )
      .catch(({ code, message }) => ({ code, message }));
    await say(JSON.stringify(error));
  } else if (verb === 'wait') {
    await new Promise((resolve) => turns.set(sessionId, resolve));
    return { stopReason: 'cancelled' };
  } else {
    await say(prompt[0].text);
  }
  return { stopReason: 'end_turn' };
}

agent({ name: 'strict' })
  .onRequest(asked.initialize, ({ params }) => {
    process.stderr.write(`client: ${JSON.stringify(params.clientInfo)}\n`);
    return {
      protocolVersion: 1,
      agentCapabilities: {},
      agentInfo: { name: 'strict', version: '2.4.0' },
    };
  })
  .onRequest(asked.session.new, () => ({ sessionId: 'strict-1' }))
  .onRequest(asked.session.prompt, ({ params, client }) => turn(params, client))
  .onNotification(asked.session.cancel, ({ params }) => turns.get(params.sessionId)?.())
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
