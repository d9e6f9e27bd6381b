import { setTimeout as sleep } from 'node:timers/promises';
import { plain } from '../markdown.ts';
import type { Message } from './conversation.ts';
import type { Delta } from './delta.ts';
import { readDelta } from './delta.ts';
import { connectionFault, ModelFault, serverWords, statusFault, withoutKey } from './fault.ts';
import { Patience } from './patience.ts';
import type { ModelPlace } from './setup.ts';
import { eventData, MAX_ANSWER } from './sse.ts';

/** A function that the model may call, as the wire describes it. */
export interface WireTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: object;
  };
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly WireTool[];
}

/** An answer may take so long and no longer, however lively it is: milliseconds. */
const WHOLE_ANSWER_MS = 60 * 60 * 1000;
/** How often a busy endpoint is asked, and the longest wait that it may ask for: milliseconds. */
const TRIES = 3;
const LONGEST_WAIT_MS = 30_000;
/** Bytes of an error's body that are read. */
const ERROR_BYTES = 64 * 1024;

/** An endpoint, and what has been found out about it. */
export class Endpoint {
  private url = 0;
  private takesUsageOption = true;
  /** Whether it lets this model call tools, as far as is known. */
  takesTools = true;

  constructor(readonly place: ModelPlace) {}

  /**
   * Asks once and streams the answer.
   *
   * @param signal Aborts the HTTP request at once.
   * @param busy Told before the endpoint is asked again, with the seconds until then.
   * @throws ModelFault for everything that is no whole answer; the signal's reason.
   */
  async *ask(
    request: ChatRequest,
    signal: AbortSignal,
    busy: (seconds: number) => Promise<void>,
  ): AsyncGenerator<Delta> {
    const patience = new Patience(this.place.patience, WHOLE_ANSWER_MS);
    try {
      const either = AbortSignal.any([signal, patience.signal]);
      const response = await this.accepted(request, either, patience, busy);
      yield* this.deltas(response, patience);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFault) throw error;
      if (patience.signal.aborted) {
        const seconds = Math.round(this.place.patience / 1000);
        throw this.fault(`was silent for ${seconds} s, so I gave up`);
      }
      throw connectionFault(error, this.place);
    } finally {
      patience.stop();
    }
  }

  /** The first answer that is a success. What servers do not take is left out once they have said so. */
  private async accepted(
    request: ChatRequest,
    signal: AbortSignal,
    patience: Patience,
    busy: (seconds: number) => Promise<void>,
  ): Promise<Response> {
    for (let tries = 1; ;) {
      const response = await patience.wait(this.post(request, signal));
      const { status } = response;
      if (response.ok) return response;
      const body = await this.errorText(response, patience);
      if (status >= 300 && status < 400) throw this.redirected(response);
      if (status === 404 && this.tryNextUrl(body)) continue;
      if ((status === 400 || status === 422 || status >= 500) && this.simplify(body, status)) {
        continue;
      }
      const wait = waitAsked(response, tries);
      const isBusy = status === 429 || status === 503;
      if (!isBusy || tries === TRIES || wait > LONGEST_WAIT_MS) {
        throw statusFault(status, body, this.place);
      }
      tries += 1;
      await busy(Math.ceil(wait / 1000));
      await sleep(wait, undefined, { signal });
    }
  }

  private post(request: ChatRequest, signal: AbortSignal): Promise<Response> {
    const { key, urls } = this.place;
    const { model, messages, tools } = request;
    const body = {
      model,
      messages,
      stream: true,
      ...(this.takesUsageOption ? { stream_options: { include_usage: true } } : {}),
      ...(this.takesTools && tools.length > 0 ? { tools } : {}),
    };
    return fetch(urls[this.url] ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      // The key is for this host alone, and so is what the person wrote.
      redirect: 'manual',
      signal,
    });
  }

  private tryNextUrl(body: string): boolean {
    if (/model/i.test(serverWords(body, this.place))) return false;
    this.url = (this.url + 1) % this.place.urls.length;
    return this.url !== 0;
  }

  /** Whether there is something to leave out before asking again. */
  private simplify(body: string, status: number): boolean {
    const refusesTools = /\btools?\b.*(?:requires?|support)|support\w*\W+(?:\w+\W+)?tools?\b/i;
    if (this.takesTools && refusesTools.test(serverWords(body, this.place))) {
      this.takesTools = false;
      return true;
    }
    const isTold = status >= 500 ? /stream_options|include_usage/.test(body) : true;
    if (!this.takesUsageOption || !isTold) return false;
    this.takesUsageOption = false;
    return true;
  }

  private async *deltas(response: Response, patience: Patience): AsyncGenerator<Delta> {
    const type = response.headers.get('content-type') ?? '';
    if (/\bhtml\b/i.test(type)) {
      throw this.fault('answered with a web page: check the base URL');
    }
    if (/\bjson\b/i.test(type)) {
      // It does not stream: the whole answer at once.
      yield this.delta(await this.text(response, patience, MAX_ANSWER));
      return;
    }
    let isOver = false;
    for await (const data of eventData(this.bytes(response, patience), this.place.host)) {
      if (data.trim() === '[DONE]') return;
      const delta = this.delta(data);
      isOver ||= delta.finish !== undefined;
      yield delta;
    }
    if (!isOver) throw this.fault('ended its answer in the middle');
  }

  private delta(data: string): Delta {
    let value: unknown;
    try {
      value = JSON.parse(withoutKey(data, this.place));
    } catch {
      throw this.fault('sent something that is no JSON');
    }
    const delta = readDelta(value);
    if (delta.error === undefined) return delta;
    throw this.fault(
      `failed: ${serverWords(JSON.stringify(delta.error), this.place) || 'it does not say why'}`,
    );
  }

  private async *bytes(response: Response, patience: Patience): AsyncGenerator<Uint8Array> {
    const body: ReadableStream<Uint8Array> | null = response.body;
    const reader = body?.getReader();
    if (!reader) return;
    let size = 0;
    try {
      for (;;) {
        const { done, value } = await patience.wait(reader.read());
        if (done) return;
        size += value.byteLength;
        if (size > MAX_ANSWER) throw this.fault('sent an answer that is too long');
        yield value;
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  /** @throws ModelFault past `most` bytes. */
  private async text(response: Response, patience: Patience, most: number): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const piece of this.bytes(response, patience)) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > most) break;
    }
    return text.slice(0, most);
  }

  private async errorText(response: Response, patience: Patience): Promise<string> {
    try {
      return await this.text(response, patience, ERROR_BYTES);
    } catch (error) {
      if (patience.signal.aborted) throw error;
      return '';
    }
  }

  private redirected(response: Response): ModelFault {
    const target = response.headers.get('location') ?? '';
    const { origin = '' } = URL.canParse(target) ? new URL(target) : {};
    const to = origin === '' ? 'elsewhere' : `to ${plain(origin, 100)}`;
    return this.fault(
      `wants to send me ${to}, and I follow no redirect, so that the key and your prompts stay where you sent them`,
    );
  }

  private fault(what: string): ModelFault {
    return new ModelFault(`The model endpoint at ${this.place.host} ${what}.`);
  }
}

/** The wait that a busy server asks for, in seconds or until a date; a little longer each time if it does not. */
function waitAsked(response: Response, tries: number): number {
  const asked = response.headers.get('retry-after') ?? '';
  const seconds = asked.trim() === '' ? Number.NaN : Number(asked);
  const wait = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1000;
  return Number.isNaN(wait) ? 1000 * 2 ** (tries - 1) : Math.max(0, wait);
}
