import { withSoftEnds } from './lines.ts';

/** A change as an agent shows it: of the whole file, or of some lines of it. */
export interface ShownChange {
  readonly oldText: string | null;
  readonly newText: string;
}

/** Places of the same lines that are looked at. */
const OCCURRENCES = 100;

/**
 * Whether changes that an agent shows, one after the other or one of them, make of `before` one of `texts`. Line ends
 * count as equal, whatever their kind. Where an agent shows the whole text, it must show all of it as new, or the text that
 * was there before: beside another one the person would see another change, or none.
 * @param before `null`: there was no file.
 */
export function showsChange(
  changes: readonly ShownChange[],
  before: string | null,
  texts: readonly string[],
): boolean {
  const soft = changes.map(({ oldText, newText }) => ({
    from: withSoftEnds(oldText ?? ''),
    to: withSoftEnds(newText),
  }));
  const was = withSoftEnds(before ?? '');
  const oneByOne = soft.reduce((text, { from, to }) => text.replace(from, () => to), was);
  return texts.map(withSoftEnds).some((text) => {
    if (soft.length > 0 && soft.every(({ from }) => from !== '') && oneByOne === text) return true;
    return soft.some(
      ({ from, to }) =>
        (to === text && (from === '' || from === was)) ||
        (from !== '' && (was.replaceAll(from, () => to) === text || isAt(was, from, to, text))),
    );
  });
}

/** Whether `text` is `was` with `to` in the place of `from`, at any one of the places where that stands. */
function isAt(was: string, from: string, to: string, text: string): boolean {
  if (text.length - was.length !== to.length - from.length) return false;
  const shorter = Math.min(was.length, text.length);
  let head = 0;
  while (head < shorter && was.charCodeAt(head) === text.charCodeAt(head)) head++;
  let at = was.indexOf(from);
  for (let seen = 0; seen < OCCURRENCES && at !== -1 && at <= head; seen++) {
    if (text.startsWith(to, at) && text.endsWith(was.slice(at + from.length))) return true;
    at = was.indexOf(from, at + 1);
  }
  return false;
}
