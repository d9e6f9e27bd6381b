import { useId, useRef, useState } from 'preact/hooks';
import type { Permission, PermissionChoice, ToolCallEntry } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Icon } from '../ui/Icon.tsx';
import { isComposing } from '../ui/keys.ts';
import { usePage } from '../ui/page.ts';
import { reveal } from '../ui/text.ts';
import { timeOfDay } from '../ui/time.tsx';
import { useHeir } from '../ui/useHeir.ts';
import { useOnScreen } from '../ui/useOnScreen.ts';
import { commandOf, subjectOf } from '../../src/bridge/words.ts';
import { isOpen, titleOf } from './waiting.ts';

/** No answer is taken before the question has been on screen this long (milliseconds). */
const GRACE = 500;
/** Words beyond this are shown as running text. */
const MAX_WORDS = 2_000;
const DELETES =
  /\b(?:rm|rmdir|unlink|shred|del|erase|truncate|mkfs|dd)\b|--force\b|\b(?:reset|clean|drop)\b/i;

/** The questions about a call, and what became of those that were answered. */
export function Permissions({ entry }: { entry: ToolCallEntry }) {
  return (
    <>
      {entry.permissions.map((permission) =>
        isOpen(permission) ? (
          <Ask key={permission.id} entry={entry} permission={permission} />
        ) : (
          <Answered key={permission.id} permission={permission} />
        ),
      )}
    </>
  );
}

function Ask({ entry, permission }: { entry: ToolCallEntry; permission: Permission }) {
  const page = usePage();
  const card = useRef<HTMLElement>(null);
  const options = useRef<HTMLDivElement>(null);
  const [sent, send] = useState(false);
  const ready = useOnScreen(options, GRACE, (visible) => {
    const ids = new Set(page.onScreen.value);
    if (visible) ids.add(permission.id);
    else ids.delete(permission.id);
    page.onScreen.value = ids;
  });
  useHeir(card);
  const title = titleOf(entry);
  const own = permission.reason !== undefined;
  const reasonId = useId();
  const effectId = useId();
  const waiting = page.waiting.value;
  const position = waiting.findIndex(({ id }) => id === permission.id);

  const answer = (choice: PermissionChoice | undefined): void => {
    if (!ready || sent || choice === undefined) return;
    send(true);
    page.post({
      type: 'answerPermission',
      permissionId: permission.id,
      optionId: choice.optionId,
    });
    if (options.current?.contains(document.activeElement) === true) page.focusComposer();
  };

  return (
    <section
      ref={card}
      class={`ask waiting${own ? ' own' : ''}`}
      role="group"
      aria-label={S.permission(title)}
      aria-describedby={own ? reasonId : undefined}
      tabIndex={-1}
      data-permission={permission.id}
      onKeyDown={(event) => {
        if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === 'Escape') page.focusComposer();
        else if (/^[1-9]$/.test(event.key)) answer(permission.options[Number(event.key) - 1]);
        else return;
        event.preventDefault();
      }}
    >
      <div class="top">
        <Icon id={own ? 'workspace-trusted' : 'shield'} />
        <strong class="grow">{question(entry)}</strong>
        {waiting.length > 1 && position >= 0 && (
          <span class="muted num">{S.position(position + 1, waiting.length)}</span>
        )}
      </div>
      {permission.reason !== undefined && (
        <p id={reasonId} class="reason">
          <strong>{S.parleyAsks}</strong> {reveal(permission.reason)}
        </p>
      )}
      <Subject entry={entry} title={title} />
      {permission.folder !== undefined && (
        <p class="place">
          <Icon id="folder" small />
          <span dir="ltr">{S.inFolder(reveal(permission.folder))}</span>
        </p>
      )}
      <div class="options" ref={options}>
        {permission.options.map((choice, index) => (
          <button
            key={choice.optionId}
            type="button"
            class={`option${isPrimary(entry, choice, index) ? ' primary' : ''}`}
            aria-disabled={ready && !sent ? undefined : 'true'}
            aria-describedby={own ? undefined : `${effectId}-${index}`}
            onClick={() => {
              answer(choice);
            }}
          >
            <kbd aria-hidden="true">{index + 1}</kbd>
            <span dir="auto">{reveal(choice.name)}</span>
            {!own && (
              <span id={`${effectId}-${index}`} class="effect" aria-hidden="true">
                {effectOf(choice)}
              </span>
            )}
          </button>
        ))}
        {permission.options.length === 0 && <p class="muted">{S.noOptions}</p>}
      </div>
    </section>
  );
}

