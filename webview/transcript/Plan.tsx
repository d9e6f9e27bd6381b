import type { PlanEntry, PlanStep } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Activity } from '../ui/Activity.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { EntryProps } from './entryProps.ts';

const STEPS: Readonly<Record<PlanStep['status'], { mark: string; icon: string; label: string }>> = {
  completed: { mark: 'done', icon: 'pass', label: S.stepDone },
  in_progress: { mark: 'current', icon: 'arrow-right', label: S.stepCurrent },
  pending: { mark: '', icon: 'circle-large', label: S.stepOpen },
};

/** The plan: one card, replaced by each update. Folded, its row shows the current step. */
export function Plan({ entry, latest, path, index }: EntryProps<PlanEntry>) {
  const all = entry.steps.length;
  if (all === 0) return null;
  const done = entry.steps.filter(({ status }) => status === 'completed').length;
  const current = entry.steps.find(({ status }) => status === 'in_progress');
  return (
    <Activity
      fold={`${path}/${index}`}
      byDefault={latest && done < all}
      label={S.plan}
      className="plan"
      card
      icon="checklist"
      head={
        <>
          <span class="verb">{S.plan}</span>
          <span class="target cut">{current?.content}</span>
        </>
      }
      state={<span class="num">{S.planProgress(done, all)}</span>}
      body={() => (
        <>
          <progress max={all} value={done} aria-label={S.planProgressSpoken(done, all)} />
          <ol>
            {entry.steps.map((step, position) => (
              <Step key={position} step={step} />
            ))}
          </ol>
        </>
      )}
    />
  );
}

function Step({ step }: { step: PlanStep }) {
  const { mark, icon, label } = STEPS[step.status];
  return (
    <li class={mark} aria-current={mark === 'current' ? 'step' : undefined}>
      <Icon id={icon} />
      <span class="only-sr">{label}: </span>
      <span dir="auto">{step.content}</span>
    </li>
  );
}
