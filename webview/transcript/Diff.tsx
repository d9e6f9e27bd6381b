import { useState } from 'preact/hooks';
import type { DiffContent, DiffRow } from '../../src/bridge/messages.ts';
import { S } from '../strings.ts';
import { Icon } from '../ui/Icon.tsx';
import { usePage } from '../ui/page.ts';
import { shortPath } from '../ui/text.ts';

/** Rows that are drawn at once; the rest on demand. */
const FIRST_ROWS = 40;
const SIGNS = { same: '', add: '+', del: '−' } as const;

/** What an edit changes, line by line; the native diff editor is one button away. */
export function Diff(props: { diff: DiffContent; turn: number; entry: number; content: number }) {
  const { diff, turn, entry, content } = props;
  const page = usePage();
  const [all, showAll] = useState(false);
  const rows = all ? diff.rows : diff.rows.slice(0, FIRST_ROWS);
  const hidden = diff.rows.length - rows.length;
  return (
    <>
      <div class="diff" tabIndex={0} role="group" aria-label={S.diffOf(diff.path)}>
        <div class="rows">
          {rows.map((row, index) => (
            <Row key={index} row={row} before={rows[index - 1]} />
          ))}
          {hidden > 0 && (
            <button
              type="button"
              class="skip"
              onClick={() => {
                showAll(true);
              }}
            >
              {S.moreRows(hidden)}
            </button>
          )}
          {hidden === 0 && diff.omittedRows > 0 && (
            <span class="skip">{S.omittedRows(diff.omittedRows)}</span>
          )}
        </div>
      </div>
      <div class="foot">
        <button
          type="button"
          class="btn quiet"
          onClick={() => {
            page.post({ type: 'openDiff', chatId: page.chatId(), turn, entry, content });
          }}
        >
          <Icon id="diff" small />
          {S.openDiff}
        </button>
        <span class="cut grow muted" title={diff.path}>
          {diff.oldText === null ? `${S.newFile} · ${shortPath(diff.path)}` : shortPath(diff.path)}
        </span>
      </div>
    </>
  );
}

function Row({ row, before }: { row: DiffRow; before: DiffRow | undefined }) {
  return (
    <>
      {before !== undefined && jumps(before, row) && (
        <div class="gap" aria-hidden="true">
          ⋯
        </div>
      )}
      <div class={row.kind === 'same' ? 'r' : `r ${row.kind}`}>
        <span class="n">{row.newLine ?? row.oldLine}</span>
        <span class="g">{SIGNS[row.kind]}</span>
        <span class="t">{row.text}</span>
      </div>
    </>
  );
}

/** Lines were left out where neither file goes on. */
function jumps(before: DiffRow, row: DiffRow): boolean {
  const next = (a: number | null, b: number | null): boolean =>
    a !== null && b !== null && b > a + 1;
  return next(before.oldLine, row.oldLine) || next(before.newLine, row.newLine);
}
