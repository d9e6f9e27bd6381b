/** The chat view of Parley, by the names that a screen reader says. */
import { LOAD, PATIENCE, poll } from '../poll.mjs';

/** @typedef {import('playwright-core').Locator} Locator */

/** How long the view must be still to be idle, in milliseconds. */
const STILL = 400;

export class ParleyView {
  /** @param {import('./workbench.mjs').Workbench} workbench */
  constructor(workbench) {
    /** @readonly */
    this.workbench = workbench;
    /**
     * The document of the webview: a frame in a frame. It is looked up anew at every use, so it may be replaced.
     * @readonly
     */
    this.frame = workbench.page
      .frameLocator('iframe.webview.ready')
      .first()
      .frameLocator('#active-frame');
  }

  /** Opens the view from the activity bar and waits until it can be typed into. */
  async open() {
    await this.workbench.openFromActivityBar('Parley');
    await this.whenShown();
  }

  /** Waits until the view can be typed into. */
  async whenShown() {
    await this.composer.waitFor({ timeout: LOAD });
  }

  /**
   * Waits until the view shows a chat with this agent.
   * @param {string} agent Its name.
   */
  async whenChatWith(agent) {
    await this.frame.getByRole('main', { name: `Chat with ${agent}`, exact: true }).waitFor();
  }

  get conversation() {
    return this.frame.getByRole('log', { name: 'Conversation', exact: true });
  }

  get composer() {
    return this.frame.getByRole('textbox', { name: 'Message', exact: true });
  }

  /** @param {string} name Accessible name. */
  button(name) {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /**
   * Parts of turns.
   * @param {string | RegExp} name Such as `Agent`, or `/^Tool call: .*, Done$/`.
   */
  articles(name) {
    return this.frame.getByRole('article', { name, exact: true });
  }

  /** Requests for permission in the chat. */
  get permissions() {
    return this.frame.getByRole('group', { name: /^Permission: / });
  }

  get errors() {
    return this.frame.getByRole('alert', { name: 'Error', exact: true });
  }

  /**
   * Writes a message and sends it with Enter.
   * @param {string} text
   */
  async prompt(text) {
    await this.composer.click();
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await this.articles('You').filter({ hasText: text }).last().waitFor();
  }

  /** @returns {Promise<boolean>} Whether a turn runs. */
  async isRunning() {
    return (await this.button('Stop').count()) > 0;
  }

  /**
   * Waits until no turn runs.
   * @param {number} [timeout] Milliseconds.
   */
  async whenIdle(timeout = PATIENCE) {
    let stillSince = Date.now();
    await poll(
      'the turn to end',
      async () => {
        if (await this.isRunning()) stillSince = Date.now();
        return Date.now() - stillSince;
      },
      (still) => still >= STILL,
      timeout,
    );
  }

  /**
   * Waits until a part of a turn is there; the last one of that name.
   * @param {string | RegExp} name
   * @returns {Promise<Locator>}
   */
  async whenArticle(name) {
    const article = this.articles(name).last();
    await article.waitFor();
    return article;
  }
}
