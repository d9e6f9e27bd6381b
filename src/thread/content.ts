import type {
  PlanEntry as WirePlanEntry,
  ToolCallContent,
  ToolCallLocation,
} from '../protocol/acp.ts';
import { kept } from './json.ts';
import { diffLines } from './lineDiff.ts';
import type { DiffContent, PlanStep, ToolContent, ToolLocation } from './thread.ts';

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

/** Pieces of output of a terminal that the agent runs itself, as several agents report it in `_meta`. */
export function terminalOutput(
  meta: { readonly [name: string]: unknown } | null | undefined,
): string {
  if (meta === null || meta === undefined) return '';
  return dataOf(meta['terminal_output']) + dataOf(meta['terminal_output_delta']);
}

function dataOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('data' in value)) return '';
  return typeof value.data === 'string' ? value.data : '';
}
