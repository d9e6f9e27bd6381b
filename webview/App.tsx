import type { RefObject } from 'preact';
import type { ChatViewState } from '../src/bridge/messages.ts';
import { Announcer } from './Announcer.tsx';
import { Composer } from './composer/Composer.tsx';
import { QueueShelf, WaitingShelf } from './composer/Shelves.tsx';
import { Header } from './header/Header.tsx';
import { S } from './strings.ts';
import { Transcript } from './transcript/Transcript.tsx';
import { Icon } from './ui/Icon.tsx';
import { usePage } from './ui/page.ts';
import { oneLine, reveal } from './ui/text.ts';

/** The whole page. Draws nothing until the host has told what there is. */
export function App({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const { store } = usePage();
  const view = store.view.value;
  if (view === null) return <main class="parley" aria-busy="true" />;
  const { agent, thread, chat } = view;
  const title = titleOf(view);
  const running = thread.latest?.state.kind === 'running';
  return (
    <main class="parley" aria-label={S.page(agent.name)}>
      <h1 class="only-sr">{title}</h1>
      <Header agent={agent} title={title} />
      <Banners view={view} />
      <Transcript view={view} />
      <footer class="dock">
        <WaitingShelf />
        <QueueShelf
          queue={thread.queue}
          held={thread.queueHeld}
          running={running}
          readOnly={chat.readOnly}
        />
        <Composer
          chatId={chat.id}
          readOnly={chat.readOnly}
          draft={thread.draft}
          running={running && !chat.readOnly}
          cancelling={thread.latest?.state.kind === 'running' && thread.latest.state.cancelling}
          agentName={agent.name}
          started={thread.latest !== null}
          field={field}
        />
      </footer>
      <Announcer />
    </main>
  );
}

function titleOf(view: ChatViewState): string {
  const listed = view.chats.find(({ id }) => id === view.chat.id)?.title;
  return oneLine(reveal(view.thread.title ?? listed ?? '')) || S.newChat;
}

/** What limits this chat, said where it is. */
function Banners({ view }: { view: ChatViewState }) {
  const lines = [
    view.chat.readOnly ? { icon: 'lock', text: S.readOnly } : null,
    view.workspace.hasFolder ? null : { icon: 'info', text: S.noFolder },
    view.workspace.trusted ? null : { icon: 'workspace-untrusted', text: S.untrusted },
  ].filter((line) => line !== null);
  return (
    <>
      {lines.map(({ icon, text }) => (
        <div key={text} class="banner small">
          <Icon id={icon} />
          <span class="grow">{text}</span>
        </div>
      ))}
    </>
  );
}
