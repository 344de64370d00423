import type { RejectedRequestsView } from '../../../../shared/verifications/console/views.ts';

/**
 * Adds up the counts of minutes with the same code, status, route and key. Each group keeps its latest minute, with the
 * example. The most frequent group is first. A minute that appears on two pages is counted once.
 */
export function groupRejected(minutes: readonly RejectedRequestsView[]): RejectedRequestsView[] {
  const once = new Map(minutes.map((minute) => [minute.request_id, minute]));
  const groups = new Map<string, RejectedRequestsView>();
  for (const minute of once.values()) {
    const name = JSON.stringify([minute.code, minute.http_status, minute.route, minute.key_label]);
    const group = groups.get(name);
    const last = group && group.minute > minute.minute ? group : minute;
    groups.set(name, { ...last, count: minute.count + (group?.count ?? 0) });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.minute.localeCompare(a.minute));
}
