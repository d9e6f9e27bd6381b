import type { Watched } from './offences.ts';
import type { Walk } from './walk.ts';

/** One row of the report. */
export interface Rule {
  /** For machines; never changes its meaning. */
  readonly id: string;
  /** What holds if it holds, as a sentence without its end. */
  readonly title: string;
  /** Page and section of the specification: of ACP, or of JSON-RPC 2.0 if it begins with `jsonrpc#`. */
  readonly spec: string;
  /** It sends a prompt, which may cost money. */
  readonly prompts?: true;
  /** When it is checked, wherever it is listed: `late` ones need a process of their own, `last` ones look back at all. */
  readonly when?: 'late' | 'last';
  /** What it looks back at: the frames of its row are the offending ones. */
  readonly watched?: Watched;
  /** Returns if the rule holds, and throws a `Finding` if not. */
  check(walk: Walk): Promise<void> | void;
}

/** Rules about one thing. */
export interface Subject {
  readonly name: string;
  readonly rules: readonly Rule[];
}

export interface RuleLink {
  /** Of the page and its section, for people. */
  readonly name: string;
  readonly url: string;
}

/** The numbers of JSON-RPC's sections. */
const SECTIONS: Readonly<Record<string, string>> = {
  request_object: '4 Request object',
  notification: '4.1 Notification',
  response_object: '5 Response object',
  error_object: '5.1 Error object',
  batch: '6 Batch',
};

/** Where the rule stands. */
export function linkOf({ spec }: Rule): RuleLink {
  const [page = '', section = ''] = spec.split('#');
  if (page === 'jsonrpc') {
    return {
      name: `JSON-RPC 2.0, ${SECTIONS[section] ?? section}`,
      url: `https://www.jsonrpc.org/specification#${section}`,
    };
  }
  const words = [page, section].filter((one) => one !== '').map((one) => one.replaceAll('-', ' '));
  return {
    name: `ACP v1, ${words.join(': ')}`,
    url: `https://agentclientprotocol.com/protocol/v1/${spec}`,
  };
}
