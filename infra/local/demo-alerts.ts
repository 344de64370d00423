import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { alertOf } from '../../shared/alerts/alert.ts';
import { alertTable } from '../../shared/alerts/alert-table.ts';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { newOperationId } from '../../shared/core/ids.ts';

/**
 * The alerts of the demo organisation about its past outage (demo-traffic.ts). No emails are sent, because the outage
 * is over.
 */

/** When all registries stopped responding, and when they responded again. Epoch milliseconds. */
interface DemoOutage {
  readonly openedMs: number;
  readonly recoveredMs: number;
}

/** Adds the two alerts for each ID type. `tableName` is the name of the Console table. */
export async function addOutageAlerts(
  client: DynamoDBDocumentClient,
  tableName: string,
  organisationId: string,
  { openedMs, recoveredMs }: DemoOutage,
): Promise<void> {
  const alerts = alertTable(client, tableName);
  const events = [
    ...ID_TYPES.map((id_type) => ({ type: 'Look-Ups Unavailable', atMs: openedMs, id_type })),
    ...ID_TYPES.map((id_type) => ({ type: 'Look-Ups Available', atMs: recoveredMs, id_type })),
  ];
  for (const { type, atMs, id_type } of events) {
    const id = newOperationId(atMs);
    const alert = alertOf({ type, id, at: new Date(atMs).toISOString(), detail: { id_type } });
    if (!alert) throw new Error(`The event "${type}" has no alert.`);
    const ref = { organisationId, eventId: id, day: lagosDay(atMs) };
    const { storedToday } = await alerts.getState(ref);
    if (!(await alerts.insertAlert(ref, alert, storedToday))) throw new Error('The alert was not stored.');
  }
}
