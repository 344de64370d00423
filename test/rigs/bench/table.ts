import { isMet, type Line } from './goals/goal.ts';

const byGoal = new Intl.Collator('en', { numeric: true });

export function goalsTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const { goal, what, reference, unit, goalValue, isLowerBound, isComparison } = line;
    const bound = isComparison ? 'none' : `${isLowerBound ? '≥' : '≤'} ${goalValue} ${unit}`;
    return `| ${goal} | ${what} | ${reference} | ${bound} | ${measuredText(line)} | ${stateText(line)} |`;
  });
  return ['| # | what | against | goal | measured | |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

const text = (value: number) => value.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 2);

function stateText(line: Line): string {
  if (line.notMeasured !== undefined) return 'not measured';
  if (line.isComparison) return 'compared';
  return isMet(line) ? 'met' : '**missed**';
}

function measuredText({ measured: { median, min, max, ofMinima }, notMeasured }: Line): string {
  if (notMeasured !== undefined) return notMeasured;
  if (min === max) return text(median);
  const minima = ofMinima === undefined ? '' : `, minima ${text(ofMinima)}`;
  return `${text(median)} [${text(min)} to ${text(max)}]${minima}`;
}

/** Returns the measured values of all rounds: one list item for each goal whose values differ. */
export function roundsList(lines: readonly Line[]): string {
  const items = lines.flatMap(({ goal, measured: { rounds, min, max } }) => {
    if (!rounds || min === max) return [];
    const own = rounds.own.map(text).join(', ');
    return rounds.reference
      ? `- ${goal}: ${own}; against ${rounds.reference.map(text).join(', ')}`
      : `- ${goal}: ${own}`;
  });
  return items.join('\n');
}

/** Adds the items of an earlier list for goals that were not measured. Sorts by goal. */
export function mergedRounds(list: string, earlier: string, lines: readonly Line[]): string {
  const goalOf = (item: string) => /^- ([0-9]+[a-z]?): /.exec(item)?.[1];
  const fresh = new Set<string | undefined>(lines.map(({ goal }) => goal));
  const kept = earlier.split('\n').filter((item) => goalOf(item) !== undefined && !fresh.has(goalOf(item)));
  return [...kept, ...list.split('\n').filter(Boolean)].sort(byGoal.compare).join('\n');
}

/** Adds the rows of an earlier table for goals that were not measured. Sorts by goal. */
export function mergedTable(table: string, earlier: string): string {
  const [head = '', rule = '', ...rows] = table.split('\n');
  const goalOf = (row: string) => /^\| ([0-9]+[a-z]?) \|/.exec(row)?.[1];
  const fresh = new Set(rows.map(goalOf));
  const kept = earlier.split('\n').filter((row) => goalOf(row) !== undefined && !fresh.has(goalOf(row)));
  return [head, rule, ...[...kept, ...rows].sort(byGoal.compare)].join('\n');
}
