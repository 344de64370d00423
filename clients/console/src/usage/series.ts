import { sum } from '../../../../shared/core/sum.ts';
import type { UsageSeries } from '../../../../shared/usage/console/views.ts';
import type { Series } from '../components/series.ts';

type Measure = 'requests' | 'credits';

const MAX_SERIES = 6;

/**
 * Returns the series that are not empty, largest first. If there are more than six, the smallest are added up as
 * `otherName`.
 */
export function largestSeries(
  all: readonly UsageSeries[],
  measure: Measure,
  nameOf: (name: string) => string,
  otherName: string,
): Series[] {
  const series = all
    .map((one) => ({ name: nameOf(one.name), values: one[measure], sum: sum(one[measure]) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum);
  if (series.length <= MAX_SERIES) return series;
  const rest = series.splice(MAX_SERIES - 1);
  const days = rest[0]?.values ?? [];
  const values = days.map((_, day) => sum(rest.map((one) => one.values[day] ?? 0)));
  return [...series, { name: otherName, values }];
}
