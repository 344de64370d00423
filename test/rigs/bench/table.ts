import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMet, type Line } from './goals/goal.ts';
import type { Spread } from './measure.ts';

export const RECORDED_FILE = join(import.meta.dirname, 'recorded.json');

interface Run {
  readonly date: string;
  readonly commit: string;
  readonly rounds: number;
}

/** A row that a run has measured, as recorded.json keeps it. */
export interface Recorded extends Run {
  readonly goal: string;
  readonly what: string;
  readonly reference: string;
  /** For example `≤ 1.4 ×`. */
  readonly bound: string;
  readonly measured: Spread;
  readonly state: string;
  /** Why the row was not measured. */
  readonly notMeasured?: string | undefined;
}

export const readRecorded = (): Recorded[] => JSON.parse(readFileSync(RECORDED_FILE, 'utf8'));

export function recordOf(lines: readonly Line[], run: Run): Recorded[] {
  return lines.map((line) => {
    const { goal, what, reference, unit, goalValue, isLowerBound, isComparison, measured, notMeasured } =
      line;
    const bound = isComparison ? 'none' : `${isLowerBound ? '≥' : '≤'} ${goalValue} ${unit}`;
    return { goal, what, reference, bound, measured, state: stateOf(line), notMeasured, ...run };
  });
}

function stateOf(line: Line): string {
  if (line.notMeasured !== undefined) return 'not measured';
  if (line.isComparison) return 'compared';
  return isMet(line) ? 'met' : '**missed**';
}

/** Adds the earlier rows of goals that were not measured. Sorts by goal. */
export function merged(rows: readonly Recorded[], earlier: readonly Recorded[]): Recorded[] {
  const fresh = new Set(rows.map(({ goal }) => goal));
  const kept = earlier.filter(({ goal }) => !fresh.has(goal));
  const byGoal = new Intl.Collator('en', { numeric: true });
  return [...kept, ...rows].sort((one, other) => byGoal.compare(one.goal, other.goal));
}

export function goalsTable(rows: readonly Recorded[]): string {
  const cells = rows.map((row) => [
    row.goal,
    ...[row.what, row.reference, row.bound, measuredText(row), row.state, row.date],
  ]);
  return [
    '| # | what | against | goal | measured | | on |',
    '|---|---|---|---|---|---|---|',
    ...cells.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

const text = (value: number) => value.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 2);

function measuredText({ measured: { median, min, max, ofMinima }, notMeasured }: Recorded): string {
  if (notMeasured !== undefined) return notMeasured;
  if (min === max) return text(median);
  const minima = ofMinima === undefined ? '' : `, minima ${text(ofMinima)}`;
  return `${text(median)} [${text(min)} to ${text(max)}]${minima}`;
}

/** Returns docs/design/performance.md with the table of these rows. */
export function withGoals(page: string, rows: readonly Recorded[]): string {
  const [begin, end] = ['<!-- bench: begin -->', '<!-- bench: end -->'];
  const [before = '', rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n${goalsTable(rows)}\n${end}${after}`;
}
