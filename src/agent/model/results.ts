/** Characters of one tool's result that the model is told. */
export const MAX_RESULT = 48_000;

/** The beginning and the end of a text, and how much is missing between them. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil(most * 0.6);
  const tail = Math.max(0, most - head - 60);
  const left = text.length - head - tail;
  return `${text.slice(0, head)}\n[… ${left} characters left out …]\n${text.slice(text.length - tail)}`;
}

/** The arguments of a call, JSON as before, with their long texts shortened. */
export function shortenedArguments(json: string, most: number): string {
  if (json.length <= most) return json;
  const short = (value: unknown): unknown =>
    typeof value === 'string' ? shortened(value, most) : value;
  // Only what is reached below an object or a list is replaced, so the shape stays.
  return JSON.stringify(JSON.parse(json, (_key, value: unknown) => short(value)));
}
