/** What the benches share: a figure is a ratio within one run, and its goal. */

export interface Row {
  readonly figure: string;
  readonly value: number;
  readonly goal: number;
  readonly better: 'more' | 'less';
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Prints the rows; a goal that is missed fails the run. */
export function report(rows: readonly Row[]): void {
  for (const row of rows) {
    const sign = row.better === 'more' ? '>=' : '<=';
    console.log(
      `${passes(row) ? 'PASS' : 'FAIL'}  ${row.value.toFixed(2).padStart(6)}  ${sign} ${row.goal.toFixed(2)}  ${row.figure}`,
    );
  }
  if (!rows.every(passes)) process.exitCode = 1;
}

function passes({ value, goal, better }: Row): boolean {
  return better === 'more' ? value >= goal : value <= goal;
}
