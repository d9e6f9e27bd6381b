import type { ToolCallContent } from '../../protocol/acp.ts';
import { demandUnchanged, writeText } from '../files.ts';
import type { Turn } from '../turn.ts';
import { askPermission } from './permission.ts';
import type { Outcome, Prepared } from './tools/tool.ts';

/** A change of one file, as the model wants it. */
export interface Change {
  readonly path: string;
  /** "Edit", "Write", "Create". */
  readonly verb: string;
  /** The file as it is; null where there is none. */
  readonly before: string | null;
  readonly after: string;
  /** Where to look: 1-based. */
  readonly line: number;
}

/** Shows a change as a diff, and writes it when the person agrees; never over a text that changed meanwhile. */
export function prepareChange(turn: Turn, change: Change): Prepared {
  const { path, verb, before, after, line } = change;
  const name = turn.workspace.name(path);
  const content: ToolCallContent[] = [{ type: 'diff', path, oldText: before, newText: after }];
  return {
    start: {
      title: `${verb} ${name}`,
      kind: 'edit',
      locations: [{ path, line }],
      rawInput: { path },
    },
    run: async (call): Promise<Outcome> => {
      const { toolCallId } = call;
      await turn.client.toolCallUpdate({ toolCallId, content });
      if (!turn.memory.editsAllowed) {
        turn.memory.editsAllowed = await askPermission(
          turn,
          { ...call, content },
          'Always allow edits in this chat',
        );
      }
      await turn.client.toolCallUpdate({ toolCallId, status: 'in_progress' });
      await demandUnchanged(turn, path, before);
      await writeText(turn, path, after);
      return { told: `${name} is written.`, content };
    },
  };
}
