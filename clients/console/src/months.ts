import { monthBefore } from '../../../shared/core/accounting-month.ts';

/** Returns the name of a month, `yyyy-mm`: "November 2026". */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}

export function monthChoices(first: string, last: string): { value: string; label: string }[] {
  const choices: { value: string; label: string }[] = [];
  for (let month = last; month >= first; month = monthBefore(month))
    choices.push({ value: month, label: monthName(month) });
  return choices;
}
