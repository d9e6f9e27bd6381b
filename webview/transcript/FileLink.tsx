import { usePage } from '../ui/page.ts';

/** A place that the agent named; the host opens it if it is in the workspace. */
export function FileLink(props: {
  file: { readonly path: string; readonly line: number | null };
  name: string;
}) {
  const page = usePage();
  const { path, line } = props.file;
  return (
    <a
      href="#"
      class="cut"
      title={line === null ? path : `${path}:${line}`}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        page.post({ type: 'openFile', path, line });
      }}
    >
      <bdi>{props.name}</bdi>
    </a>
  );
}
