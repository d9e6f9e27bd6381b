import { ErrorCode, RequestError } from '../../protocol/errors.ts';

/** Variables of the editor's own processes: with them a program would take itself for a part of the editor. */
const OF_THE_EDITOR = [
  /^ELECTRON_.+$/,
  /^VSCODE_(?!(?:PORTABLE|SHELL_LOGIN|ENV_REPLACE|ENV_APPEND|ENV_PREPEND)).+$/,
  /^SNAP(?:_.*)?$/,
  /^GDK_PIXBUF_.+$/,
];

/** What a debugger of the editor puts into `NODE_OPTIONS`, so that every Node program waits for it. */
const OF_A_DEBUGGER = /ms-vscode\.js-debug|js-debug[\\/].*bootloader/;

/** Characters that make a name invisible, or another one than it seems. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export interface Environment {
  readonly env: Readonly<Record<string, string>>;
  /** Names whose value is another one than the person's, in the order in which they were given. */
  readonly changed: readonly string[];
}

/** The person's environment: our own without what is there only because we live in an editor. */
export function personsEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || OF_THE_EDITOR.some((rule) => rule.test(name.toUpperCase())))
      continue;
    if (name.toUpperCase() === 'NODE_OPTIONS' && OF_A_DEBUGGER.test(value)) continue;
    kept[name] = value;
  }
  // The editor's launcher puts the person's own aside.
  const aside = env['VSCODE_NODE_OPTIONS'];
  if (aside !== undefined && aside !== '') kept['NODE_OPTIONS'] = aside;
  return kept;
}

/**
 * Lays variables over an environment; a later one wins. On Windows, case does not tell names apart. Throws a
 * `RequestError` for what no environment can hold.
 */
export function overlaid(
  base: Readonly<Record<string, string>>,
  variables: readonly { readonly name: string; readonly value: string }[],
  windows: boolean,
): Environment {
  const fold = (name: string): string => (windows ? name.toUpperCase() : name);
  const merged = new Map(
    Object.entries(base).map(([name, value]) => [fold(name), { name, value }]),
  );
  const before = new Map(merged);
  for (const { name, value } of variables) {
    check(name, value);
    const known = merged.get(fold(name));
    merged.set(fold(name), { name: known?.name ?? name, value });
  }
  const given = new Map(variables.map(({ name }) => [fold(name), name]));
  const changed = [...given].filter(([key]) => before.get(key)?.value !== merged.get(key)?.value);
  return {
    env: Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value])),
    changed: changed.map(([, name]) => name),
  };
}

function check(name: string, value: string): void {
  const wrong =
    name === ''
      ? 'its name is empty'
      : name.includes('=')
        ? 'its name must not contain "="'
        : UNSEEN.test(name)
          ? 'its name must not contain control or invisible characters'
          : value.includes('\0')
            ? 'its value must not contain a NUL character'
            : undefined;
  if (wrong === undefined) return;
  throw new RequestError(
    ErrorCode.invalidParams,
    `The environment variable ${JSON.stringify(name)} cannot be set: ${wrong}.`,
  );
}
