/** A codicon. What it means stands in words beside it, or in the name of the button around it. */
export function Icon({ id, small, extra }: { id: string; small?: boolean; extra?: string }) {
  const classes = `codicon codicon-${id}${small === true ? ' small' : ''}${extra === undefined ? '' : ` ${extra}`}`;
  return <i class={classes} aria-hidden="true" />;
}

/** A button that shows only an icon; `label` is its name and its tooltip. */
export function IconButton(props: {
  id: string;
  label: string;
  small?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class="icon-btn"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      <Icon id={props.id} small={props.small ?? false} />
    </button>
  );
}
