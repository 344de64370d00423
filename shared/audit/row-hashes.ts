import { canonicalSha256 } from '../core/canonical-json.ts';
import type { Row } from '../core/database.ts';
import type { TransactItem } from './audit-table.ts';

/**
 * An entry has a hash of each row about money that its transaction wrote: nothing else states, for example, the buyer on
 * an invoice. The reconciliation compares them.
 */

/** Later writes change these. */
const CHANGING = new Set([
  ...['state', 'version', 'problem', 'resolution', 'resolvedAt', 'resolvedBy', 'unpublished'],
  ...['dueAt', 'dueKey', 'dueSort', 'reversedAt', 'bookedReversal'],
  ...['consumed', 'withdrawals', 'remaining'],
  ...['sends', 'paidBackBy', 'paidBackKobo', 'doneAt'],
]);

export function rowSha256(row: Row): string {
  return canonicalSha256(Object.fromEntries(Object.entries(row).filter(([name]) => !CHANGING.has(name))));
}

export const rowName = ({ pk, sk }: Row) => `${pk} ${sk}`;

/** By the keys of the rows. Every document changes its counter, which has none. */
export function rowHashes(items: readonly TransactItem[]): Record<string, string> {
  const rows = items.flatMap((item): Row[] => (item.Put?.Item ? [item.Put.Item] : []));
  const kept = rows.filter(({ sk }) => sk !== 'COUNTER');
  return Object.fromEntries(kept.map((row) => [rowName(row), rowSha256(row)]));
}
