import type { BlockEntry } from '../../src/bridge/messages.ts';
import { linkTarget } from '../markdown/links.ts';
import { S } from '../strings.ts';
import { Icon } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { oneLine, reveal, shortPath } from '../ui/text.ts';

type ContentBlock = BlockEntry['block'];

/** Characters of base64: 15 MB of picture or sound. */
const MAX_DATA = 20_000_000;
const MAX_TEXT = 20_000;
const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const SOUNDS = /^audio\/[\w.+-]{1,60}$/;
const BASE64 = /^[\w+/=\s-]*$/;

/** A content block as an article of its own. */
export function Block({ entry }: { entry: BlockEntry }) {
  const mine = entry.voice === 'user';
  const label = mine ? S.you : entry.voice === 'agent' ? S.agent : S.thought;
  return (
    <article class={mine ? 'prompt' : 'answer'} aria-label={label}>
      <BlockBody block={entry.block} />
    </article>
  );
}

/** What a content block shows. Nothing is fetched for it. */
export function BlockBody({ block }: { block: ContentBlock }) {
  switch (block.type) {
    case 'text':
      return (
        <p class="typed" dir="auto">
          {block.text}
        </p>
      );
    case 'image':
      return <Media data={block.data} type={block.mimeType} known={IMAGES} name={S.image} />;
    case 'audio':
      return <Media data={block.data} type={block.mimeType} known={SOUNDS} name={S.audio} />;
    case 'resource_link':
      return <LinkChip uri={block.uri} name={block.title ?? block.name} />;
    case 'resource':
      return (
        <>
          <LinkChip uri={block.resource.uri} name="" />
          {'text' in block.resource && (
            <pre class="wrap well attached" tabIndex={0} dir="ltr">
              {block.resource.text.slice(0, MAX_TEXT)}
            </pre>
          )}
        </>
      );
  }
}

function Media(props: { data: string; type: string; known: RegExp; name: string }) {
  const { data, type, known, name } = props;
  if (!known.test(type) || data.length > MAX_DATA || !BASE64.test(data.slice(0, 1000))) {
    return (
      <p class="muted">
        {data.length > MAX_DATA
          ? S.tooLarge(name)
          : `${name} (${oneLine(reveal(type)).slice(0, 80)})`}
      </p>
    );
  }
  const source = `data:${type};base64,${data}`;
  return name === S.image ? (
    <img class="picture" src={source} alt={S.image} />
  ) : (
    <audio controls src={source} aria-label={S.audio} />
  );
}

function LinkChip({ uri, name }: { uri: string; name: string }) {
  const page = usePage();
  const target = linkTarget(uri);
  const shown =
    oneLine(reveal(name)) ||
    (target?.kind === 'file' ? shortPath(target.path) : oneLine(reveal(uri)));
  const body = (
    <>
      <Icon id={target?.kind === 'web' ? 'globe' : 'file'} />
      <bdi class="cut">{shown || S.attachment}</bdi>
    </>
  );
  if (target === null) {
    return (
      <span class="chip small" title={reveal(uri)}>
        {body}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="chip small"
      title={reveal(uri)}
      onClick={() => {
        if (target.kind === 'web') page.post({ type: 'openLink', href: target.href });
        else page.post({ type: 'openFile', path: target.path, line: target.line });
      }}
    >
      {body}
    </button>
  );
}
