/** What the output of a test run says. */
export interface TestReport {
  readonly runner: string;
  readonly passed: number;
  /** What `passed` counts: "test", or "package". */
  readonly unit: string;
  readonly failed: number;
  readonly skipped: number;
  /** The first of those that failed. */
  readonly names: readonly string[];
}

const MAX_NAMES = 5;
const MAX_LINE = 300;

/** Each runner, and the lines in which it sums up. The first that has such a line wins. */
const RUNNERS: readonly (readonly [name: string, sums: RegExp])[] = [
  ['cargo test', /^test result: /],
  ['pytest', /\b\d+ (?:passed|failed|skipped|errors?)\b.* in [\d.]+s/],
  ['Jest', /^Tests: .*\btotal$/],
  ['Vitest', /^\s*Tests {2}.*\(\d+\)$/],
  ['node:test', /^[#ℹ] (?:pass|fail|cancelled|skipped|todo) \d+$/],
  ['Mocha', /^\s+\d+ (?:passing|failing|pending)\b/],
  ['Deno or Bun', /^\s*\d+ (?:pass|fail|skip)$|^(?:ok|FAILED) \| \d+ passed/],
  ['go test', /^(?:ok|FAIL) *\t\S+|^--- (?:PASS|FAIL|SKIP): /],
];

/** How runners write the name of a test that failed. */
const NAMES: readonly RegExp[] = [
  /^test (\S+)(?: - .*)? \.\.\. FAILED/,
  /^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$/,
  /^\s*● (.+ › .+)$/,
  /^\s*FAIL {2}(.+ > .+)$/,
  /^\s*(?:✖ (?!failing tests)|not ok \d+ - )(.+?)(?: \([\d.]+ms\))?$/,
  /^\s+\d+\) (\S.*[^:])$/,
  /^--- FAIL: (\S+)/,
  /^FAIL\t(\S+) \[/,
  /^\(fail\) (.+?)(?: \[.*\])?$/,
];

/** Reads what a test runner has printed, if it is one whose words are known. */
export function readTestOutput(output: string): TestReport | undefined {
  const lines = output.split(/[\r\n]+/).map((line) => line.slice(0, MAX_LINE).trimEnd());
  const [runner, sums] = RUNNERS.find(([, each]) => lines.some((line) => each.test(line))) ?? [];
  if (runner === undefined || !sums) return undefined;
  const summary = lines.filter((line) => sums.test(line));
  const counts = runner === 'go test' ? goCounts(summary) : added(summary);
  const names = new Set(
    lines.flatMap((line) => NAMES.flatMap((pattern) => pattern.exec(line)?.[1] ?? [])),
  );
  return { runner, ...counts, names: counts.failed === 0 ? [] : [...names].slice(0, MAX_NAMES) };
}

/** "2 passed", "pass 2" and "2 passing" are all two that passed; what comes several times is added up. */
function added(summary: readonly string[]) {
  const sum = (words: string): number => {
    const number = new RegExp(`(\\d+) (?:${words})\\b|\\b(?:${words}) (\\d+)`, 'g');
    return Array.from(summary.join('\n').matchAll(number)).reduce(
      (total, [, before, behind]) => total + Number(before ?? behind),
      0,
    );
  };
  return {
    passed: sum('pass|passed|passing'),
    unit: 'test',
    failed: sum('fail|failed|failing|errors?|cancelled'),
    skipped: sum('skip|skipped|pending|ignored|todo'),
  };
}

/** Go counts nothing. Without -v it tells only packages, and the tests that failed. */
function goCounts(summary: readonly string[]) {
  const many = (pattern: RegExp): number => summary.filter((line) => pattern.test(line)).length;
  const tests = many(/^--- PASS/);
  return {
    passed: tests === 0 ? many(/^ok/) : tests,
    unit: tests === 0 ? 'package' : 'test',
    // A package that does not compile has no tests that fail.
    failed: many(/^--- FAIL|^FAIL\t\S+ \[/),
    skipped: many(/^--- SKIP/),
  };
}
