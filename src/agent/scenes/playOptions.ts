/** What is to be played instead of the agent itself. */
export interface Play {
  readonly what: 'scene' | 'replay';
  readonly file: string;
  /** Pauses are divided by it. A recording is played without its pauses where it is left out. */
  readonly speed: number | undefined;
}

const FASTEST = 1_000_000;
const NAMES = ['scene', 'replay', 'speed'];

/** Whether a command line is about playing something. */
export function isAboutPlaying(option: string): boolean {
  return NAMES.some((name) => option === `--${name}` || option.startsWith(`--${name}=`));
}

/** Reads `--scene FILE` or `--replay FILE`, with or without `--speed N`. @returns A complaint if it cannot be read. */
export function readPlay(options: readonly string[]): Play | string {
  const values = new Map<string, string>();
  const rest = [...options];
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    const [, name = '', value = rest.shift()] = /^--(\w+)(?:=(.*))?$/s.exec(option) ?? [];
    if (!NAMES.includes(name)) return `I do not know what "${option}" is for here.`;
    if (value === undefined || value === '') return `--${name} needs a value.`;
    if (values.has(name)) return `--${name} is there twice.`;
    values.set(name, value);
  }
  const [scene, replay, speed] = NAMES.map((name) => values.get(name));
  const file = scene ?? replay;
  if (file === undefined) return '--speed needs --scene or --replay.';
  if (scene !== undefined && replay !== undefined) return 'Either --scene or --replay, not both.';
  if (speed !== undefined && !(Number(speed) > 0 && Number(speed) <= FASTEST)) {
    return `--speed needs a number above 0, at most ${FASTEST}.`;
  }
  const what = scene === undefined ? 'replay' : 'scene';
  return { what, file, speed: speed === undefined ? undefined : Number(speed) };
}
