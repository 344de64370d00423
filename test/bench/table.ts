import { isMet, type Line } from './goals/goal.ts';

/** The goals as a Markdown table, which reads well enough in a terminal too. */
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
