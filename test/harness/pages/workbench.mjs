/** The VS Code workbench as a person sees it. The selectors hold in 1.100 and in 1.139. */
import { LOAD, poll } from '../poll.mjs';
import { QuickPick } from './quickPick.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** VS Code shows no toast at all when more than three come within this many milliseconds. */
const TOAST_PAUSE = 900;

/** How long the command palette may take to open before its key is pressed again, in milliseconds. */
const PALETTE = 3_000;

export class Workbench {
  /** @param {Page} page */
  constructor(page) {
    /** @readonly */
    this.page = page;
    /** @readonly */
    this.quickPick = new QuickPick(page);
  }

  /** @param {string} address */
  async open(address) {
    await this.page.goto(address, { timeout: LOAD });
    await this.whenReady();
  }

  /** Loads the window anew, as "Reload Window" does. */
  async reload() {
    await this.page.reload({ timeout: LOAD });
    await this.whenReady();
  }

  /** Waits until the workbench is drawn and its first extensions have put something in the status bar. @private */
  async whenReady() {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: LOAD });
    await this.page.locator('.statusbar-item').first().waitFor({ timeout: LOAD });
  }

  /**
   * Opens a view container that is not open, as a person does. (A click on one that is open would close it.)
   * @param {string} title Of its item in the activity bar.
   */
  async openFromActivityBar(title) {
    const item = this.activityBarItem(title);
    await item.click();
    // What the mouse hovers over would cover a part of the view.
    await this.page.mouse.move(640, 2);
  }

  /** @param {string} title */
  activityBarItem(title) {
    // The label itself lies below the badge, which would take the click.
    return this.page
      .locator(`.activitybar .action-item:has(> .action-label[aria-label^="${title}"])`)
      .first();
  }

  /**
   * The number on an item of the activity bar.
   * @param {string} title
   * @returns {Promise<string>} `''` without a badge.
   */
  async badge(title) {
    const badge = this.activityBarItem(title).locator('.badge-content');
    return (await badge.count()) === 0 ? '' : badge.first().innerText();
  }

  /**
   * Runs a command from the palette.
   * @param {string} title Its whole title.
   */
  async runCommand(title) {
    await this.openPalette(`>${title}`);
    await this.quickPick.choose(title);
  }

  /**
   * VS Code drops a key that comes while a webview or an editor with the focus is being put up or taken down, and puts the
   * palette away when one takes the focus: a person presses the key again.
   * @private
   * @param {string} text
   */
  async openPalette(text) {
    await poll(
      'the command palette',
      async () => {
        await this.page.keyboard.press('F1');
        if (!(await this.quickPick.opens(PALETTE))) return false;
        await this.quickPick.filter(text, PALETTE);
        return true;
      },
      (open) => open,
    );
  }

  /** The texts of the notifications on screen. @returns {Promise<string[]>} */
  async toasts() {
    return this.page.locator('.notification-toast .notification-list-item-message').allInnerTexts();
  }

  /**
   * @param {RegExp} text
   * @returns {Promise<string>} The whole text.
   */
  async whenToast(text) {
    const all = await poll(
      `a notification with ${text}`,
      () => this.toasts(),
      (toasts) => toasts.some((toast) => text.test(toast)),
    );
    return all.find((toast) => text.test(toast)) ?? '';
  }

  /** Removes all notifications, and waits until VS Code shows new ones. */
  async clearToasts() {
    await this.runCommand('Notifications: Clear All Notifications');
    await poll(
      'notifications to go',
      () => this.toasts(),
      (toasts) => toasts.length === 0,
    );
    await this.page.waitForTimeout(TOAST_PAUSE);
  }

  /**
   * @param {string} label Of a button in a notification.
   */
  async pressToastButton(label) {
    await this.page.locator('.notification-toast .monaco-button', { hasText: label }).click();
  }

  /** The modal dialog. */
  get dialog() {
    return this.page.locator('.monaco-dialog-box');
  }

  /**
   * The visible lines of the editor, or of one side of a diff editor, from top to bottom.
   * @param {'editor' | 'original' | 'modified'} [side]
   * @returns {Promise<string[]>}
   */
  async editorLines(side = 'editor') {
    const scope =
      side === 'editor'
        ? '.editor-instance .view-line'
        : `.monaco-diff-editor .editor.${side} .view-line`;
    // Their order in the document is not that on the screen.
    return this.page.locator(scope).evaluateAll((lines) =>
      lines
        .map((line) => ({
          top: line instanceof HTMLElement ? Number.parseFloat(line.style.top) : 0,
          text: (line.textContent ?? '').replaceAll('\u00a0', ' '),
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
  }

  /** What a screen reader says of the editor tab in front. @returns {Promise<string>} */
  async activeTab() {
    const tab = this.page.locator('.tab.active').first();
    return (await tab.count()) === 0 ? '' : ((await tab.getAttribute('aria-label')) ?? '');
  }

  /**
   * Changes the colours at once.
   * @param {string} label Such as `Light Modern`.
   */
  async setTheme(label) {
    await this.runCommand('Preferences: Color Theme');
    await this.quickPick.whenOpen();
    await this.quickPick.type(label);
    await this.quickPick.choose(label);
    await this.quickPick.whenClosed();
  }

  /**
   * Makes the side bar this wide, with the mouse.
   * @param {number} width CSS pixels.
   */
  async setSideBarWidth(width) {
    const bar = this.page.locator('.part.sidebar');
    const box = await bar.boundingBox();
    if (box === null) throw new Error('The side bar is not shown.');
    const y = box.y + box.height / 2;
    await this.page.mouse.move(box.x + box.width, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width, y, { steps: 8 });
    await this.page.mouse.up();
    // The mouse must not hover over anything in a picture.
    await this.page.mouse.move(box.x + width + 40, 2);
  }
}
