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
  if (message.target === 'permission' && first !== undefined) {
    keepFocus(() => {
      showPermission(first.id);
    });
  } else {
    keepFocus(page.focusComposer);
  }
});

/** VS Code takes the focus off what has it when it then puts it into the view itself: milliseconds. */
const SETTLES = 1_000;

let again: (() => void) | null = null;

function keepFocus(put: () => void): void {
  put();
  again = put;
  setTimeout(() => {
    if (again === put) again = null;
  }, SETTLES);
}

window.addEventListener('focus', () => {
  if (document.activeElement === document.body) again?.();
});

const root = document.getElementById('root') ?? document.body;
render(
  <PageContext.Provider value={page}>
    <App field={field} />
  </PageContext.Provider>,
  root,
);
store.start();