/** The whole command or file, never cut; and what the agent called it, where that says something else. */
function Subject({ entry, title }: { entry: ToolCallEntry; title: string }) {
  const subject = reveal(subjectOf(entry) || entry.title);
  const known = subject.includes(title.replace(/^`|`$/g, '')) || title === S.untitledCall;
  return (
    <>
      {!known && (
        <p class="asked" dir="auto">
          {title}
        </p>
      )}
      {subject !== '' && (
        <div class="well">
          <pre class="wrap" tabIndex={0} dir="ltr" role="group" aria-label={S.input}>
            {commandOf(entry) === '' ? subject : words(subject)}
          </pre>
        </div>
      )}
    </>
  );
}

/** Words of a command do not break inside: it must be read as it will run. */
function words(command: string) {
  const pieces = command.split(/(\s+)/);
  if (pieces.length > MAX_WORDS) return command;
  return pieces.map((piece, index) =>
    index % 2 === 1 || piece === '' ? (
      piece
    ) : (
      <span key={index} class={/^(?:&&|\|\|?|;|&)$/.test(piece) ? 'w muted' : 'w'}>
        {piece}
      </span>
    ),
  );
}

/** What an option does, in words that no agent chooses: its own name for it may say anything. */
function effectOf({ kind }: PermissionChoice): string {
  switch (kind) {
    case 'allow_once':
      return S.allowsOnce;
    case 'allow_always':
      return S.allowsAlways;
    case 'reject_once':
      return S.rejectsOnce;
    case 'reject_always':
      return S.rejectsAlways;
    case 'other':
      return S.effectNotKnown;
  }
}

function question(entry: ToolCallEntry): string {
  switch (entry.toolKind) {
    case 'execute':
      return S.askRun;
    case 'edit':
      return S.askEdit;
    case 'delete':
      return S.askDelete;
    case 'move':
      return S.askMove;
    case 'read':
      return S.askRead;
    case 'fetch':
      return S.askFetch;
    case 'switch_mode':
      return S.askMode;
    default:
      return S.askOther;
  }
}

/** The answer that is expected stands out, unless something is lost by it. */
function isPrimary(entry: ToolCallEntry, choice: PermissionChoice, index: number): boolean {
  return (
    index === 0 &&
    choice.kind === 'allow_once' &&
    entry.toolKind !== 'delete' &&
    !DELETES.test(commandOf(entry))
  );
}

function Answered({ permission }: { permission: Permission }) {
  const { state } = permission;
  if (state.kind === 'open') return null;
  if (state.kind === 'cancelled') {
    return (
      <div class="endline small">
        <Icon id="circle-slash" />
        <span class="cut">{S.answerNotGiven(timeOfDay(state.at))}</span>
      </div>
    );
  }
  const choice = permission.options.find(({ optionId }) => optionId === state.optionId);
  const refused = choice?.kind.startsWith('reject') === true;
  return (
    <div class="endline small">
      <Icon id={refused ? 'close' : 'check'} />
      <span class="cut">{S.answered(answerWords(choice), timeOfDay(state.at))}</span>
    </div>
  );
}

function answerWords(choice: PermissionChoice | undefined): string {
  switch (choice?.kind) {
    case 'allow_once':
      return S.allowedOnce;
    case 'allow_always':
      return S.allowedAlways;
    case 'reject_once':
      return S.rejectedOnce;
    case 'reject_always':
      return S.rejectedAlways;
    default:
      return reveal(choice?.name ?? '');
  }
}
