import { isObject, parseObject, shown, type JsonObject } from './json.ts';
import { namesIn } from './placeholders.ts';
import type { Reaction, Scene, Step } from './scene.ts';
import { SceneFault } from './sceneFault.ts';
import { FIELDS, readStep } from './readStep.ts';
import { only, patternOf, timesOf, wrong } from './values.ts';

/** How deep the JSON of a scene may be nested: it is walked through by functions that call themselves. */
const DEEPEST = 200;
const BUILT_IN = ['request', 'session', 'cwd', 'count'];

/** Reads a scene as a whole. @throws SceneFault that names the first place that is wrong. */
export function readScene(text: string): Scene {
  const scene = parseObject(text);
  if (scene === undefined) throw new SceneFault('this is no JSON object');
  if (isTooDeep(scene)) throw new SceneFault(`this is nested deeper than ${DEEPEST} levels`);
  if (scene['scene'] !== 1) throw wrong('scene', 'must be 1, the version of the format');
  only(scene, ['$schema', 'scene', 'about', 'reactions', 'steps'], 'the scene');
  const names = new Set(BUILT_IN);
  const reader = new Reader(names);
  const steps = reader.steps(scene['steps'], 'steps', false);
  const reactions = reader.reactions(scene['reactions'] ?? []);
  reader.checkNames();
  return { steps, reactions };
}

/** Reads the lists of a scene, and remembers which names its placeholders use. */
class Reader {
  private readonly used: { readonly name: string; readonly at: string }[] = [];

  constructor(private readonly names: Set<string>) {}

  steps(value: unknown, at: string, isReaction: boolean): readonly Step[] {
    if (!Array.isArray(value)) throw wrong(at, 'must be a list of steps');
    return value.map((step: unknown, index) => this.step(step, `${at}[${index}]`, isReaction));
  }

  reactions(value: unknown): readonly Reaction[] {
    if (!Array.isArray(value)) throw wrong('reactions', 'must be a list');
    return value.map((each: unknown, index) => {
      const at = `reactions[${index}]`;
      if (!isObject(each)) throw wrong(at, 'must be an object');
      only(each, ['on', 'do', 'times', 'note'], at);
      const on = patternOf(each['on'], `${at}.on`);
      this.use(on, `${at}.on`);
      const times = timesOf(each, at) ?? Infinity;
      return { on, times, steps: this.steps(each['do'], `${at}.do`, true) };
    });
  }

  /** @throws SceneFault for a placeholder that nobody fills. */
  checkNames(): void {
    const unknown = this.used.find(({ name }) => !this.names.has(name));
    if (unknown !== undefined) throw wrong(unknown.at, `no "as" names "${unknown.name}"`);
  }

  private step(value: unknown, at: string, isReaction: boolean): Step {
    if (!isObject(value)) throw wrong(at, 'must be an object');
    const verbs = Object.keys(value).filter((key) => Object.hasOwn(FIELDS, key));
    const [verb, second] = verbs;
    if (verb === undefined || second !== undefined) {
      throw wrong(at, `needs exactly one of ${Object.keys(FIELDS).join(', ')}`);
    }
    const here = `${at}.${verb}`;
    only(value, [verb, 'note', ...(FIELDS[verb] ?? [])], here);
    if (verb === 'expect' && isReaction)
      throw wrong(here, 'only the sequence can expect something');
    if (verb === 'repeat') return this.repeated(value, here, isReaction);
    this.use({ ...value, note: null }, here);
    const step = readStep(verb, value, here);
    if (step.kind === 'expect' && step.as !== undefined) this.name(step.as, here);
    return step;
  }

  private repeated(value: JsonObject, at: string, isReaction: boolean): Step {
    const steps = this.steps(value['repeat'], at, isReaction);
    if (steps.length === 0) throw wrong(at, 'needs at least one step');
    return { at, kind: 'repeat', steps, times: timesOf(value, at) ?? Infinity };
  }

  private name(name: string, at: string): void {
    if (BUILT_IN.includes(name) || !/^\w{1,40}$/.test(name)) {
      throw wrong(at, `${shown(name)} cannot be used as a name`);
    }
    this.names.add(name);
  }

  private use(value: unknown, at: string): void {
    for (const name of namesIn(value)) this.used.push({ name, at });
  }
}

function isTooDeep(scene: JsonObject): boolean {
  let level: readonly unknown[] = [scene];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    level = level.flatMap((value): readonly unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return level.length > 0;
}
