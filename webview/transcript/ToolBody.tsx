import type { ToolCallEntry, ToolContent } from '../../src/bridge/messages.ts';
import { plainText } from '../../src/bridge/screen.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { S } from '../strings.ts';
import { Icon } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { reveal, shortPath } from '../ui/text.ts';
import { BlockBody } from './Block.tsx';
import { Diff } from './Diff.tsx';
import { Output } from './Output.tsx';
import { FileLink } from './FileLink.tsx';
import { AgentTerminal, OwnTerminal } from './Terminal.tsx';
import type { Commands } from './commands.ts';

/** Characters of raw input or output that are shown. */
const MAX_RAW = 20_000;

/** There is something under the row, be it only raw data. */
export function hasBody(entry: ToolCallEntry, commands: Commands): boolean {
  return (
    showsSomething(entry, commands) ||
    entry.locations.length > 1 ||
    entry.rawInput !== null ||
    entry.rawOutput !== null
  );
}

/** There is something that a person would look at. */
export function showsSomething(entry: ToolCallEntry, { agents, own }: Commands): boolean {
  return agents || own.length > 0 || entry.content.some((part) => part.type !== 'terminal');
}

/** What unfolds under the row of a call. */
export function ToolBody(props: {
  entry: ToolCallEntry;
  turn: number;
  index: number;
  commands: Commands;
}) {
  const { entry, commands } = props;
  return (
    <>
      {commands.agents && <AgentTerminal {...props} />}
      {entry.content.map((part, content) => (
        <Part key={content} {...props} part={part} content={content} />
      ))}
      {entry.locations.length > 1 && <Places entry={entry} />}
      {(entry.rawInput !== null || entry.rawOutput !== null) && <Raw entry={entry} />}
    </>
  );
}

function Part(props: {
  entry: ToolCallEntry;
  turn: number;
  index: number;
  part: ToolContent;
  content: number;
  commands: Commands;
}) {
  const { entry, part, commands } = props;
  switch (part.type) {
    case 'text':
      return <Text entry={entry} text={part.text} />;
    case 'block':
      return (
        <div class="note">
          <BlockBody block={part.block} />
        </div>
      );
    case 'diff':
      return <Diff diff={part} turn={props.turn} entry={props.index} content={props.content} />;
    case 'terminal':
      if (commands.own.includes(part.terminalId)) {
        return <OwnTerminal terminalId={part.terminalId} status={commands.state === null} />;
      }
      return commands.agents || !hasEnded(entry) ? null : (
        <p class="note muted">{S.terminalElsewhere}</p>
      );
  }
}

function hasEnded({ state }: ToolCallEntry): boolean {
  return state === 'done' || state === 'failed';
}

const FENCED = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\1\s*$/;

/** What a tool said: output as it is, words as Markdown. */
function Text({ entry, text }: { entry: ToolCallEntry; text: string }) {
  const fenced = FENCED.exec(text)?.[2];
  if (fenced !== undefined) return <Output text={fenced} tail={false} />;
  if (entry.state === 'failed' && text.length < 600) {
    return (
      <p class="note failed typed" dir="auto">
        {plainText(text)}
      </p>
    );
  }
  if (['read', 'search', 'execute', 'edit'].includes(entry.toolKind)) {
    return <Output text={text} tail={entry.toolKind === 'execute'} />;
  }
  return (
    <div class="note">
      <Markdown text={text} growing={false} />
    </div>
  );
}

function Places({ entry }: { entry: ToolCallEntry }) {
  return (
    <ul class="list small">
      {entry.locations.slice(0, 50).map((place, index) => (
        <li key={index}>
          <Icon id="file-code" extra="muted" />
          <FileLink file={place} name={shortPath(place.path)} />
          {place.line !== null && <span class="muted num">{place.line}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Input and output as the agent sent them, for those who want to know exactly. */
function Raw({ entry }: { entry: ToolCallEntry }) {
  return (
    <details class="raw">
      <summary>
        <Icon id="chevron-right" small extra="chev" />
        {S.details}
      </summary>
      {entry.rawInput !== null && <RawValue name={S.input} value={entry.rawInput} />}
      {entry.rawOutput !== null && <RawValue name={S.rawOutput} value={entry.rawOutput} />}
    </details>
  );
}

function RawValue({ name, value }: { name: string; value: unknown }) {
  const page = usePage();
  const text = jsonText(value);
  return (
    <>
      <div class="rawname">
        <span class="grow">{name}</span>
        <button
          type="button"
          class="link-btn"
          aria-label={`${S.copyDetails} ${name}`}
          onClick={() => {
            page.post({ type: 'copy', text });
            page.say(S.saidCopied);
          }}
        >
          {S.copyDetails}
        </button>
      </div>
      <pre class="wrap" tabIndex={0} dir="ltr" role="group" aria-label={name}>
        {reveal(text.slice(0, MAX_RAW))}
        {text.length > MAX_RAW && `\n${S.cutText(MAX_RAW, text.length)}`}
      </pre>
    </>
  );
}

/** JSON for reading; agents nest as deep as they like, the engine does not. */
function jsonText(value: unknown): string {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  } catch {
    return S.unshowable;
  }
}
