import { decodeTime } from 'ulid';
import { type WalletId, walletName } from '../../core/keys.ts';
import { chargeFact, compareFacts, logFact } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import {
  type ChargeRow,
  type Difference,
  dayOf,
  difference,
  type LogRow,
  operationSubject,
  readWalletsRow,
  type WalletsRow,
} from './rows.ts';

/** A row that names a charge row without being compared with it in a sum. The charge row is looked up by its key. */
export interface RowPointer {
  readonly wallet: WalletId;
  /** The operation whose charge row is looked up. */
  readonly operationId: string;
  check(charge: ChargeRow | undefined): Difference[];
}

/**
 * Returns the pointer of an idempotency row, or an empty list for any other row. The operation may have no charge row
 * if the function was killed before it placed a hold.
 */
export function idempotencyPointer(row: WalletsRow): RowPointer[] {
  if (row.sk !== 'IDEMPOTENCY') return [];
  const { wallet, operationId, requestId, replays } = row;
  const subject = operationSubject(row);
  const check = (charge: ChargeRow | undefined): Difference[] => {
    if (charge && charge.requestId !== requestId)
      return [difference('idempotency', wallet, subject, charge.requestId, requestId)];
    const isReplayed = replays !== undefined && replays.size > 0;
    return isReplayed && charge?.state !== 'CHARGED'
      ? [difference('replay', wallet, subject, 'CHARGED', charge?.state ?? 'none')]
      : [];
  };
  return [{ wallet, operationId, check }];
}

/**
 * Returns the pointer of a log row that was not charged. The log row of a replay names the charge that it repeats, and
 * any other names its VOID row, which no index shows.
 */
export function logPointer(row: LogRow): RowPointer[] {
  const { wallet, operationId, replayOf, creditsCharged } = row;
  if (replayOf !== undefined) return [replayPointer(row, replayOf)];
  if (creditsCharged > 0) return [];
  const check = (charge: ChargeRow | undefined) => compareFacts(charge && chargeFact(charge), logFact(row));
  return [{ wallet, operationId, check }];
}

function replayPointer(row: LogRow, replayOf: string): RowPointer {
  const { wallet, creditsCharged } = row;
  const subject = operationSubject(row);
  // A missing charge row is a fault of the original request, not of the replay.
  const repeated = { day: dayOf(decodeTime(replayOf)), operationId: replayOf };
  const check = (charge: ChargeRow | undefined): Difference[] => [
    ...(charge?.state === 'CHARGED'
      ? []
      : [difference('replay', wallet, charge ? subject : repeated, 'CHARGED', charge?.state ?? 'none')]),
    ...(creditsCharged === 0 ? [] : [difference('replay', wallet, subject, 0, creditsCharged)]),
  ];
  return { wallet, operationId: replayOf, check };
}

/** Looks up the charge rows that the pointers of one page name, wallet by wallet. */
export async function checkPointers(
  pointers: readonly RowPointer[],
  table: Pick<ReconcileTable, 'chargeItems'>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  const byWallet = Map.groupBy(pointers, ({ wallet }) => walletName(wallet));
  for (const group of byWallet.values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ operationId }) => operationId);
    const charges = await findCharges(table, first.wallet, ids);
    const chargeOf = new Map(charges.map((charge) => [charge.operationId, charge]));
    for (const pointer of group) found.push(...pointer.check(chargeOf.get(pointer.operationId)));
  }
  return found;
}

/** Returns the charge rows of these operations, without those that are missing or unreadable. */
export async function findCharges(
  table: Pick<ReconcileTable, 'chargeItems'>,
  wallet: WalletId,
  operationIds: readonly string[],
): Promise<ChargeRow[]> {
  const rows = (await table.chargeItems(wallet, operationIds)).flatMap((item) => readWalletsRow(item) ?? []);
  return rows.filter((row) => row.sk === 'CHARGE');
}
