import { memo } from '../ui/memo.tsx';
import { AgentText } from './AgentText.tsx';
import { Block } from './Block.tsx';
import type { EntryProps } from './entryProps.ts';
import { Notice } from './Notice.tsx';
import { Plan } from './Plan.tsx';
import { Thought } from './Thought.tsx';
import { ToolCall } from './ToolCall.tsx';
import { UserText } from './UserText.tsx';

/** One entry of a turn, drawn again only when it changed. */
export const EntryView = memo(function EntryView(props: EntryProps) {
  const { entry } = props;
  switch (entry.kind) {
    case 'user':
      return <UserText entry={entry} />;
    case 'agent':
      return <AgentText {...props} entry={entry} />;
    case 'thought':
      return <Thought {...props} entry={entry} />;
    case 'tool':
      return <ToolCall {...props} entry={entry} />;
    case 'plan':
      return <Plan {...props} entry={entry} />;
    case 'block':
      return <Block entry={entry} />;
    case 'notice':
      return <Notice entry={entry} />;
  }
});
