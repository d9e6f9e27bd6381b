import type { ReferenceModel } from '../ports.ts';

/** Where the bundled agent finds the address of its model. */
export const BASE_URL = 'PARLEY_AGENT_BASE_URL';
const API_KEY = 'PARLEY_AGENT_API_KEY';

/** The variables that tell the bundled agent of the person's model, without the key; none if there is no model. */
export function modelVariables(model: ReferenceModel): Readonly<Record<string, string>> {
  if (model.baseUrl === '') return {};
  return {
    [BASE_URL]: model.baseUrl,
    PARLEY_AGENT_MODEL: model.model,
    PARLEY_AGENT_CONTEXT_TOKENS: String(model.contextTokens),
  };
}

/**
 * The key for this address. One of our own environment is for the address that stands there, so it goes to no other.
 *
 * @param key Empty if there is none.
 */
export function keyVariable(
  key: string,
  inherited: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return key === '' && inherited[API_KEY] === undefined ? {} : { [API_KEY]: key };
}
