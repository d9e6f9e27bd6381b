import * as v from 'valibot';
import type { FromWebview } from '../../bridge/messages.ts';

/** What the person did in the page. */
export type Intent = Exclude<FromWebview, { type: 'ready' }>;

/** The longest text that a page may send, in UTF-16 units (4 MiB of ASCII). */
const MAX_TEXT = 4 * 1024 * 1024;

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));
/** Agents choose these, and may choose the empty string. */
const optionId = v.pipe(v.string(), v.maxLength(32768));
const address = v.pipe(v.string(), v.minLength(1), v.maxLength(32768));
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const line = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const schema = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('prompt'), chatId: id, text }),
  v.object({ type: v.literal('stop'), chatId: id }),
  v.object({ type: v.literal('draft'), chatId: id, text }),
  v.object({ type: v.literal('sendQueued'), chatId: id, promptId: id }),
  v.object({ type: v.literal('removeQueued'), chatId: id, promptId: id }),
  v.object({ type: v.literal('answerPermission'), permissionId: id, optionId }),
  v.object({ type: v.literal('newChat') }),
  v.object({ type: v.literal('openChat'), chatId: id }),
  v.object({ type: v.literal('chooseAgent'), agentId: id }),
  v.object({
    type: v.literal('command'),
    command: v.picklist(['switchChat', 'selectAgent', 'restartAgent', 'showLog', 'openSettings']),
  }),
  v.object({ type: v.literal('copy'), text }),
  v.object({ type: v.literal('openFile'), path: address, line: v.nullable(line) }),
  v.object({ type: v.literal('openLink'), href: address }),
  v.object({
    type: v.literal('openDiff'),
    chatId: id,
    turn: index,
    entry: index,
    content: index,
  }),
  v.object({ type: v.literal('stopTerminal'), chatId: id, terminalId: id }),
  v.object({ type: v.literal('openTerminalOutput'), chatId: id, terminalId: id }),
  v.object({ type: v.literal('showTerminal'), chatId: id, terminalId: id }),
  v.object({ type: v.literal('openOutput'), chatId: id, turn: index, entry: index }),
]) satisfies v.GenericSchema<unknown, FromWebview>;

/** A message of the page, or `undefined` with a line in the log. A page is ours, but what it holds came from agents. */
export function parseIntent(
  message: unknown,
  report: (message: string) => void,
): FromWebview | undefined {
  const result = v.safeParse(schema, message);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue) ?? 'message';
  report(`A message of the chat page was dropped: ${place}: ${issue.message.slice(0, 200)}`);
  return undefined;
}
