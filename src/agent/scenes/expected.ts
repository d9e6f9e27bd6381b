import type { JsonObject } from './json.ts';
import type { Step } from './scene.ts';

/** Whether a frame is of a kind that some step waits for: of its method, or an answer of its id. */
export function expectedIn(steps: readonly Step[]): (frame: JsonObject) => boolean {
  const methods = new Set<unknown>();
  const ids = new Set<unknown>();
  let isAnyId = false;
  const look = (list: readonly Step[]): void => {
    for (const step of list) {
      if (step.kind === 'repeat') look(step.steps);
      if (step.kind !== 'expect') continue;
      const { method, id } = step.pattern;
      if (method !== undefined) methods.add(method);
      else if (typeof id === 'string' && id.includes('${')) isAnyId = true;
      else ids.add(id);
    }
  };
  look(steps);
  return ({ method, id }) => (method === undefined ? isAnyId || ids.has(id) : methods.has(method));
}
