import type { ToolKind } from '../../protocol/acp.ts';
import type { OfferedOption } from '../../protocol/connection.ts';
import { diffsOf, subjectOf } from '../../thread/subject.ts';
import type { PermissionChoice, ToolCallEntry } from '../../thread/thread.ts';
import type { PermissionQuestion } from '../ports.ts';

/** Bounds of what one question shows: characters, options. An honest agent comes nowhere near. */
const TITLE_LIMIT = 1_000;
const NAME_LIMIT = 10_000;
const SUBJECT_LIMIT = 100_000;
const OPTION_LIMIT = 100;

const KINDS: Readonly<Record<ToolKind, string>> = {
  read: 'Read a file',
  edit: 'Edit a file',
  delete: 'Delete a file',
  move: 'Move a file',
  search: 'Search',
  execute: 'Run a command',
  think: 'Think',
  fetch: 'Fetch from the network',
  switch_mode: 'Switch the mode',
  other: 'Use a tool',
};

/**
 * The options that can be shown and answered: the agent's, in its order. Of two with one id only the first is kept: the
 * agent could not tell them apart either, so the second one's words could promise what its id does not do.
 */
export function choicesOf(
  options: readonly OfferedOption[],
  report: (message: string) => void,
): readonly PermissionChoice[] {
  const ids = new Set<string>();
  const choices: PermissionChoice[] = [];
  for (const { optionId, name, kind } of options) {
    if (ids.has(optionId)) continue;
    ids.add(optionId);
    if (choices.length < OPTION_LIMIT)
      choices.push({ optionId, name: cut(nameFor(name, optionId), NAME_LIMIT), kind });
  }
  if (choices.length < options.length) {
    report(`a permission request offered ${options.length} options; ${choices.length} are shown`);
  }
  return choices;
}

/** A name that can be seen; the id, too, may be blank. */
function nameFor(name: string, optionId: string): string {
  return [name, optionId].find((text) => text.trim() !== '') ?? '(no name)';
}

/** Words of Parley's that stand for those of the call, which an agent may have chosen. */
export type QuestionWords = Partial<
  Pick<PermissionQuestion, 'title' | 'kind' | 'subject' | 'facts' | 'reason'>
>;

interface QuestionSource {
  readonly permissionId: string;
  readonly chatTitle: string;
  readonly agentName: string;
  readonly options: readonly PermissionChoice[];
  /**
   * The call that the request is about, with all that its request and earlier updates said: agents put the command or
   * the diff into one or the other. `null` if it is not known.
   */
  readonly call: ToolCallEntry | null;
  /** Why Parley itself asks; left out where the agent asks. */
  readonly reason?: string;
  /** The folder that the agent's command is to run in, where that is not the chat's own. */
  readonly folder?: string;
  readonly words?: QuestionWords;
}

/** What the person is asked: in the agent's words, with the whole command or file. */
export function questionOf(source: QuestionSource): PermissionQuestion {
  const { permissionId, chatTitle, agentName, options, call, folder, words = {} } = source;
  const kind = words.kind ?? KINDS[call?.toolKind ?? 'other'];
  const subject = words.subject ?? (call === null ? '' : subjectOf(call));
  return {
    permissionId,
    chatTitle,
    agentName,
    title: cut(words.title ?? call?.title ?? '', TITLE_LIMIT) || kind,
    kind,
    subject: cut(subject, SUBJECT_LIMIT),
    facts: words.facts ?? (folder === undefined ? [] : [`in ${folder}`]),
    diffs: call === null ? [] : diffsOf(call),
    options,
    reason: words.reason ?? source.reason ?? '',
  };
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
