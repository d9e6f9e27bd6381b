import type { AgentChoice, AgentInfo, ChatViewState } from '../src/bridge/messages.ts';
import { agentStateWord } from './header/agentWords.ts';
import { S } from './strings.ts';
import { AgentTrouble } from './transcript/ErrorCard.tsx';
import { Icon } from './ui/Icon.tsx';
import { isComposing } from './ui/keys.ts';
import { usePage } from './ui/page.ts';

const EXAMPLE_ICONS = ['lightbulb', 'comment-discussion', 'search'] as const;

/** A chat in which nothing was said: which agent, and what one could ask it. */
export function Empty({ view }: { view: ChatViewState }) {
  const page = usePage();
  return (
    <>
      <div>
        <h2 class="welcome">{S.emptyTitle}</h2>
        <p class="muted">{S.emptyHint}</p>
      </div>
      <AgentTrouble agent={view.agent} />
      {view.agents.length > 0 && <Choice agents={view.agents} shown={view.agent} />}
      <div>
        <h3 class="sect">{S.examples}</h3>
        <div class="examples">
          {S.example.map((text, index) => (
            <button
              key={text}
              type="button"
              class="row"
              onClick={() => {
                page.suggestion.value = text;
              }}
            >
              <Icon id={EXAMPLE_ICONS[index] ?? 'lightbulb'} />
              <span>{text}</span>
            </button>
          ))}
        </div>
      </div>
    </>
  );
}

function Choice({ agents, shown }: { agents: readonly AgentChoice[]; shown: AgentInfo }) {
  const page = usePage();
  const chosen = Math.max(
    agents.findIndex((agent) => agent.chosen),
    0,
  );
  const choose = (agentId: string): void => {
    page.post({ type: 'chooseAgent', agentId });
  };
  return (
    <div>
      <h3 class="sect" id="agent-choice">
        {S.agentChoice}
      </h3>
      <div
        class="choice"
        role="radiogroup"
        aria-labelledby="agent-choice"
        onKeyDown={(event) => {
          moveInGroup(event);
        }}
      >
        {agents.map((agent, index) => (
          <button
            key={agent.id}
            type="button"
            class="row"
            role="radio"
            aria-checked={agent.chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => {
              choose(agent.id);
            }}
          >
            <Icon id={agent.id === 'reference' ? 'beaker' : 'agent'} />
            <bdi class="name cut">{agent.name}</bdi>
            <span class="status cut">
              {agent.id === shown.id ? agentStateWord(shown.state) : agent.detail}
            </span>
            <Icon id={agent.chosen ? 'check' : 'blank'} small />
          </button>
        ))}
      </div>
    </div>
  );
}

/** Arrow keys move the focus; Space or Enter chooses, since a choice may start a program. */
function moveInGroup(event: KeyboardEvent): void {
  if (isComposing(event)) return;
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')];
  const now = rows.findIndex((row) => row === document.activeElement);
  rows[(now + step + rows.length) % rows.length]?.focus();
  event.preventDefault();
}
