import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Terminal as TerminalModel, ToolCallEntry } from '../../src/bridge/messages.ts';
import { plainText } from '../../src/bridge/screen.ts';
import { commandOf } from '../../src/bridge/words.ts';
import { S } from '../strings.ts';
import { Icon, IconButton } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { beginning, oneLine, reveal } from '../ui/text.ts';
import { clock, duration, Elapsed } from '../ui/time.tsx';
import { Screen, useDrawn } from './Screen.tsx';
import { exitWords, placeIn, type CommandState } from './terminalWords.ts';

/** A command that Parley runs or ran for the agent. Drawn again when its own output changes, and with nothing else. */
export function OwnTerminal({ terminalId, status }: { terminalId: string; status: boolean }) {
  const page = usePage();
  const terminal = page.store.terminal(terminalId).value;
  if (terminal === undefined) return null;
  return <Own terminal={terminal} status={status} />;
}

function Own({ terminal, status }: { terminal: TerminalModel; status: boolean }) {
  const page = usePage();
  const [stopped, stop] = useState(false);
  const { terminalId, exit } = terminal;
  const running = exit === null;
  const post = (type: 'stopTerminal' | 'openTerminalOutput' | 'showTerminal') => (): void => {
    page.post({ type, chatId: page.chatId(), terminalId });
  };
  return (
    <Terminal
      command={terminal.command}
      cwd={terminal.cwd}
      output={terminal.output}
      cut={terminal.cut}
      running={running}
      state={status ? terminal : null}
      onOpen={post('openTerminalOutput')}
    >
      <IconButton id="terminal" small label={S.openInTerminal} onClick={post('showTerminal')} />
      {running && !page.isReadOnly() && (
        <button
          type="button"
          class="btn quiet"
          aria-label={S.stopCommand}
          aria-disabled={stopped ? 'true' : undefined}
          onClick={() => {
            if (stopped) return;
            stop(true);
            post('stopTerminal')();
          }}
        >
          <Icon id="debug-stop" small />
          {stopped ? S.stopping : S.stop}
        </button>
      )}
    </Terminal>
  );
}

/** A command that the agent runs or ran itself, as far as it tells. */
export function AgentTerminal(props: { entry: ToolCallEntry; turn: number; index: number }) {
  const { entry, turn, index } = props;
  const page = usePage();
  return (
    <Terminal
      command={commandOf(entry)}
      cwd={entry.cwd}
      output={entry.output}
      cut={false}
      running={entry.state === 'running' || entry.state === 'pending'}
      state={null}
      onOpen={() => {
        page.post({ type: 'openOutput', chatId: page.chatId(), turn, entry: index });
      }}
    />
  );
}

function Terminal(props: {
  command: string;
  cwd: string | null;
  output: string;
  /** Something before `output` is known to be missing. */
  cut: boolean;
  running: boolean;
  /** Said at the foot, where it does not stand in the row of the call. */
  state: CommandState | null;
  onOpen: () => void;
  children?: ComponentChildren;
}) {
  const { command, cwd, output } = props;
  const page = usePage();
  const drawn = useDrawn(output);
  const cut = props.cut || drawn.cut;
  const folders = page.store.view.value?.workspace.folders ?? [];
  const place = cwd === null ? '' : oneLine(reveal(placeIn(folders, cwd)));
  return (
    <div class="term">
      {command !== '' && (
        <div class="cmd">
          <span class="sig" aria-hidden="true">
            $
          </span>
          <span>{reveal(beginning(command))}</span>
        </div>
      )}
      <Screen drawn={drawn} empty={props.running ? S.noOutputYet : S.noOutput} />
      <div class="foot muted">
        {props.state !== null && <CommandStatus state={props.state} />}
        <span class="cut grow" title={cwd ?? ''}>
          {cut && S.endOfOutput}
          {place !== '' && cut && ' · '}
          {place !== '' && <bdi dir="ltr">{place}</bdi>}
        </span>
        <span class="tools">
          <IconButton
            id="copy"
            small
            label={S.copyOutput}
            onClick={() => {
              page.post({ type: 'copy', text: plainText(output) });
              page.say(S.saidCopied);
            }}
          />
          <IconButton id="go-to-file" small label={S.openOutput} onClick={props.onOpen} />
          {props.children}
        </span>
      </div>
    </div>
  );
}

/** How a command stands: in words, with an icon, and how long it took or takes. */
export function CommandStatus({ state }: { state: CommandState }) {
  const { icon, words, bad } = exitWords(state.exit);
  const running = state.exit === null;
  return (
    <span class={bad ? 'status bad' : 'status'}>
      {icon !== null && <Icon id={icon} small extra={running ? 'spin' : ''} />}
      {running ? <span class="only-sr">{words}</span> : <span>{words}</span>}
      {running && <Elapsed since={state.startedAt} format={clock} />}
      {!running && state.endedAt !== null && (
        <span class="num">{duration(state.endedAt - state.startedAt)}</span>
      )}
    </span>
  );
}
