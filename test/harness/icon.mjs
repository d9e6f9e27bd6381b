/** Draws `media/icon.png` from `media/icon.svg`: `node test/harness/icon.mjs`, after a change of the drawing. */
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { root } from './paths.mjs';

const browser = await launchBrowser({ width: 128, height: 128 });
const page = await browser.newPage();
const drawing = fs.readFileSync(path.join(root, 'media', 'icon.svg'), 'utf8');
await page.setContent(`<body style="margin: 0">${drawing}</body>`);
await page.screenshot({ path: path.join(root, 'media', 'icon.png'), omitBackground: true });
await browser.close();
