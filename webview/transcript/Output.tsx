import { plainText } from '../../src/bridge/screen.ts';
import { S } from '../strings.ts';
import { IconButton } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { Screen, useDrawn } from './Screen.tsx';

/** Characters of a text that is shown from its beginning. */
const MAX = 30_000;

/** What a tool returned, in a box that scrolls. `tail`: the end counts, so it is kept in view. */
export function Output({ text, tail }: { text: string; tail: boolean }) {
  return <div class="term">{tail ? <End text={text} /> : <Beginning text={text} />}</div>;
}

function End({ text }: { text: string }) {
  const drawn = useDrawn(text);
  return (
    <>
      <Screen drawn={drawn} empty={S.noOutput} />
      <Foot text={text} note={drawn.cut ? S.endOfOutput : ''} />
    </>
  );
}

function Beginning({ text }: { text: string }) {
  const cut = text.length > MAX;
  return (
    <>
      <pre tabIndex={0} role="group" aria-label={S.output}>
        {plainText(cut ? text.slice(0, MAX) : text)}
      </pre>
      <Foot text={text} note={cut ? S.cutText(MAX, text.length) : ''} />
    </>
  );
}

function Foot({ text, note }: { text: string; note: string }) {
  const page = usePage();
  return (
    <div class="foot muted">
      <span class="cut grow">{note}</span>
      <IconButton
        id="copy"
        small
        label={S.copyOutput}
        onClick={() => {
          page.post({ type: 'copy', text: plainText(text) });
          page.say(S.saidCopied);
        }}
      />
    </div>
  );
}
