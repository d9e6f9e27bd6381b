/** Headless Chromium, as the workbench needs it. */
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium } from './machine.mjs';
import { temporaryFolder } from './paths.mjs';
import { LOAD, PATIENCE } from './poll.mjs';

/**
 * @typedef {import('playwright-core').BrowserContext} BrowserContext
 * @typedef {import('playwright-core').Page} Page
 */

/**
 * Starts a browser with a profile of its own, which keeps the workbench's state from one page load to the next.
 * @param {{ width?: number, height?: number }} [viewport]
 * @returns {Promise<BrowserContext>} Closing it ends the browser.
 */
export async function launchBrowser({ width = 1280, height = 800 } = {}) {
  const executablePath = await ensureChromium();
  const profile = temporaryFolder('chromium');
  allowStorageOfWebviews(profile);
  const context = await chromium.launchPersistentContext(profile, {
    timeout: LOAD,
    executablePath,
    headless: true,
    viewport: { width, height },
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [
      // Chromium's sandbox does not work as root, nor in most containers; only our own pages are opened.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

/**
 * A webview on an origin of its own is a third party to the workbench, and needs storage for its service worker.
 * Debian's Chromium blocks that by default.
 * @param {string} profile
 */
function allowStorageOfWebviews(profile) {
  const folder = path.join(profile, 'Default');
  fs.mkdirSync(folder, { recursive: true });
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  fs.writeFileSync(path.join(folder, 'Preferences'), JSON.stringify(preferences));
}

/**
 * @typedef {object} PageSetup
 * @property {string} authority Of the server.
 * @property {string} [extension] Folder of an extension to load as one under development.
 * @property {string} [tests] Entry file of a test suite to run in the extension host.
 */

/**
 * Changes the configuration that the workbench reads from its own page: each webview gets an origin of its own, as in
 * VS Code, and an extension under development and its tests are loaded. (The address of the page can name them, too,
 * but VS Code 1.139 ignores that. Intercepting the page instead would block its web socket.)
 * @param {Page} page
 * @param {PageSetup} setup
 */
export async function configureWorkbench(page, { authority, extension, tests }) {
  const remote = (/** @type {string} */ file) => ({
    $mid: 1,
    scheme: 'vscode-remote',
    authority,
    path: file,
  });
  const development = {
    ...(extension === undefined ? {} : { extensions: [remote(extension)] }),
    ...(tests === undefined ? {} : { extensionTestsPath: remote(tests) }),
  };
  await page.addInitScript(rewriteConfiguration, development);
}

/**
 * Runs in the page, before any script of it: must not use anything from outside.
 * @param {Record<string, unknown>} development
 */
function rewriteConfiguration(development) {
  if (window !== window.top) return;
  const observer = new MutationObserver(() => {
    const element = document.getElementById('vscode-workbench-web-configuration');
    if (element === null) return;
    observer.disconnect();
    const settings = JSON.parse(element.getAttribute('data-settings') ?? '{}');
    settings.developmentOptions = { ...settings.developmentOptions, ...development };
    settings.webviewEndpoint = `http://{{uuid}}.localhost:${location.port}/${settings.webviewEndpoint}/`;
    element.setAttribute('data-settings', JSON.stringify(settings));
  });
  observer.observe(document, { childList: true, subtree: true });
}
