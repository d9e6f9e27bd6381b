import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import { useFold } from './useFold.ts';

/** The one line that each act of the agent has, and what unfolds under it. */
export function Activity(props: {
  /** Where the fold is remembered. */
  fold: string;
  byDefault: boolean;
  /** Accessible name of the article. */
  label: string;
  className?: string;
  /** Open, it is a card with a border. */
  card?: boolean;
  state?: ComponentChildren;
  dataState?: string;
  busy?: boolean;
  icon: string;
  head: ComponentChildren;
  /** Beside the button that folds, such as a link: nothing can be pressed inside a button. */
  beside?: ComponentChildren;
  body: (() => ComponentChildren) | null;
  /** Stands under the article and belongs to it. */
  after?: ComponentChildren;
}) {
  const fold = useFold(props.fold, props.byDefault);
  const bodyId = useId();
  const open = fold.open && props.body !== null;
  const classes = ['act', props.className, props.card === true && 'card', open && 'is-open'];
  const head = (
    <>
      <Icon id={props.icon} extra="kind" />
      {props.head}
    </>
  );
  return (
    <div class={`call${open || isThere(props.after) ? '' : ' row-only'}`}>
      <article
        ref={fold.root}
        class={classes.filter(Boolean).join(' ')}
        aria-label={props.label}
        aria-busy={props.busy === true ? 'true' : undefined}
        data-state={props.dataState}
      >
        <div class={`line${isThere(props.beside) ? ' linked' : ''}`}>
          {props.body === null ? (
            <span class="fold">{head}</span>
          ) : (
            <button
              type="button"
              class="fold"
              aria-expanded={open}
              aria-controls={open ? bodyId : undefined}
              onClick={fold.toggle}
            >
              {head}
            </button>
          )}
          {props.beside}
          <span class="state">
            {props.state}
            <Icon id={props.body === null ? 'blank' : 'chevron-right'} small extra="chev" />
          </span>
        </div>
        {open && <div id={bodyId}>{props.body?.()}</div>}
      </article>
      {props.after}
    </div>
  );
}

function isThere(children: ComponentChildren): boolean {
  return children !== undefined && children !== null && children !== false;
}
