/**
 * Text that takes one column for each of its units, told at a glance: ASCII, Latin, lines, blocks and the dots of
 * spinners. Other text is looked at character by character.
 */
export const NARROW = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2500-\u25fc\u2800-\u28ff]*$/;

/** What a terminal shows nothing for and moves nothing for, and what would turn text around. */
const UNSEEN =
  /^[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]$/u;
/** Marks that stand on the character before. Not every `Cf`: some are letters' own. */
const MARK = /^[\p{Mn}\p{Me}\u200c\u200d\u{1f3fb}-\u{1f3ff}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** Columns that a character takes; `null` if it is not shown at all. */
export function columnsOf(character: string): 0 | 1 | 2 | null {
  if (UNSEEN.test(character)) return null;
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
