import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import {
  outputEnd,
  screenLines,
  type ScreenLine,
  type ScreenSpan,
  type TextColor,
  type TextStyle,
} from '../../src/bridge/screen.ts';
import { S } from '../strings.ts';
import { memo } from '../ui/memo.tsx';

/** Characters of output that are looked at, rows and pieces that are drawn: the end counts. */
const MAX_CHARACTERS = 65_536;
const MAX_ROWS = 400;
const MAX_SPANS = 3_000;

/** What is drawn of some output. */
export interface Drawn {
  readonly lines: readonly ScreenLine[];
  /** Of the row that the first line begins with, counted from the first that was looked at. */
  readonly first: number;
  /** Something before the lines is not drawn. */
  readonly cut: boolean;
}

export function useDrawn(output: string): Drawn {
  return useMemo(() => draw(output), [output]);
}

function draw(output: string): Drawn {
  const end = outputEnd(output, MAX_CHARACTERS);
  const { lines, omitted } = screenLines(end, MAX_ROWS);
  let spans = 0;
  let first = lines.length;
  while (first > 0 && spans <= MAX_SPANS) {
    first--;
    spans += lines[first]?.length ?? 0;
  }
  if (spans > MAX_SPANS && first < lines.length - 1) first++;
  return {
    lines: lines.slice(first).map(bounded),
    first: omitted + first,
    cut: end.length < output.length || omitted + first > 0,
  };
}

/** One line alone may be too colourful. */
function bounded(line: ScreenLine): ScreenLine {
  if (line.length <= MAX_SPANS) return line;
  return [{ text: line.map(({ text }) => text).join(''), style: null }];
}

/** Output as a terminal shows it, in a box that scrolls and stays at its end until the person leaves it. */
export function Screen({ drawn, empty }: { drawn: Drawn; empty: string }) {
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (atEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [drawn]);
  return (
    <pre
      ref={box}
      class="screen"
      tabIndex={0}
      role="group"
      dir="ltr"
      aria-label={S.output}
      onScroll={({ currentTarget: view }) => {
        atEnd.current = view.scrollHeight - view.scrollTop - view.clientHeight <= 2;
      }}
    >
      {drawn.lines.length === 0 && <span class="muted">{empty}</span>}
      {drawn.lines.map((line, index) => (
        <Line key={drawn.first + index} line={line} />
      ))}
    </pre>
  );
}

/** A line on its own ground: what turns text around in one does not reach the next. */
const Line = memo(
  function Line({ line }: { line: ScreenLine }) {
    return (
      <div>
        {line.map(({ text, style }, index) =>
          style === null ? (
            text
          ) : (
            <span key={index} {...looks(style)}>
              {text}
            </span>
          ),
        )}
        {'\n'}
      </div>
    );
  },
  (a, b) => sameLine(a.line, b.line),
);

function sameLine(a: ScreenLine, b: ScreenLine): boolean {
  return a.length === b.length && a.every((span, index) => sameSpan(span, b[index]));
}

function sameSpan(a: ScreenSpan, b: ScreenSpan | undefined): boolean {
  if (b?.text !== a.text) return false;
  if (a.style === null || b.style === null) return a.style === b.style;
  const other = new Map<string, unknown>(Object.entries(b.style));
  return Object.entries(a.style).every(([name, value]) => other.get(name) === value);
}

/**
 * The theme's colours as classes, all others as custom properties, which the page may set through the CSSOM. The style
 * sheet makes every colour readable on its ground.
 */
function looks(style: TextStyle): { class: string; style: Record<string, string> } {
  const fg: Color | null = style.inverse ? (style.bg ?? 'ground') : style.fg;
  const bg: Color | null = style.inverse ? (style.fg ?? 'text') : style.bg;
  const names = [
    fg !== null && 'fg',
    bg !== null && 'bg',
    style.bold && 'bold',
    style.dim && 'dim',
    style.italic && 'italic',
    style.underline && 'under',
    style.strike && 'strike',
    fg !== null && themed('fg', fg),
    bg !== null && themed('bg', bg),
  ];
  return {
    class: names.filter((name) => name !== false && name !== '').join(' '),
    style: { ...fixed('--fg-color', fg), ...fixed('--bg-color', bg) },
  };
}

type Color = TextColor | 'ground' | 'text';

function themed(part: 'fg' | 'bg', color: Color): string {
  return color === 'ground' || color === 'text' || (typeof color === 'number' && color < 16)
    ? `${part}-${color}`
    : '';
}

function fixed(name: string, color: Color | null): Record<string, string> {
  if (typeof color === 'number') return color < 16 ? {} : { [name]: paletteColor(color) };
  return color !== null && color !== 'ground' && color !== 'text' ? { [name]: color } : {};
}

const STEPS = [0, 95, 135, 175, 215, 255];

/** Colours 16 to 255: a cube of six steps a side, then 24 greys. */
function paletteColor(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const cube = index - 16;
  const [red, green, blue] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(
    (step) => STEPS[step] ?? 0,
  );
  return `rgb(${red} ${green} ${blue})`;
}
