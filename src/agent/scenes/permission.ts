import { textAt, valueAt, type JsonObject } from './json.ts';

/** What an answer to a permission request comes to: a yes, a no, no answer, or else the option itself. */
export function verdictOf(request: JsonObject, answer: JsonObject): string {
  const chosen = textAt(answer, 'result', 'outcome', 'optionId');
  if (chosen === undefined) return 'cancelled';
  const options = valueAt(request, ['params', 'options']);
  const option: unknown = Array.isArray(options)
    ? options.find((one: unknown) => textAt(one, 'optionId') === chosen)
    : undefined;
  return textAt(option, 'kind')?.split('_')[0] ?? chosen;
}
