import { Complaint } from '../complaint.ts';
import { plain } from '../markdown.ts';
import type { ToolStart, Turn } from '../turn.ts';
import { textContent } from '../turn.ts';
import type { NotedCall } from './conversation.ts';
import { fieldsOf } from './delta.ts';
import { shortened } from './results.ts';
import type { Outcome, Prepared, Tool } from './tools/tool.ts';
import { Arguments } from './tools/tool.ts';

/**
 * Does what the model asks for, as a tool call that the client shows. What is wrong with the call, or goes wrong in it, is
 * told to the model: it can do better.
 *
 * @returns What the model is told.
 * @throws Abandoned; what the turn's signal says.
 */
export async function callTool(
  turn: Turn,
  tools: readonly Tool[],
  call: NotedCall,
): Promise<string> {
  let prepared: Prepared;
  try {
    prepared = await preparedCall(turn, tools, call);
  } catch (error) {
    const title = `Call of ${plain(call.name, 60) || 'a tool without a name'}`;
    return failed(turn, { title, kind: 'other' }, error);
  }
  const toolCallId = turn.nextCallId();
  const start: ToolStart = prepared.start;
  await turn.client.toolCall({ toolCallId, status: 'pending', ...start });
  let outcome: Outcome;
  try {
    outcome = await prepared.run({ toolCallId, ...start });
  } catch (error) {
    return failed(turn, toolCallId, error);
  }
  const { told, failed: isFailed, ...shown } = outcome;
  const status = isFailed ? 'failed' : 'completed';
  await turn.client.toolCallUpdate({ toolCallId, status, ...shown });
  return told;
}

async function preparedCall(
  turn: Turn,
  tools: readonly Tool[],
  call: NotedCall,
): Promise<Prepared> {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    throw new Complaint(`There is no tool "${plain(call.name, 60)}". The tools are: ${names}.`);
  }
  // Without parameters, many send nothing at all.
  if (!call.isJson && call.arguments.trim() !== '') {
    throw new Complaint(
      `The arguments are no JSON object, so nothing was done. They began: ${shortened(call.arguments, 300)}`,
    );
  }
  const fields: unknown = call.isJson ? JSON.parse(call.arguments) : {};
  return tool.prepare(turn, new Arguments(fieldsOf(fields)));
}

/** Shows a call as failed and says why. @param call Its id; or how to show one that did not come so far. */
async function failed(turn: Turn, call: string | ToolStart, error: unknown): Promise<string> {
  if (!(error instanceof Complaint) || turn.signal.aborted) throw error;
  const content = [textContent(error.message)];
  if (typeof call === 'string') {
    await turn.client.toolCallUpdate({ toolCallId: call, status: 'failed', content });
  } else {
    const toolCallId = turn.nextCallId();
    await turn.client.toolCall({ toolCallId, status: 'failed', ...call, content });
  }
  return error.message;
}
