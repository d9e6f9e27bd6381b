import type { AgentInfo, FromWebview } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Icon, IconButton } from '../ui/Icon.tsx';
import { Menu } from '../ui/Menu.tsx';
import { memo } from '../ui/memo.tsx';
import { usePage } from '../ui/page.ts';
import { agentStateWord } from './agentWords.ts';

type Command = Extract<FromWebview, { type: 'command' }>['command'];

const MORE: readonly {
  readonly command: Command;
  readonly label: string;
  readonly icon: string;
}[] = [
  { command: 'selectAgent', label: S.selectAgent, icon: 'agent' },
  { command: 'restartAgent', label: S.restartAgent, icon: 'refresh' },
  { command: 'showLog', label: S.showLog, icon: 'output' },
  { command: 'openSettings', label: S.openSettings, icon: 'settings-gear' },
];

/** Which agent, which chat, how far; and what can be done about it. */
export const Header = memo(function Header({ agent, title }: { agent: AgentInfo; title: string }) {
  const page = usePage();
  const run = (command: Command): void => {
    page.post({ type: 'command', command });
  };
  return (
    <header class="head">
      <button
        type="button"
        class="where"
        aria-haspopup="listbox"
        aria-label={S.where(agent.name, title)}
        title={`${agent.name} / ${title}`}
        onClick={() => {
          run('switchChat');
        }}
      >
        <Icon id={agent.id === 'reference' ? 'beaker' : 'agent'} />
        <bdi class="agent cut">{agent.name}</bdi>
        <span class="sep">/</span>
        <bdi class="title cut">{title}</bdi>
        <Icon id="chevron-down" small />
      </button>
      <span class={`agent-state ${agent.state.kind}`}>
        {agent.state.kind === 'starting' && <Icon id="loading" small extra="spin" />}
        {agent.state.kind === 'failed' && <Icon id="error" small />}
        {agentStateWord(agent.state)}
      </span>
      <IconButton
        id="add"
        label={S.newChat}
        onClick={() => {
          page.post({ type: 'newChat' });
          page.focusComposer();
        }}
      />
      <IconButton
        id="history"
        label={S.history}
        onClick={() => {
          run('switchChat');
        }}
      />
      <Menu
        label={S.more}
        icon="ellipsis"
        items={MORE.map(({ command, label, icon }) => ({
          label,
          icon,
          run: () => {
            run(command);
          },
        }))}
      />
    </header>
  );
});
