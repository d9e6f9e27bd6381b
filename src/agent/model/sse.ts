import { ModelFault } from './fault.ts';

/** Bytes of one line and of one answer; more is no answer of a model. */
export const MAX_LINE = 2 * 1024 * 1024;
export const MAX_ANSWER = 32 * 1024 * 1024;

/**
 * The data of server-sent events, event by event, each at most `MAX_LINE` characters. Other fields and comments are
 * passed over. An event that its end cuts off counts, as servers forget the last blank line.
 *
 * @param source Pieces of the body; a piece may end anywhere, inside a character too.
 * @param host For messages.
 * @throws ModelFault for what is too long.
 */
export async function* eventData(
  source: AsyncIterable<Uint8Array>,
  host: string,
): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(source, host)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      size = 0;
    } else if (line.startsWith('data:')) {
      const value = line.slice(line[5] === ' ' ? 6 : 5);
      size += value.length;
      if (size > MAX_LINE) throw tooLong(host);
      data.push(value);
    }
  }
  if (data.length > 0) yield data.join('\n');
}

/** Lines that end with LF, CRLF or CR. */
async function* lines(source: AsyncIterable<Uint8Array>, host: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isAfterReturn = false;
  for await (const bytes of source) {
    let text = decoder.decode(bytes, { stream: true });
    if (text === '') continue;
    if (isAfterReturn && text.startsWith('\n')) text = text.slice(1);
    isAfterReturn = text.endsWith('\r');
    const parts = text.split(/\r\n|\n|\r/);
    // What is held is joined only when its line ends, so a line costs what it is long.
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield rest + part;
      rest = '';
    }
    rest += last;
    if (rest.length > MAX_LINE) throw tooLong(host);
  }
  if (rest !== '') yield rest;
}

function tooLong(host: string): ModelFault {
  return new ModelFault(`The model endpoint at ${host} sent a line that is too long.`);
}
