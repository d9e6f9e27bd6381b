/** Tokens that a model is taken to have room for, where nobody says otherwise. */
const DEFAULT_CONTEXT = 32_768;
const CONTEXT = { least: 2_048, most: 4_194_304 };
/** How long an endpoint may be silent: a big model on a small machine reads a long prompt for minutes. */
const DEFAULT_PATIENCE_MS = 240_000;
/** Node's own client gives up after 300 s without headers. */
const PATIENCE = { least: 50, most: 290_000 };

/** A model at an endpoint that speaks OpenAI's chat completions. */
export interface ModelPlace {
  /** Where to ask; the next one only where the one before does not exist. */
  readonly urls: readonly string[];
  /** Host and port, for messages. */
  readonly host: string;
  readonly model: string;
  /** Empty where none is needed. */
  readonly key: string;
  /** Tokens. */
  readonly context: number;
  /** How long the endpoint may be silent: milliseconds. */
  readonly patience: number;
}

/** What the person has said about a model: nothing, something that cannot be used and why, or where it is. */
export type ModelSetup =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'model'; readonly place: ModelPlace };

/** Reads `PARLEY_AGENT_BASE_URL` and its companions. No value of the key is ever part of what this says. */
export function modelSetup(env: Readonly<Record<string, string | undefined>>): ModelSetup {
  const said = (name: string): string => (env[`PARLEY_AGENT_${name}`] ?? '').trim();
  const baseUrl = said('BASE_URL');
  const model = said('MODEL');
  const key = said('API_KEY');
  if (baseUrl === '') {
    return model === '' ? { kind: 'none' } : wrong('A model is named, but no base URL is set.');
  }
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (base?.protocol !== 'http:' && base?.protocol !== 'https:') {
    return wrong('The base URL must begin with http:// or https://.');
  }
  // It would be shown and logged as part of the address.
  if (base.username !== '' || base.password !== '') {
    return wrong('The base URL must hold no user or password: the API key has a place of its own.');
  }
  if (model === '') return wrong(`The base URL is set (${base.host}), but no model is named.`);
  if (model.length > 200) return wrong('The name of the model is longer than 200 characters.');
  // What no header can hold would be quoted in Node's own error.
  if (!/^[\x21-\x7e]{0,4096}$/.test(key)) {
    return wrong('The API key holds blanks or characters that no key has.');
  }
  return {
    kind: 'model',
    place: {
      urls: urlsBelow(base),
      host: base.host,
      model,
      key,
      context: within(said('CONTEXT_TOKENS'), CONTEXT, DEFAULT_CONTEXT),
      patience: within(said('PATIENCE_MS'), PATIENCE, DEFAULT_PATIENCE_MS),
    },
  };
}

/** People write the address of the server, of its version 1, or all of it. */
function urlsBelow(base: URL): readonly string[] {
  const folder = base.pathname.replace(/\/+$/, '');
  const at = (path: string): string => `${base.origin}${path}${base.search}`;
  if (folder.endsWith('/chat/completions')) return [at(folder)];
  const here = at(`${folder}/chat/completions`);
  if (/\/v\d\w*$/.test(folder)) return [here];
  const below = at(`${folder}/v1/chat/completions`);
  return folder === '' ? [below, here] : [here, below];
}

function within(
  value: string,
  { least, most }: { readonly least: number; readonly most: number },
  fallback: number,
): number {
  const number = value === '' ? Number.NaN : Number(value);
  return number >= least && number <= most ? Math.floor(number) : fallback;
}

function wrong(reason: string): ModelSetup {
  return { kind: 'wrong', reason };
}
