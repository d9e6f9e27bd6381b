import { plain } from '../markdown.ts';
import { scrub } from '../server/faults.ts';
import type { ModelPlace } from './setup.ts';

/** Why an endpoint gave no answer, in words for the person. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault';
}

/** Characters of a server's own words that are passed on. */
const QUOTED = 240;
/** Shorter ones occur in ordinary text, and no service gives such keys. */
const KEY_CHARACTERS = 8;

/** Takes the key out of what an endpoint sends: it could send it back. */
export function withoutKey(text: string, { key }: ModelPlace): string {
  return key.length < KEY_CHARACTERS ? text : text.replaceAll(key, '[hidden]');
}

/** Why no connection came about, or it broke. @param error As `fetch` throws it: the reason is in its cause. */
export function connectionFault(error: unknown, { host }: ModelPlace): ModelFault {
  const code = codeOf(error);
  const why =
    CAUSES[code] ?? (code === '' ? 'The connection broke.' : `The connection broke (${code}).`);
  return new ModelFault(`The model endpoint at ${host} gave no whole answer. ${why}`);
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there (connection refused): is the server running?',
  ENOTFOUND: 'There is no host of that name.',
  EAI_AGAIN: 'Its name could not be looked up: is there a network?',
  ECONNRESET: 'It closed the connection.',
  UND_ERR_SOCKET: 'It closed the connection.',
  UND_ERR_HEADERS_TIMEOUT: 'It was silent for too long.',
  UND_ERR_BODY_TIMEOUT: 'It was silent for too long.',
  UND_ERR_CONNECT_TIMEOUT: 'It could not be reached in time.',
  ETIMEDOUT: 'It could not be reached in time.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is signed by nobody that Node trusts.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS: try http:// in the base URL.',
};

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth += 1) {
    if ('code' in at && typeof at.code === 'string') return plain(at.code, 60);
    at = 'cause' in at ? at.cause : undefined;
  }
  return '';
}

/** What a status other than success means, with what the server says about it. @param body As it came, cut. */
export function statusFault(status: number, body: string, place: ModelPlace): ModelFault {
  const { host, model } = place;
  const own = serverWords(body, place);
  const quoted = own === '' ? '' : ` It says: ${own}`;
  const text = ((): string => {
    if (status === 401 || status === 403) {
      return place.key === ''
        ? `The model endpoint at ${host} wants an API key (${status}). In Parley, the command “Set the API Key of the Reference Agent” stores one; elsewhere set PARLEY_AGENT_API_KEY.`
        : `The model endpoint at ${host} did not accept the API key (${status}).`;
    }
    if (status === 404) {
      return `The model endpoint at ${host} found no model “${plain(model, 80)}”, or nothing at this address (404): check the base URL and the model's name.`;
    }
    if (status === 429)
      return `The model endpoint at ${host} has too many requests (429). Try again later.`;
    if (status === 413) return `The prompt is too big for the model endpoint at ${host} (413).`;
    if (status >= 500) return `The model endpoint at ${host} failed (${status}).`;
    return `The model endpoint at ${host} did not accept the request (${status}).`;
  })();
  return new ModelFault(text + quoted);
}

/** What a server says about an error: the usual places in JSON, else its text; a web page says nothing. */
export function serverWords(body: string, place: ModelPlace): string {
  const clean = withoutKey(body, place);
  let words = clean;
  try {
    words = messageIn(JSON.parse(clean)) ?? '';
  } catch {
    if (/^\s*</.test(clean)) return '';
  }
  return scrub(plain(words, QUOTED));
}

/** The text of an error object as servers send it: `{error: {message}}`, `{error: text}`, `{message}`, `{detail}`. */
export function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (/^(?:error|message|detail)$/.test(name)) {
      const found = messageIn(inner);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
