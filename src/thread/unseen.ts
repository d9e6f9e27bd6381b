/**
 * Characters that a person cannot see, or that turn text around, so that an agent could hide with them what it is about
 * to do: controls, line separators, direction marks, fillers, tags. The joiners that some scripts and emoji need are
 * let through after a character outside of ASCII. For `replace`: it has no state that `test` would trip over.
 */
export const UNSEEN =
  /[\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?<![^\0-\x7f])[\u200c\u200d]/gu;
