import { useRef } from 'preact/hooks';
import type { AgentInfo, Failure, FromWebview } from '../../src/bridge/messages.ts';
import { plainText } from '../../src/bridge/screen.ts';
import { S } from '../strings.ts';
import { Icon, IconButton } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { useHeir } from '../ui/useHeir.ts';

type Command = Extract<FromWebview, { type: 'command' }>['command'];

/** One card for what went wrong: the reason, the exit, the last lines of stderr, and what to do next. */
export function ErrorCard(props: { failure: Failure; exit: string | null; stderr: string }) {
  const { failure, exit, stderr } = props;
  const page = usePage();
  const card = useRef<HTMLElement>(null);
  useHeir(card);
  const run = (command: Command) => () => {
    page.post({ type: 'command', command });
  };
  return (
    <section ref={card} class="ask failed" role="alert" aria-label={S.error}>
      <div class="top">
        <Icon id="error" />
        <strong class="grow" dir="auto">
          {failure.message}
        </strong>
      </div>
      {exit !== null && <p class="muted">{S.exit(exit)}</p>}
      {stderr !== '' && <Lines title={S.stderr} text={plainText(stderr)} />}
      {failure.details !== '' && failure.details !== stderr && (
        <details class="raw bare" open={stderr === ''}>
          <summary>
            <Icon id="chevron-right" small extra="chev" />
            {S.errorDetails}
          </summary>
          <Lines title={S.errorDetails} text={plainText(failure.details)} />
        </details>
      )}
      <div class="btns">
        <button type="button" class="btn primary" onClick={run('restartAgent')}>
          {S.restartAgent}
        </button>
        <button type="button" class="btn" onClick={run('showLog')}>
          {S.showLog}
        </button>
        <button type="button" class="btn" onClick={run('openSettings')}>
          {S.openSettings}
        </button>
      </div>
    </section>
  );
}

function Lines({ title, text }: { title: string; text: string }) {
  const page = usePage();
  return (
    <div class="well">
      <div class="bar small">
        <span class="grow">{title}</span>
        <IconButton
          id="copy"
          label={`${S.copyDetails}: ${title}`}
          onClick={() => {
            page.post({ type: 'copy', text });
            page.say(S.saidCopied);
          }}
        />
      </div>
      <pre class="wrap" tabIndex={0} dir="ltr" role="group" aria-label={title}>
        {text}
      </pre>
    </div>
  );
}

/** The agent is not running, and this is why. */
export function AgentTrouble({ agent }: { agent: AgentInfo }) {
  if (agent.state.kind !== 'failed') return null;
  const { failure } = agent.state;
  return <ErrorCard failure={failure} exit={failure.exit} stderr={failure.stderr} />;
}
