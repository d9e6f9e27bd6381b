import './styles/index.css';
import { computed, signal } from '@preact/signals';
import { render } from 'preact';
import { App } from './App.tsx';
import { showPermission } from './composer/Shelves.tsx';
import { connectHost } from './host.ts';
import { nextFrame, Store } from './store.ts';
import { openPermissions, type OpenPermission } from './transcript/waiting.ts';
import { Memory } from './ui/memory.ts';
import { makeVoice, PageContext, type Page } from './ui/page.ts';

const host = connectHost();
const store = new Store(host.post, nextFrame);
const field: { current: HTMLTextAreaElement | null } = { current: null };

let known: readonly OpenPermission[] = [];
const waiting = computed(() => (known = openPermissions(store.latest.value, known)));

const page: Page = {
  store,
  memory: new Memory(host),
  post: host.post,
  chatId: () => store.view.peek()?.chat.id ?? '',
  ...makeVoice(),
  waiting,
  onScreen: signal(new Set<string>()),
  popup: signal(null),
  suggestion: signal(null),
  focusComposer: () => {
    field.current?.focus();
  },
  isReadOnly: () => store.view.peek()?.chat.readOnly === true,
};

host.onMessage((message) => {
  if (message.type !== 'focus') {
    store.receive(message);
    return;
  }
  const [first] = waiting.value;
  if (message.target === 'permission' && first !== undefined) showPermission(first.id);
  else page.focusComposer();
});

const root = document.getElementById('root') ?? document.body;
render(
  <PageContext.Provider value={page}>
    <App field={field} />
  </PageContext.Provider>,
  root,
);
store.start();
