import type { Turn } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Icon, IconButton } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { oneLine } from '../ui/text.ts';
import { clock, duration, Elapsed } from '../ui/time.tsx';
import { ErrorCard } from './ErrorCard.tsx';

/** What stands under a turn: that it works, how it ended, its answer to copy. */
export function TurnEnd({ turn, latest }: { turn: Turn; latest: boolean }) {
  if (turn.state.kind === 'running') return <Working turn={turn} />;
  return (
    <>
      <EndLine turn={turn} latest={latest} />
      <Foot turn={turn} />
    </>
  );
}

/** Always the last line, always of the same height. */
function Working({ turn }: { turn: Turn }) {
  return (
    <div class="working">
      <Icon id="loading" extra="spin" />
      <span class="cut">
        {activity(turn)} · <Elapsed since={turn.startedAt} format={clock} />
      </span>
    </div>
  );
}

function activity(turn: Turn): string {
  if (turn.state.kind === 'running' && turn.state.cancelling) return S.stopping;
  const last = turn.entries.at(-1);
  const waits = turn.entries.some((entry) => entry.kind === 'tool' && entry.state === 'waiting');
  if (waits) return S.waitingForYou;
  if (last?.kind === 'agent') return S.writing;
  return last?.kind === 'thought' && last.endedAt === null ? S.thinking : S.working;
}

function EndLine({ turn, latest }: { turn: Turn; latest: boolean }) {
  const page = usePage();
  switch (turn.state.kind) {
    case 'failed': {
      const agent = page.store.view.value?.agent.state.kind;
      // One card for one trouble: a dead agent has its own, at the end of the chat.
      if (latest) {
        return agent === 'failed' ? null : (
          <ErrorCard failure={turn.state.failure} exit={null} stderr="" />
        );
      }
      return <Line icon="error" tone="failed" text={turn.state.failure.message} />;
    }
    case 'interrupted':
      return <Line icon="debug-disconnect" text={S.interrupted} />;
    case 'stopped':
      return <StopLine reason={turn.state.reason} />;
    default:
      return null;
  }
}

/** Stop reasons in plain words; the usual one needs none. */
function StopLine({ reason }: { reason: string }) {
  switch (reason) {
    case 'end_turn':
      return null;
    case 'max_tokens':
      return <Line icon="info" text={S.endMaxTokens} />;
    case 'max_turn_requests':
      return <Line icon="info" text={S.endMaxRequests} />;
    case 'refusal':
      return <Line icon="circle-slash" text={S.endRefusal} />;
    case 'cancelled':
      return <Line icon="stop-circle" text={S.endCancelled} />;
    default:
      return <Line icon="info" text={S.endOther(oneLine(reason).slice(0, 200))} />;
  }
}

function Line({ icon, text, tone }: { icon: string; text: string; tone?: string }) {
  return (
    <div class={`endline${tone === undefined ? '' : ` ${tone}`}`}>
      <Icon id={icon} />
      <span class="grow" dir="auto">
        {text}
      </span>
    </div>
  );
}

function Foot({ turn }: { turn: Turn }) {
  const page = usePage();
  const answer = answerOf(turn);
  if (answer === '') return null;
  return (
    <div class="turn-foot">
      <IconButton
        id="copy"
        small
        label={S.copyAnswer}
        onClick={() => {
          page.post({ type: 'copy', text: answer });
          page.say(S.saidCopied);
        }}
      />
      <span class="rule" />
      {turn.endedAt !== null && turn.state.kind !== 'unprompted' && (
        <span class="num">{duration(turn.endedAt - turn.startedAt)}</span>
      )}
    </div>
  );
}

/** All that the agent said in a turn, as Markdown. */
function answerOf(turn: Turn): string {
  return turn.entries
    .flatMap((entry) => (entry.kind === 'agent' ? [entry.text.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');
}
