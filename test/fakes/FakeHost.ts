import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Change, ChatViewState, FromWebview, ToWebview } from '../../src/bridge/messages.ts';

export const THEMES = [
  'dark-modern',
  'light-modern',
  'dark-high-contrast',
  'light-high-contrast',
] as const;
export type Theme = (typeof THEMES)[number];

/** What VS Code puts on the body of its webviews. */
const BODY: Readonly<Record<Theme, string>> = {
  'dark-modern': 'vscode-dark',
  'light-modern': 'vscode-light',
  'dark-high-contrast': 'vscode-high-contrast',
  'light-high-contrast': 'vscode-high-contrast vscode-high-contrast-light',
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

/** Milliseconds until something that should be on screen counts as missing, on a busy machine. */
const PATIENCE = 10_000;

const NONCE = 'dGVzdC1ub25jZQ';

/** The policy that ships, with this server in the place of the extension's resources. */
function policy(origin: string): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${NONCE}'`,
    `style-src ${origin}`,
    `font-src ${origin}`,
    `img-src ${origin} data: blob:`,
    `media-src data: blob:`,
    `worker-src blob:`,
  ].join('; ');
}

/** Serves the built page under the shipped policy, and opens it in a real browser. */
export class PageServer {
  private constructor(
    private readonly server: http.Server,
    private readonly browser: Browser,
    private readonly scripts: Map<string, string>,
    readonly origin: string,
  ) {}

  static async start(): Promise<PageServer> {
    const scripts = new Map<string, string>();
    const server = http.createServer((request, response) => {
      answer(request, response, scripts);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address() as AddressInfo;
    const browser = await chromium.launch({
      executablePath: process.env['PARLEY_CHROMIUM'] ?? '/usr/bin/chromium',
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
      ],
    });
    return new PageServer(server, browser, scripts, `http://127.0.0.1:${address.port}`);
  }

  /** A fresh page, with a host that records what the page says and has not said anything itself. */
  async open(
    options: {
      theme?: Theme;
      width?: number;
      height?: number;
      state?: unknown;
      reducedMotion?: boolean;
      /** Milliseconds since the epoch at which the page's clock stands. */
      now?: number;
    } = {},
  ): Promise<FakeHost> {
    const context = await this.browser.newContext({
      viewport: { width: options.width ?? 480, height: options.height ?? 700 },
      reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
      timezoneId: 'UTC',
      locale: 'en-GB',
    });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    const host = new FakeHost(page, this.origin);
    await host.prepare(options.state);
    if (options.now !== undefined) await page.clock.setFixedTime(options.now);
    await page.goto(`${this.origin}/?theme=${options.theme ?? 'dark-modern'}`);
    return host;
  }

  /** A page of its own under the same policy, with one script. */
  async openScript(name: string, code: string): Promise<FakeHost> {
    this.scripts.set(`/${name}.js`, code);
    const page = await this.browser.newPage();
    const host = new FakeHost(page, this.origin);
    await host.prepare(undefined);
    await page.goto(`${this.origin}/?script=/${name}.js`);
    return host;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  scripts: ReadonlyMap<string, string>,
): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (url.pathname === '/') {
    const origin = `http://${request.headers.host ?? ''}`;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(origin),
    });
    const script = url.searchParams.get('script') ?? '/dist/webview.js';
    response.end(html(url.searchParams.get('theme'), script));
    return;
  }
  const script = scripts.get(url.pathname);
  if (script !== undefined) {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
    return;
  }
  // Every browser asks for it.
  if (url.pathname === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  const file = path.join(process.cwd(), url.pathname.replace(/\.\./g, ''));
  if (!fs.existsSync(file) || !fs.statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' });
  response.end(fs.readFileSync(file));
}

function html(name: string | null, script: string): string {
  const theme = THEMES.find((known) => known === name) ?? 'dark-modern';
  return `<!doctype html>
<html lang="en" data-theme="${theme}"><head><meta charset="utf-8"><title>Parley</title>
<link rel="stylesheet" href="/test/webview/themes/${theme}.css">
<link rel="stylesheet" href="/dist/codicon.css"><link rel="stylesheet" href="/dist/webview.css"></head>
<body class="${BODY[theme]}"><div id="root"></div>
<script type="module" nonce="${NONCE}" src="${script}"></script></body></html>`;
}

/** The other side of the page: records its intents, and lets a test say what the host would. */
export class FakeHost {
  /** Violations of the content security policy, page errors and requests that left the page's origin. */
  readonly faults: string[] = [];
  /** Of what was posted last. */
  revision = 0;

  constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  async prepare(state: unknown): Promise<void> {
    this.page.on('pageerror', (error) => this.faults.push(`error: ${error.message}`));
    this.page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`);
    });
    this.page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.origin) && !/^(?:data|blob):/.test(url)) {
        this.faults.push(`request: ${url}`);
      }
    });
    await this.page.addInitScript((kept: unknown) => {
      const said: unknown[] = [];
      const violations: string[] = [];
      let state = kept;
      document.addEventListener('securitypolicyviolation', (event) => {
        violations.push(`${event.violatedDirective}: ${event.blockedURI}`);
      });
      Object.assign(window, {
        said,
        violations,
        remembered: () => state,
        acquireVsCodeApi: () => ({
          postMessage: (message: unknown) => said.push(structuredClone(message)),
          getState: () => state,
          setState: (next: unknown) => (state = next),
        }),
      });
    }, state);
  }

  async post(message: ToWebview): Promise<void> {
    // As text: the driver's own copying of arguments takes for ever on deep ones.
    await this.page.evaluate((json) => {
      window.postMessage(JSON.parse(json), '*');
    }, JSON.stringify(message));
  }

  async snapshot(view: ChatViewState): Promise<void> {
    this.revision++;
    await this.post({ type: 'snapshot', revision: this.revision, view });
    await this.settled();
  }

  async patch(
    changes: readonly Change[],
    view: Extract<ToWebview, { type: 'patch' }>['view'] = {},
  ): Promise<void> {
    const base = this.revision++;
    await this.post({ type: 'patch', base, revision: this.revision, changes, view });
  }

  /** Waits until what was posted is on screen. */
  async settled(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            requestAnimationFrame(() => {
              requestAnimationFrame(() => {
                resolve();
              });
            });
          }, 0);
        }),
    );
  }

  /** All that the page has said so far. */
  async said(): Promise<readonly FromWebview[]> {
    return this.page.evaluate(() => Reflect.get(window, 'said') as FromWebview[]);
  }

  async saidOf<T extends FromWebview['type']>(
    type: T,
  ): Promise<readonly Extract<FromWebview, { type: T }>[]> {
    const all = await this.said();
    return all.filter((one): one is Extract<FromWebview, { type: T }> => one.type === type);
  }

  async forget(): Promise<void> {
    await this.page.evaluate(() => {
      (Reflect.get(window, 'said') as unknown[]).length = 0;
    });
  }

  /** Everything that should not have happened. */
  async wrongs(): Promise<readonly string[]> {
    const violations = await this.page.evaluate(
      () => Reflect.get(window, 'violations') as string[],
    );
    return [...this.faults, ...violations];
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
