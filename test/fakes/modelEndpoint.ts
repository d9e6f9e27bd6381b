import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface AskedModel {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: AskedBody;
}

export interface AskedMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

interface AskedBody {
  readonly model: string;
  readonly stream: boolean;
  readonly stream_options?: unknown;
  readonly messages: readonly AskedMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** What the endpoint does with one request. */
export type Reply = (response: ServerResponse, asked: AskedModel) => void;

/** An OpenAI-compatible endpoint on loopback that answers as it was told, request by request. */
export class ModelEndpoint {
  readonly asked: AskedModel[] = [];
  /** Requests that the other side has broken off. */
  aborted = 0;
  private readonly replies: Reply[] = [];
  private readonly server = http.createServer((request, response) => {
    void this.serve(request, response);
  });

  static async start(): Promise<ModelEndpoint> {
    const endpoint = new ModelEndpoint();
    endpoint.server.listen(0, '127.0.0.1');
    await once(endpoint.server, 'listening');
    return endpoint;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Scripts the next answers, one per request. */
  script(...replies: readonly Reply[]): this {
    this.replies.push(...replies);
    return this;
  }

  /** The last request. */
  get last(): AskedModel {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error('the endpoint was not asked');
    return last;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const asked: AskedModel = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(pieces).toString('utf8')) as AskedBody,
    };
    this.asked.push(asked);
    response.on('close', () => {
      if (!response.writableFinished) this.aborted += 1;
    });
    const reply = this.replies.shift();
    if (reply) reply(response, asked);
    else fails(500, 'not scripted')(response, asked);
  }
}

/** One event of a stream. */
export function event(value: unknown): string {
  return `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
}

/** A chunk as the API has them. */
export function chunk(delta: unknown, finish: string | null = null): unknown {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

/** A stream of chunks, ended as it should be. @param usage Tokens of prompt and answer; none are told without. */
export function streams(
  chunks: readonly unknown[],
  finish = 'stop',
  usage?: readonly [prompt: number, answer: number],
): Reply {
  const [prompt, answer] = usage ?? [];
  const last = {
    choices: [],
    usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: 0 },
  };
  return raw(
    [
      ...chunks.map((delta) => event(chunk(delta))),
      event(chunk({}, finish)),
      ...(usage ? [event(last)] : []),
      event('[DONE]'),
    ].join(''),
  );
}

/** Words, in these pieces. */
export function says(...pieces: readonly string[]): Reply {
  return streams(pieces.map((content) => ({ content })));
}

/** Whole calls, each in one piece with its index and an id of its own. */
export function calls(...all: readonly (readonly [name: string, given: unknown])[]): Reply {
  const pieces = all.map(([name, given], index) => ({
    tool_calls: [
      {
        index,
        id: `${name}-${index}`,
        type: 'function',
        function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
      },
    ],
  }));
  return streams(pieces, 'tool_calls');
}

/** A body as it is. */
export function raw(body: string | Buffer, type = 'text/event-stream'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };
}

/** Begins a stream and leaves it open. */
export function hangsAfter(...pieces: readonly string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const content of pieces) response.write(event(chunk({ content })));
  };
}

/** An error of HTTP. */
export function fails(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
