import type {
  PlanEntry as WirePlanEntry,
  ToolCallContent,
  ToolCallLocation,
} from '../protocol/acp.ts';
import { kept } from './json.ts';
import { diffLines } from './lineDiff.ts';
import type { DiffContent, PlanStep, TerminalExit, ToolContent, ToolLocation } from './thread.ts';

/**
 * What a tool call shows, from what the agent sent. Agents send the same content again with each update: a diff that is
 * already there is not computed again, and content that did not change is the same object.
 */
export function toolContent(
  old: readonly ToolContent[],
  parts: readonly ToolCallContent[],
): readonly ToolContent[] {
  const next = parts.map((part, index) => toolPart(old[index], part));
  const same = next.length === old.length && next.every((part, index) => part === old[index]);
  return same ? old : next;
}

function toolPart(old: ToolContent | undefined, part: ToolCallContent): ToolContent {
  switch (part.type) {
    case 'content':
      return kept<ToolContent>(
        old ?? EMPTY_TEXT,
        part.content.type === 'text'
          ? { type: 'text', text: part.content.text }
          : { type: 'block', block: part.content },
      );
    case 'diff':
      return diffPart(old, part);
    case 'terminal':
      return kept<ToolContent>(old ?? EMPTY_TEXT, {
        type: 'terminal',
        terminalId: part.terminalId,
      });
  }
}

const EMPTY_TEXT: ToolContent = { type: 'text', text: '' };

function diffPart(
  old: ToolContent | undefined,
  part: Extract<ToolCallContent, { type: 'diff' }>,
): DiffContent {
  const { path, newText } = part;
  const oldText = part.oldText ?? null;
  if (old?.type === 'diff' && old.oldText === oldText && old.newText === newText) {
    return old.path === path ? old : { ...old, path };
  }
  return { type: 'diff', path, oldText, newText, ...diffLines(oldText, newText) };
}

export function toolLocations(
  old: readonly ToolLocation[],
  locations: readonly ToolCallLocation[],
): readonly ToolLocation[] {
  return kept(
    old,
    locations.map(({ path, line }) => ({ path, line: line ?? null })),
  );
}

export function planSteps(entries: readonly WirePlanEntry[]): readonly PlanStep[] {
  return entries.map(({ content, priority, status }) => ({ content, priority, status }));
}

type Meta = { readonly [name: string]: unknown } | null | undefined;

/** Pieces of output of a terminal that the agent runs itself, as several agents report it in `_meta`. */
export function terminalOutput(meta: Meta): string {
  if (meta === null || meta === undefined) return '';
  return dataOf(meta['terminal_output']) + dataOf(meta['terminal_output_delta']);
}

/** Where such a terminal runs; `null` if the agent does not say. */
export function terminalCwd(meta: Meta): string | null {
  const cwd = field(meta?.['terminal_info'], 'cwd');
  return typeof cwd === 'string' && cwd !== '' ? cwd : null;
}

/** How such a terminal ended: as its own news, or with the result of the call. `null` if the update does not say. */
export function terminalExit(update: {
  readonly _meta?: Meta;
  readonly rawOutput?: unknown;
}): TerminalExit | null {
  const told = update._meta?.['terminal_exit'];
  const code = field(told ?? update.rawOutput, 'exit_code');
  const signal = field(told, 'signal');
  if (told === undefined && typeof code !== 'number') return null;
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : null,
    signal: typeof signal === 'string' && signal !== '' ? signal : null,
  };
}

function dataOf(value: unknown): string {
  const data = field(value, 'data');
  return typeof data === 'string' ? data : '';
}

/** An own property of what may be anything. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
