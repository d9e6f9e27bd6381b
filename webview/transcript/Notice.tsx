import type { NoticeEntry } from '../../src/bridge/messages.ts';
import { Icon } from '../ui/Icon.tsx';

const LOOK = {
  info: { icon: 'info', tone: '' },
  warning: { icon: 'warning', tone: ' waiting' },
  error: { icon: 'error', tone: ' failed' },
} as const;

/** A line that Parley itself puts into the chat. */
export function Notice({ entry }: { entry: NoticeEntry }) {
  const { icon, tone } = LOOK[entry.severity];
  return (
    <div class={`endline${tone}`}>
      <Icon id={icon} />
      <span class="grow" dir="auto">
        {entry.text}
      </span>
    </div>
  );
}
