import { Finding } from './finding.ts';
import type { Verdict } from './finding.ts';
import type { Frame } from './frames.ts';
import { pick, textOf } from './json.ts';
import type { Rule, RuleLink } from './rule.ts';
import { linkOf } from './rule.ts';
import { SUBJECTS } from './rules/index.ts';
import type { WalkOptions } from './walk.ts';
import { Walk } from './walk.ts';

/** What was found about one rule. */
export interface Row {
  readonly id: string;
  readonly subject: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** Why it does not simply hold; empty if it does. */
  readonly reason: string;
  readonly rule: RuleLink;
  /** What went over the wire meanwhile, or the offending frames; bounded. */
  readonly frames: readonly Frame[];
}

export interface Report {
  readonly agent: {
    readonly command: readonly string[];
    readonly name: string;
    readonly version: string;
  };
  readonly rows: readonly Row[];
}

export interface CheckOptions extends WalkOptions {
  /** Called before each row. */
  readonly onRow?: ((number: number, of: number, title: string) => void) | undefined;
  /** Ends the check early. */
  readonly signal: AbortSignal;
}

/** The agent never came so far as to answer anything. */
export class NotStarted extends Error {}

const ORDER = { now: 0, late: 1, last: 2 };

/**
 * Walks an agent through the protocol. Ends every process that it started, whatever happens.
 *
 * @throws NotStarted with a sentence if the agent cannot be started; the signal's reason if it aborts.
 */
export async function check(options: CheckOptions): Promise<Report> {
  const walk = new Walk(options);
  const rules = SUBJECTS.flatMap(({ name, rules: all }) =>
    all.map((rule) => ({ rule, subject: name })),
  );
  const inOrder = [...rules].sort(
    (a, b) => ORDER[a.rule.when ?? 'now'] - ORDER[b.rule.when ?? 'now'],
  );
  const rows = new Map<Rule, Row>();
  const stop = (): void => void walk.stop();
  options.signal.addEventListener('abort', stop);
  try {
    for (const { rule, subject } of inOrder) {
      options.signal.throwIfAborted();
      options.onRow?.(rows.size + 1, rules.length, rule.title);
      if (rule.when === 'last') await walk.stop();
      rows.set(rule, { ...(await judge(walk, rule)), subject });
      if (rows.size === 1) throwUnlessStarted(walk);
    }
  } finally {
    options.signal.removeEventListener('abort', stop);
    await walk.stop();
  }
  options.signal.throwIfAborted();
  const { command, args } = options.command;
  const name = textOf(pick(walk.agent, 'agentInfo', 'name')) ?? 'an agent without a name';
  const version = textOf(pick(walk.agent, 'agentInfo', 'version')) ?? '';
  const found = rules.flatMap(({ rule }) => rows.get(rule) ?? []);
  return { agent: { command: [command, ...args], name, version }, rows: found };
}

async function judge(walk: Walk, rule: Rule): Promise<Omit<Row, 'subject'>> {
  const { id, title } = rule;
  walk.log.take();
  walk.current?.beginRow();
  const finding = await findingOf(walk, rule);
  const frames = rule.watched
    ? walk.offences.of(rule.watched).map(({ frame }) => frame)
    : walk.log.take();
  const verdict = finding?.verdict ?? 'holds';
  return { id, title, verdict, reason: finding?.message ?? '', rule: linkOf(rule), frames };
}

async function findingOf(walk: Walk, rule: Rule): Promise<Finding | undefined> {
  if (rule.prompts && walk.options.prompt === undefined) {
    return new Finding('notRun', 'it needs a prompt: see --prompt');
  }
  const before = walk.current;
  const lived = before?.gone === undefined;
  try {
    await rule.check(walk);
  } catch (error) {
    if (error instanceof Finding) return error;
    throw error;
  }
  const gone = walk.current?.gone;
  const dies = gone !== undefined && !rule.id.startsWith('end.') && rule.when !== 'last';
  // One that had ended before is told in the row in which it did.
  return dies && (before !== walk.current || lived) ? new Finding('deviates', gone) : undefined;
}

function throwUnlessStarted({ agent, current }: Walk): void {
  const gone = current?.gone;
  if (agent !== undefined || gone === undefined) return;
  const ended = current?.startFailure !== undefined || gone.startsWith('the agent ended');
  if (ended) throw new NotStarted(gone);
}
