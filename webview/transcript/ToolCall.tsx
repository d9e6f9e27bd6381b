import type { ToolCallEntry } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Activity } from '../ui/Activity.tsx';
import { Icon } from '../ui/Icon.tsx';
import { clock, duration, Elapsed } from '../ui/time.tsx';
import { useCommands, type Commands } from './commands.ts';
import type { EntryProps } from './entryProps.ts';
import { FileLink } from './FileLink.tsx';
import { Permissions } from './Permissions.tsx';
import { CommandStatus } from './Terminal.tsx';
import { hasBody, showsSomething, ToolBody } from './ToolBody.tsx';
import { kindIcon, rowWords, stateWords } from './toolWords.ts';
import { titleOf } from './waiting.ts';

/** A tool call: one row that changes in place, and what there is to see under it. */
export function ToolCall({ entry, turn, index, path }: EntryProps<ToolCallEntry>) {
  const words = rowWords(entry);
  const title = titleOf(entry);
  const commands = useCommands(entry);
  const running = entry.state === 'running' || commands.running;
  const state = stateWords(commands.running && entry.state !== 'waiting' ? 'running' : entry.state);
  return (
    <Activity
      fold={`${path}/${index}`}
      byDefault={commands.running || opensByItself(entry, commands)}
      label={S.toolCall(title, state.spoken)}
      card
      dataState={entry.state}
      busy={running}
      icon={kindIcon(entry.toolKind)}
      head={<Head entry={entry} title={title} words={words} />}
      beside={words.file !== null && <FileLink file={words.file} name={words.target} />}
      state={<State entry={entry} commands={commands} />}
      body={
        hasBody(entry, commands)
          ? () => <ToolBody entry={entry} turn={turn} index={index} commands={commands} />
          : null
      }
      after={entry.permissions.length > 0 ? <Permissions entry={entry} /> : null}
    />
  );
}

/** Folded when all went well; open on failure, and while there is something to see or to decide on. */
function opensByItself(entry: ToolCallEntry, commands: Commands): boolean {
  switch (entry.state) {
    case 'failed':
      return showsSomething(entry, commands);
    case 'waiting':
      return entry.content.some((part) => part.type === 'diff');
    case 'running':
      return entry.toolKind === 'execute' && showsSomething(entry, commands);
    default:
      return false;
  }
}

function Head(props: { entry: ToolCallEntry; title: string; words: ReturnType<typeof rowWords> }) {
  const { verb, target, code, file } = props.words;
  const Target = code ? 'code' : 'span';
  if (target === '' || file !== null) {
    return (
      <span class={file === null ? 'title cut' : 'verb'} title={props.title}>
        {verb}
      </span>
    );
  }
  return (
    <>
      <span class="verb">{verb}</span>
      <Target class="target cut" title={props.title}>
        <bdi>{target}</bdi>
      </Target>
    </>
  );
}

function State({ entry, commands }: { entry: ToolCallEntry; commands: Commands }) {
  if (commands.state !== null) return <CommandStatus state={commands.state} />;
  const { icon, shown, spoken } = stateWords(entry.state);
  const diffs = entry.content.filter((part) => part.type === 'diff');
  const added = diffs.reduce((sum, diff) => sum + diff.added, 0);
  const removed = diffs.reduce((sum, diff) => sum + diff.removed, 0);
  return (
    <>
      {added > 0 && <span class="added num">+{added}</span>}
      {removed > 0 && <span class="removed num">−{removed}</span>}
      {icon !== null && <Icon id={icon} small extra={icon === 'loading' ? 'spin' : ''} />}
      {shown === '' ? <span class="only-sr">{spoken}</span> : <span>{shown}</span>}
      {entry.state === 'running' && <Elapsed since={entry.at} format={clock} />}
      {entry.state === 'done' && entry.endedAt !== null && diffs.length === 0 && (
        <span class="num">{duration(entry.endedAt - entry.at)}</span>
      )}
    </>
  );
}
