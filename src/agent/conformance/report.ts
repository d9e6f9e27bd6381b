import type { Report, Row } from './check.ts';
import type { Verdict } from './finding.ts';
import type { Frame } from './frames.ts';

export type Format = 'text' | 'json' | 'markdown';

const MARKS: Readonly<Record<Verdict, string>> = {
  holds: 'ok',
  deviates: 'DEVIATES',
  advice: 'advice',
  notRun: 'not run',
};
const ARROWS = { sent: '-->', received: '<--', note: '***' };

/** The report as a person or a program reads it. What the agent has said is written out harmlessly. */
export function print(report: Report, format: Format): string {
  if (format === 'json')
    return `${JSON.stringify({ counts: counts(report), ...report }, null, 2)}\n`;
  return format === 'text' ? textOf(report) : markdownOf(report);
}

/** The number of rows of each verdict. */
export function counts({ rows }: Report): Readonly<Record<Verdict, number>> {
  const count = (verdict: Verdict): number => rows.filter((row) => row.verdict === verdict).length;
  return {
    holds: count('holds'),
    deviates: count('deviates'),
    advice: count('advice'),
    notRun: count('notRun'),
  };
}

function textOf(report: Report): string {
  const lines = [
    `Conformance of ${plain(nameOf(report))} to ACP v1`,
    plain(report.agent.command.join(' ')),
  ];
  for (const [subject, rows] of bySubject(report)) {
    lines.push('', subject);
    for (const row of rows) {
      lines.push(`  ${MARKS[row.verdict].padEnd(8)}  ${row.title}`);
      if (row.reason !== '') lines.push(`            ${plain(row.reason)}`);
      if (!isTold(row)) continue;
      lines.push(`            ${row.rule.name}: ${row.rule.url}`);
      lines.push(...row.frames.map((frame) => `              ${frameLine(frame)}`));
    }
  }
  return `${lines.join('\n')}\n\n${summary(report)}\n`;
}

function markdownOf(report: Report): string {
  const lines = [
    `# Conformance of ${escaped(nameOf(report))} to ACP v1`,
    '',
    `Command: ${escaped(report.agent.command.join(' '))}`,
    '',
    summary(report),
  ];
  for (const [subject, rows] of bySubject(report)) {
    lines.push('', `## ${subject}`, '', '| | Rule | Found | Specification |', '|---|---|---|---|');
    for (const { verdict, title, reason, rule } of rows) {
      const mark = verdict === 'deviates' ? `**${MARKS[verdict]}**` : MARKS[verdict];
      lines.push(
        `| ${mark} | ${escaped(title)} | ${escaped(reason)} | [${rule.name}](${rule.url}) |`,
      );
    }
    for (const row of rows.filter(isTold)) {
      if (row.frames.length === 0) continue;
      const frames = row.frames.map(frameLine).join('\n');
      const fence = '`'.repeat(
        Math.max(3, ...[...frames.matchAll(/`+/g)].map(([run]) => run.length + 1)),
      );
      lines.push('', `### ${escaped(row.title)}`, '', `${fence}text`, frames, fence);
    }
  }
  return `${lines.join('\n')}\n`;
}

function nameOf({ agent }: Report): string {
  return `${agent.name} ${agent.version}`.trim();
}

function summary(report: Report): string {
  const { holds, deviates, advice, notRun } = counts(report);
  return `${holds} hold, ${deviates} deviate, ${advice} with advice, ${notRun} not run.`;
}

function isTold({ verdict }: Row): boolean {
  return verdict === 'deviates' || verdict === 'advice';
}

function bySubject({ rows }: Report): ReadonlyMap<string, readonly Row[]> {
  const subjects = new Map<string, Row[]>();
  for (const row of rows) subjects.set(row.subject, [...(subjects.get(row.subject) ?? []), row]);
  return subjects;
}

function frameLine({ direction, text }: Frame): string {
  return `${ARROWS[direction]} ${plain(text)}`;
}

/** Without what would steer a terminal, hide or turn a text around. */
function plain(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** As text of Markdown that means nothing but itself. */
function escaped(text: string): string {
  return plain(text).replaceAll(/[\\`*_{}[\]()<>#|!~&:@]/g, '\\$&');
}
