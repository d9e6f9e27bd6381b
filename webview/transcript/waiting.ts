import type { Permission, ToolCallEntry, Turn } from '../../src/bridge/messages.ts';
import { sameItems } from '../ui/memo.tsx';
import { beginning, oneLine, reveal } from '../ui/text.ts';
import { S } from '../strings.ts';

/** A question that waits for the person. */
export interface OpenPermission {
  readonly id: string;
  readonly title: string;
}

/** The open questions of a turn, oldest first; the same list as `before` where nothing changed. */
export function openPermissions(
  turn: Turn | null,
  before: readonly OpenPermission[],
): readonly OpenPermission[] {
  const now = (turn?.entries ?? []).flatMap((entry) =>
    entry.kind === 'tool'
      ? entry.permissions.filter(isOpen).map(({ id }) => ({ id, title: titleOf(entry) }))
      : [],
  );
  const text = ({ id, title }: OpenPermission): string => `${id}\n${title}`;
  return sameItems(now.map(text), before.map(text)) ? before : now.sort(byAge(turn));
}

export function isOpen(permission: Permission): boolean {
  return permission.state.kind === 'open';
}

/** What the agent called it, on one line, with nothing hidden in it. */
export function titleOf(entry: ToolCallEntry): string {
  return oneLine(reveal(beginning(entry.title))) || S.untitledCall;
}

function byAge(turn: Turn | null): (a: OpenPermission, b: OpenPermission) => number {
  const asked = new Map<string, number>();
  for (const entry of turn?.entries ?? []) {
    if (entry.kind === 'tool') for (const { id, at } of entry.permissions) asked.set(id, at);
  }
  return (a, b) => (asked.get(a.id) ?? 0) - (asked.get(b.id) ?? 0);
}
