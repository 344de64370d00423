import type { Cell } from '../../../../shared/core/csv.ts';
import type { UsageView } from '../../../../shared/usage/console/views.ts';

export const USAGE_COLUMNS = ['day', 'by', 'name', 'requests', 'credits'];

/** Returns one row for each day and series that had requests. The sums are the same for services, outcomes and keys. */
export function usageRows({ days, by }: UsageView): Cell[][] {
  return days.flatMap((day, index) =>
    Object.entries(by).flatMap(([group, series]) =>
      series
        .filter(({ requests }) => requests[index])
        .map(({ name, requests, credits }) => [day, group, name, requests[index] ?? 0, credits[index] ?? 0]),
    ),
  );
}
