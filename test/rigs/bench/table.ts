import { isMet, type Line } from './goals/goal.ts';

const byGoal = new Intl.Collator('en', { numeric: true });

/** Returns the table. `run` names the date and the rounds. */
export function goalsTable(lines: readonly Line[], run: string): string {
  const rows = lines.map((line) => {
    const { goal, what, reference, unit, goalValue, isLowerBound, isComparison } = line;
    const bound = isComparison ? 'none' : `${isLowerBound ? '≥' : '≤'} ${goalValue} ${unit}`;
    return `| ${goal} | ${what} | ${reference} | ${bound} | ${measuredText(line)} | ${stateText(line)} | ${run} |`;
  });
  return ['| # | what | against | goal | measured | | run |', '|---|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
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

/** Adds the rows of an earlier table for goals that were not measured. Sorts by goal. */
export function mergedTable(table: string, earlier: string): string {
  const [head = '', rule = '', ...rows] = table.split('\n');
  const goalOf = (row: string) => /^\| ([0-9]+[a-z]?) \|/.exec(row)?.[1];
  const fresh = new Set(rows.map(goalOf));
  const kept = earlier.split('\n').filter((row) => goalOf(row) !== undefined && !fresh.has(goalOf(row)));
  return [head, rule, ...[...kept, ...rows].sort(byGoal.compare)].join('\n');
}
