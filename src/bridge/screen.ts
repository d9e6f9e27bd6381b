/** What the page needs to draw the output of terminals as the host would tell it. */
export { outputEnd, plainText, screenLines } from '../thread/screen.ts';
export type { ScreenLine, ScreenSpan, TextColor, TextStyle } from '../thread/screen.ts';
