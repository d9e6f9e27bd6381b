/** A real VS Code with Parley in it, open in a browser: what the UI tests and the pictures are made with. */
import fs from 'node:fs';
import path from 'node:path';
import { configureWorkbench, launchBrowser } from './browser.mjs';
import { ensureRipgrep } from './machine.mjs';
import { ParleyView } from './pages/parley.mjs';
import { Workbench } from './pages/workbench.mjs';
import { root, sampleWorkspace, shots, temporaryFolder, vsix } from './paths.mjs';
import { installExtension, linkExtension, startServer } from './vscode/server.mjs';
import { FOR_TESTS } from './vscode/settings.mjs';

/**
 * @typedef {object} SessionOptions
 * @property {string} release Such as `1.139`.
 * @property {'packed' | 'built'} [extension] The packed .vsix, installed (the default), or the project's folder.
 * @property {string} [folder] Workspace; a copy of the sample if not given.
 * @property {Readonly<Record<string, unknown>>} [settings] On top of those for tests.
 * @property {{ width?: number, height?: number }} [viewport]
 * @property {boolean} [workspaceTrust] Whether VS Code asks if the folder can be trusted, as it does for people.
 */

export class Session {
  /**
   * @param {string} release
   * @param {string} folder
   * @param {import('./vscode/server.mjs').Server} server
   * @param {import('playwright-core').BrowserContext} browser
   * @param {import('playwright-core').Page} page
   */
  constructor(release, folder, server, browser, page) {
    /** @readonly */
    this.release = release;
    /** The workspace, on disk. @readonly */
    this.folder = folder;
    /** @readonly */
    this.server = server;
    /** @readonly */
    this.browser = browser;
    /** @readonly */
    this.page = page;
    /** @readonly */
    this.workbench = new Workbench(page);
    /** @readonly */
    this.parley = new ParleyView(this.workbench);
    /** Errors that the workbench or a webview did not catch. @readonly @type {string[]} */
    this.pageErrors = [];
    page.on('pageerror', (error) => this.pageErrors.push(error.stack ?? error.message));
  }

  /**
   * @param {SessionOptions} options
   * @returns {Promise<Session>} With the workbench drawn.
   */
  static async start({
    release,
    extension = 'packed',
    folder = sampleWorkspace(),
    settings,
    viewport,
    workspaceTrust = false,
  }) {
    await ensureRipgrep();
    const data = temporaryFolder('vscode');
    if (extension === 'packed') await installExtension(release, data, vsix);
    else linkExtension(data, root);
    const server = await startServer({
      release,
      data,
      settings: { ...FOR_TESTS, ...settings, 'security.workspace.trust.enabled': workspaceTrust },
      workspaceTrust,
    });
    /** @type {import('playwright-core').BrowserContext | undefined} */
    let browser;
    try {
      browser = await launchBrowser(viewport);
      const page = browser.pages()[0] ?? (await browser.newPage());
      await configureWorkbench(page, { authority: server.authority });
      const session = new Session(release, folder, server, browser, page);
      await session.workbench.open(`${server.origin}/?${new URLSearchParams({ folder })}`);
      return session;
    } catch (error) {
      // Left running, they would keep this process from ending.
      await browser?.close();
      await server.stop();
      throw error;
    }
  }

  /**
   * Keeps a picture of the whole window.
   * @param {string} name Of the file, in `dist/shots`.
   * @returns {Promise<string>} The file.
   */
  async shoot(name) {
    fs.mkdirSync(shots, { recursive: true });
    const file = path.join(shots, `${name.replace(/[^\w.-]+/g, '-')}-${this.release}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  /** What Parley has logged. @returns {string} */
  logs() {
    const folder = path.join(this.server.data, 'data', 'logs');
    if (!fs.existsSync(folder)) return '';
    return fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /Parley[^/]*\.log$/.test(file))
      .map(
        (file) => `--- ${file}\n${fs.readFileSync(path.join(folder, file), 'utf8').slice(-6000)}`,
      )
      .join('\n');
  }

  async close() {
    await this.browser.close();
    await this.server.stop();
  }
}
