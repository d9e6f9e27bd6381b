import type { FromWebview, ToWebview } from '../src/bridge/messages.ts';

/** What VS Code gives to the page of a webview. */
interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): VsCodeApi;
}

/** The page's only way out: to the extension host. */
export interface Host {
  readonly post: (intent: FromWebview) => void;
  onMessage(listener: (message: ToWebview) => void): void;
  /** What the page remembered for itself: where it was scrolled, what was unfolded. Loses the last moments before a reload. */
  recall(): unknown;
  remember(state: unknown): void;
}

const KINDS: ReadonlySet<unknown> = new Set<ToWebview['type']>(['snapshot', 'patch', 'focus']);

/** Talks to the extension host. To be called once in the life of a page. */
export function connectHost(): Host {
  const api = acquireVsCodeApi();
  return {
    post: (intent) => {
      api.postMessage(intent);
    },
    onMessage: (listener) => {
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (isFromHost(data)) listener(data);
      });
    },
    recall: () => api.getState(),
    remember: (state) => {
      api.setState(state);
    },
  };
}

function isFromHost(data: unknown): data is ToWebview {
  return typeof data === 'object' && data !== null && 'type' in data && KINDS.has(data.type);
}
