/** VS Code's quick pick and input box: the one that is on screen. */
import { PATIENCE, poll } from '../poll.mjs';

/** @param {string} text */
const exactly = (text) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

export class QuickPick {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    /** @private @readonly */
    this.page = page;
  }

  /** @private */
  get widget() {
    return this.page.locator('.quick-input-widget:visible');
  }

  /** @private */
  get rowLocator() {
    return this.widget.locator('.quick-input-list .monaco-list-row');
  }

  async whenOpen() {
    await this.widget.waitFor();
  }

  /**
   * @param {number} timeout Milliseconds.
   * @returns {Promise<boolean>} Whether it is on screen before that.
   */
  async opens(timeout) {
    return this.widget.waitFor({ timeout }).then(
      () => true,
      () => false,
    );
  }

  async whenClosed() {
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** @returns {Promise<boolean>} */
  async isOpen() {
    return (await this.widget.count()) > 0;
  }

  /** @returns {Promise<string>} */
  async title() {
    return this.widget.locator('.quick-input-title').innerText();
  }

  /** Everything that it shows, as text. @returns {Promise<string>} */
  async text() {
    return this.widget.innerText();
  }

  /** The rows as a screen reader says them. @returns {Promise<string[]>} */
  async rows() {
    return this.rowLocator.evaluateAll((rows) =>
      rows.map((row) => row.getAttribute('aria-label') ?? ''),
    );
  }

  /** The row that Enter would take, as a screen reader says it. @returns {Promise<string>} */
  async focusedRow() {
    const row = this.widget.locator('.quick-input-list .monaco-list-row.focused').first();
    return (await row.count()) === 0 ? '' : ((await row.getAttribute('aria-label')) ?? '');
  }

  /**
   * @param {(rows: string[]) => boolean} isGood
   * @returns {Promise<string[]>}
   */
  async whenRows(isGood) {
    return poll('rows in the quick pick', () => this.rows(), isGood);
  }

  /**
   * Replaces the text in the input.
   * @param {string} text
   * @param {number} [timeout] Milliseconds.
   */
  async filter(text, timeout = PATIENCE) {
    await this.widget.locator('input[type="text"]').first().fill(text, { timeout });
  }

  /** @param {string} text */
  async type(text) {
    await this.page.keyboard.type(text);
  }

  /**
   * Clicks the row with exactly this label: the best match is not always the one in focus.
   * @param {string} label
   */
  async choose(label) {
    const row = this.rowLocator.filter({
      has: this.page.locator('.label-name', { hasText: exactly(label) }),
    });
    try {
      await row.first().click();
    } catch {
      const rows = await this.rows();
      await this.page.keyboard.press('Escape');
      throw new Error(`No "${label}" in the quick pick. Rows: ${JSON.stringify(rows)}`);
    }
  }
}
