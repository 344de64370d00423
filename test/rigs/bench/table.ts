import { isMet, type Line } from './goals/goal.ts';

/** The goals as a Markdown table. */
export function goalsTable(lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const { goal, what, reference, unit, goalValue, isLowerBound } = line;
    const bound = `${isLowerBound ? '≥' : '≤'} ${goalValue}`;
    return `| ${goal} | ${what} | ${reference} | ${bound} ${unit} | ${measuredText(line)} | ${isMet(line) ? 'met' : '**missed**'} |`;
  });
  return ['| # | what | against | goal | measured | |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function measuredText({ measured: { median, min, max } }: Line): string {
  const text = (value: number) => value.toFixed(Number.isInteger(value) || value >= 100 ? 0 : 2);
  return min === max ? text(median) : `${text(median)} [${text(min)} to ${text(max)}]`;
}

/** Adds the rows of an earlier table for goals that were not measured. Sorts by goal. */
export function mergedTable(table: string, earlier: string): string {
  const [head = '', rule = '', ...rows] = table.split('\n');
  const goalOf = (row: string) => /^\| ([0-9]+[a-z]?) \|/.exec(row)?.[1];
  const fresh = new Set(rows.map(goalOf));
  const kept = earlier.split('\n').filter((row) => goalOf(row) !== undefined && !fresh.has(goalOf(row)));
  const byGoal = new Intl.Collator('en', { numeric: true });
  return [head, rule, ...[...kept, ...rows].sort(byGoal.compare)].join('\n');
}
