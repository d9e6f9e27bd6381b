import { isObject, show } from './json.ts';
import { SHAPES, type ShapeName } from './shapes.ts';

/** What of a value is not as its shape says, in sentences that begin with the path of a field. */
export interface Findings {
  /** Not as the schema has it. */
  readonly wrong: string[];
  /** Fields that the schema does not have, where only `_meta` is free. */
  readonly extra: string[];
  /** Fields that only the draft schema has. */
  readonly draft: string[];
}

/** Sentences of each kind that are kept: one value can be wrong in a million places. */
const KEPT = 5;
const LARGEST_VERSION = 65_535;

const primitives: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  natural: isNatural,
  version: (value) => isNatural(value) && value <= LARGEST_VERSION,
  strings: (value) =>
    isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
};

/** Compares a value with its shape. @param path What the value is called in the sentences. */
export function inspect(value: unknown, shape: ShapeName, path: string = shape): Findings {
  const findings: Findings = { wrong: [], extra: [], draft: [] };
  check(value, shape, path, findings);
  return findings;
}

function isNatural(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isShape(name: string): name is ShapeName {
  return Object.hasOwn(SHAPES, name);
}

function note(list: string[], sentence: string): void {
  if (list.length < KEPT) list.push(sentence);
}

function check(value: unknown, type: string, path: string, found: Findings): void {
  const alternatives = type.split('|').filter((one) => one !== 'null' || value === null);
  const [first = 'null', ...others] = alternatives;
  if (others.length === 0) {
    checkOne(value, first, path, found);
    return;
  }
  const tries = alternatives.map((one) => {
    const findings: Findings = { wrong: [], extra: [], draft: [] };
    checkOne(value, one, path, findings);
    return findings;
  });
  const fitting = tries.find(({ wrong }) => wrong.length === 0);
  if (fitting === undefined) note(found.wrong, `${path} is no ${alternatives.join(' and no ')}`);
  for (const sentence of fitting?.extra ?? []) note(found.extra, sentence);
  for (const sentence of fitting?.draft ?? []) note(found.draft, sentence);
}

function checkOne(value: unknown, type: string, path: string, found: Findings): void {
  if (type.endsWith('[]')) {
    checkList(value, type.slice(0, -2), path, found);
  } else if (isShape(type)) {
    checkShape(value, SHAPES[type], path, found);
  } else if (primitives[type]?.(value) !== true) {
    note(found.wrong, `${path} is ${show(value)}, not ${type}`);
  }
}

function checkList(value: unknown, type: string, path: string, found: Findings): void {
  if (!Array.isArray(value)) {
    note(found.wrong, `${path} is ${show(value)}, not a list`);
    return;
  }
  for (const [index, element] of value.entries()) {
    if (found.wrong.length >= KEPT) return;
    check(element, type, `${path}[${index}]`, found);
  }
}

function checkShape(value: unknown, shape: string, path: string, found: Findings): void {
  const [head = '', ...words] = shape.split(' ');
  if (head.startsWith('=')) {
    const values = [head.slice(1), ...words];
    if (typeof value === 'string' && values.includes(value)) return;
    note(found.wrong, `${path} is ${show(value)}, none of ${values.join(', ')}`);
  } else if (!isObject(value)) {
    note(found.wrong, `${path} is ${show(value)}, not an object`);
  } else if (head.startsWith('@')) {
    checkUnion(value, head.slice(1), words, path, found);
  } else {
    checkFields(value, shape, path, found);
  }
}

function checkUnion(
  value: Readonly<Record<string, unknown>>,
  tag: string,
  words: readonly string[],
  path: string,
  found: Findings,
): void {
  const shapes = new Map(words.map((word) => [word.split('=')[0], word.split('=')[1]]));
  const kind = value[tag];
  const name = (typeof kind === 'string' ? shapes.get(kind) : undefined) ?? shapes.get('*');
  if (name !== undefined && isShape(name)) checkFields(value, SHAPES[name], path, found, tag);
  else if (shapes.has(`${String(kind)}~`)) note(found.draft, `${path}.${tag} ${show(kind)}`);
  else {
    const known = [...shapes.keys()].filter((one) => !one?.endsWith('~')).join(', ');
    note(found.wrong, `${path}.${tag} is ${show(kind)}, none of ${known}`);
  }
}

function checkFields(
  value: Readonly<Record<string, unknown>>,
  shape: string,
  path: string,
  found: Findings,
  tag?: string,
): void {
  const known = new Set(['_meta', tag]);
  for (const word of shape === '' ? [] : shape.split(' ')) {
    const [field = '', type = ''] = word.split(':');
    const name = field.replace(/[?~]$/, '');
    known.add(name);
    const there = value[name] !== undefined;
    if (field.endsWith('~')) {
      if (there) note(found.draft, `${path}.${name}`);
    } else if (there) check(value[name], type, `${path}.${name}`, found);
    else if (!field.endsWith('?')) note(found.wrong, `${path}.${name} is missing`);
  }
  const meta = value['_meta'] ?? null;
  if (meta !== null && !isObject(meta)) note(found.wrong, `${path}._meta is ${show(meta)}`);
  for (const name of Object.keys(value)) {
    if (!known.has(name)) note(found.extra, `${path}.${name}`);
  }
}
