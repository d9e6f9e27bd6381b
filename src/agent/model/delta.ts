/** A piece of a tool call as it streams. */
export interface CallPiece {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments: string;
}

/** Tokens, as the endpoint counts them. */
export interface TokenCount {
  readonly prompt: number;
  readonly total: number;
}

/** What one chunk of an answer brings. */
export interface Delta {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly CallPiece[];
  readonly finish?: string;
  readonly tokens?: TokenCount;
  /** Something is wrong: what the endpoint sent as its error. */
  readonly error?: unknown;
}

/** Reads one chunk, or a whole answer, whatever a server makes of it: what does not fit counts as missing. */
export function readDelta(value: unknown): Delta {
  const chunk = fieldsOf(value);
  const [first] = listOf(chunk['choices']);
  const choice = fieldsOf(first);
  const delta = fieldsOf(choice['delta'] ?? choice['message']);
  const finish = choice['finish_reason'];
  const tokens = tokensIn(chunk['usage']);
  const whole = fieldsOf(delta['function_call']);
  const calls = [...listOf(delta['tool_calls']), ...('name' in whole ? [{ function: whole }] : [])];
  return {
    text: textIn(delta['content'], 'text'),
    thought:
      textOf(delta['reasoning_content'] ?? delta['reasoning']) +
      textIn(Array.isArray(delta['content']) ? delta['content'] : '', 'thinking'),
    calls: calls.map(readPiece),
    ...(typeof finish === 'string' && finish !== '' ? { finish } : {}),
    ...(tokens ? { tokens } : {}),
    ...(chunk['error'] === undefined || chunk['error'] === null ? {} : { error: chunk['error'] }),
  };
}

/** An object's fields; those of anything else are none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Content is a text, or a list of parts of several kinds; a thought may itself be such a list. */
function textIn(content: unknown, kind: 'text' | 'thinking'): string {
  if (!Array.isArray(content)) return textOf(content);
  return content
    .map((part) => {
      const fields = fieldsOf(part);
      if (fields['type'] !== kind) return '';
      const inner = fields[kind];
      return Array.isArray(inner) ? textIn(inner, 'text') : textOf(inner);
    })
    .join('');
}

function readPiece(value: unknown): CallPiece {
  const piece = fieldsOf(value);
  const { name, arguments: given } = fieldsOf(piece['function']);
  const { index, id } = piece;
  return {
    ...(typeof index === 'number' && Number.isInteger(index) ? { index } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    // Some send the arguments as an object, where the protocol has a text.
    arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : textOf(given),
  };
}

function tokensIn(value: unknown): TokenCount | undefined {
  const usage = fieldsOf(value);
  const prompt = countOf(usage['prompt_tokens']);
  const answer = countOf(usage['completion_tokens']);
  if (prompt === undefined || answer === undefined) return undefined;
  return { prompt, total: prompt + answer };
}

function countOf(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9;
  return isCount ? value : undefined;
}
