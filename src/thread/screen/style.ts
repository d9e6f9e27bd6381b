/** 0 to 15: the theme's palette; 16 to 255: the cube and the greys that all terminals share; `#rrggbb`: as it is. */
export type TextColor = number | `#${string}`;

/** How a piece of text looks. `null`: as the theme has it. */
export interface TextStyle {
  readonly fg: TextColor | null;
  readonly bg: TextColor | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  /** Text and ground change places. */
  readonly inverse: boolean;
  readonly strike: boolean;
}

export const PLAIN: TextStyle = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strike: false,
};

export function sameStyle(a: TextStyle, b: TextStyle): boolean {
  return (
    a === b ||
    (a.fg === b.fg &&
      a.bg === b.bg &&
      a.bold === b.bold &&
      a.dim === b.dim &&
      a.italic === b.italic &&
      a.underline === b.underline &&
      a.inverse === b.inverse &&
      a.strike === b.strike)
  );
}

/** The style after `ESC [ params m`. What nobody knows changes nothing. */
export function restyled(before: TextStyle, params: string): TextStyle {
  const codes = params.split(';');
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? '';
    const [name, ...parts] = code.split(':');
    if (name === '38' || name === '48' || name === '58') {
      // Two spellings: `38:2::1:2:3` is one code, `38;2;1;2;3` five.
      const rest = parts.length > 0 ? parts : codes.slice(at + 1, at + 5);
      const color = extendedColor(rest, parts.length > 0);
      if (parts.length === 0) at += rest[0] === '2' ? 4 : rest[0] === '5' ? 2 : 1;
      if (color !== null && name === '38') style = { ...style, fg: color };
      if (color !== null && name === '48') style = { ...style, bg: color };
    } else if (name === '4' && parts[0] === '0') style = { ...style, underline: false };
    else style = withCode(style, Number(name ?? ''));
  }
  return style;
}

/** `5;n` or `2;r;g;b`; with colons there may be a colour space before the three. */
function extendedColor(parts: readonly string[], colons: boolean): TextColor | null {
  if (parts[0] === '5') return byteOf(parts[1]);
  if (parts[0] !== '2') return null;
  const rgb = (colons ? parts.slice(1).slice(-3) : parts.slice(1, 4)).map(byteOf);
  if (rgb.length < 3 || rgb.includes(null)) return null;
  return `#${rgb.map((value) => (value ?? 0).toString(16).padStart(2, '0')).join('')}`;
}

function byteOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{0,5}$/.test(text)) return null;
  const value = Number(text);
  return value <= 255 ? value : null;
}

function withCode(style: TextStyle, code: number): TextStyle {
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 92 };
  switch (code) {
    case 0:
      return PLAIN;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
    case 21:
      return { ...style, underline: true };
    case 7:
      return { ...style, inverse: true };
    case 9:
      return { ...style, strike: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 23:
      return { ...style, italic: false };
    case 24:
      return { ...style, underline: false };
    case 27:
      return { ...style, inverse: false };
    case 29:
      return { ...style, strike: false };
    case 39:
      return { ...style, fg: null };
    case 49:
      return { ...style, bg: null };
    default:
      return style;
  }
}

/** The sequence that gives this style, whatever was before. */
export function styleSequence(style: TextStyle): string {
  const codes = [
    '0',
    style.bold && '1',
    style.dim && '2',
    style.italic && '3',
    style.underline && '4',
    style.inverse && '7',
    style.strike && '9',
    style.fg !== null && colorCode(style.fg, 30),
    style.bg !== null && colorCode(style.bg, 40),
  ];
  return `\u001b[${codes.filter((code) => code !== false).join(';')}m`;
}

function colorCode(color: TextColor, base: 30 | 40): string {
  if (typeof color === 'number') {
    if (color < 8) return String(base + color);
    return color < 16 ? String(base + 52 + color) : `${base + 8};5;${color}`;
  }
  const rgb = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `${base + 8};2;${rgb.join(';')}`;
}
