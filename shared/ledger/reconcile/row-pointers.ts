import { decodeTime } from 'ulid';
import { type WalletId, walletName } from '../../core/keys.ts';
import type { Charge } from '../rows/charge.ts';
import { chargeFact, factText, logFact, logWithoutCharge, mustBeLogged } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import {
  type Difference,
  dayOf,
  difference,
  type ListedLogRow,
  type LogRow,
  operationSubject,
  type WalletsRow,
} from './rows.ts';

/** A row that names a charge row without matching it one to one. The charge row is looked up by its key. */
export interface RowPointer {
  readonly wallet: WalletId;
  /** The operation whose charge row is looked up. */
  readonly operationId: string;
  check(charge: Charge | undefined): Difference[];
}

/**
 * Returns the pointer of an idempotency row, or an empty list for any other row. The operation may have no charge row
 * if the function was killed before it placed a hold.
 */
export function idempotencyPointer(row: WalletsRow): RowPointer[] {
  if (row.sk !== 'IDEMPOTENCY') return [];
  const { wallet, operationId, requestId, replays } = row;
  const subject = operationSubject(row);
  const check = (charge: Charge | undefined): Difference[] => {
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
 * Returns the pointer of a log row. The log row of a replay names the charge that it repeats, and the log row of a
 * voided operation names its VOID row. By default, VOID rows that match log rows one to one are not looked up.
 */
export function logPointer(row: LogRow, looksUpAll = false): RowPointer[] {
  const { wallet, operationId, replayOf } = row;
  const subject = operationSubject(row);
  if (replayOf !== undefined) return [replayPointer(row, replayOf)];
  const log = logFact(row);
  if (mustBeLogged(log) && (log.credits > 0 || !looksUpAll)) return [];
  const check = (charge: Charge | undefined): Difference[] => {
    if (!charge) return [logWithoutCharge(log)];
    const expected = factText(chargeFact(charge, wallet));
    const found = factText(log);
    return found === expected ? [] : [difference('log-disagrees', wallet, subject, expected, found)];
  };
  return [{ wallet, operationId, check }];
}

/** Returns the pointer of a replay's log row, which names the charge that it repeats. */
export function replayPointer(
  row: Pick<LogRow, 'wallet' | 'operationId' | 'requestId' | 'creditsCharged'>,
  replayOf: string,
): RowPointer {
  const { wallet, creditsCharged } = row;
  const subject = operationSubject(row);
  // A missing charge row is a fault of the original request, not of the replay.
  const repeated = { day: dayOf(decodeTime(replayOf)), operationId: replayOf };
  const check = (charge: Charge | undefined): Difference[] => [
    ...(charge?.state === 'CHARGED'
      ? []
      : [difference('replay', wallet, charge ? subject : repeated, 'CHARGED', charge?.state ?? 'none')]),
    ...(creditsCharged === 0 ? [] : [difference('replay', wallet, subject, 0, creditsCharged)]),
  ];
  return { wallet, operationId: replayOf, check };
}

/**
 * Returns the pointer of a log row without a charge. It names the VOID row, which no index shows. A second log row of
 * the operation, with a different time, disagrees with the VOID row.
 */
export function unchargedPointer(row: ListedLogRow): RowPointer {
  const { wallet, operationId, requestedAt } = row;
  const log = logFact(row);
  const subject = operationSubject(row);
  const check = (charge: Charge | undefined): Difference[] => {
    if (!charge) return [logWithoutCharge(log)];
    const expected = `${factText(chargeFact(charge, wallet))} ${charge.requestedAt}`;
    const found = `${factText(log)} ${requestedAt}`;
    return found === expected ? [] : [difference('log-disagrees', wallet, subject, expected, found)];
  };
  return { wallet, operationId, check };
}

/** Looks up the charge rows that the pointers of one page name, wallet by wallet. */
export async function checkPointers(
  pointers: readonly RowPointer[],
  table: Pick<ReconcileTable, 'findCharges'>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  const byWallet = Map.groupBy(pointers, ({ wallet }) => walletName(wallet));
  for (const group of byWallet.values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ operationId }) => operationId);
    const charges = await table.findCharges(first.wallet, ids);
    const chargeOf = new Map(charges.map((charge) => [charge.operationId, charge]));
    for (const pointer of group) found.push(...pointer.check(chargeOf.get(pointer.operationId)));
  }
  return found;
}
