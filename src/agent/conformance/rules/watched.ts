import { advise, deviates, notRun } from '../finding.ts';
import type { Watched } from '../offences.ts';
import type { Rule } from '../rule.ts';
import type { Walk } from '../walk.ts';

/**
 * A rule for every frame that the agent has sent.
 *
 * @param options.nothing Why the row was not run if no frame was of this kind.
 * @param options.advice The specification does not demand it.
 */
export function watched(
  kind: Watched,
  rule: Pick<Rule, 'id' | 'title' | 'spec'>,
  options: { readonly nothing?: string; readonly advice?: true } = {},
): Rule {
  return {
    ...rule,
    when: 'last',
    check: ({ offences }: Walk) => {
      const { nothing, advice } = options;
      if (nothing !== undefined && offences.timesLooked(kind) === 0) notRun(nothing);
      const count = offences.count(kind);
      if (count === 0) return;
      const reasons = [...new Set(offences.of(kind).map(({ reason }) => reason))].join('; ');
      const told = count > 1 ? `${reasons} (${count} times in all)` : reasons;
      if (advice) advise(told);
      deviates(told);
    },
    watched: kind,
  };
}
