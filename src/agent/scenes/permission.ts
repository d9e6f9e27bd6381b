import { textAt, valueAt, type JsonObject } from './json.ts';
import type { LiveVoice } from './liveVoice.ts';
import type { Turns } from './turns.ts';

/**
 * Ends the turn of a permission request that is answered otherwise than it was in the recording: nobody knows what would
 * have followed. Another yes is no other answer, nor is another no.
 */
export async function endContradicted(
  asked: JsonObject,
  recorded: JsonObject,
  live: JsonObject,
  turns: Turns,
  voice: LiveVoice,
): Promise<void> {
  if (asked['method'] !== 'session/request_permission') return;
  const session = textAt(asked, 'params', 'sessionId');
  const turn = turns.find((one) => one.session === session && one.ending === undefined);
  const verdict = verdictOf(asked, live);
  if (turn === undefined || verdict === verdictOf(asked, recorded)) return;
  turn.ending = verdict === 'cancelled' ? verdict : 'end_turn';
  if (verdict === 'cancelled') return;
  const toolCallId = textAt(asked, 'params', 'toolCall', 'toolCallId');
  if (toolCallId !== undefined) await voice.failed(turn.liveSession, toolCallId);
  const sentence = 'In the recording this was answered otherwise, so the turn ends here.';
  await voice.tell(turn.liveSession, sentence);
}

/** What an answer to a permission request comes to: a yes, a no, no answer, or else the option itself. */
function verdictOf(request: JsonObject, answer: JsonObject): string {
  const chosen = textAt(answer, 'result', 'outcome', 'optionId');
  if (chosen === undefined) return 'cancelled';
  const options = valueAt(request, ['params', 'options']);
  const option: unknown = Array.isArray(options)
    ? options.find((one: unknown) => textAt(one, 'optionId') === chosen)
    : undefined;
  return textAt(option, 'kind')?.split('_')[0] ?? chosen;
}
