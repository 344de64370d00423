import { decodeTime } from 'ulid';
import { type WalletId, walletName } from '../../core/keys.ts';
import type { Charge } from '../rows/charge.ts';
import { type Difference, dayOf, difference } from './difference.ts';
import { chargeFact, logFact, logWithoutCharge, mustBeLogged, tellable } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import { type LogRow, operationSubject, type WalletsRow } from './rows.ts';

/** The few rows that point to a charge row and are not matched one to one with it: each is looked up by its key. */
export interface RowPointer {
  readonly wallet: WalletId;
  /** The operation whose charge row is meant. */
  readonly operationId: string;
  check(charge: Charge | undefined): Difference[];
}

/** An idempotency row may name an operation that nobody decided: it was killed before it held anything. */
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

/** A replay's log row names the charge that it repeats; that of an operation that was given up names its VOID row. */
export function logPointer(row: LogRow): RowPointer[] {
  const { wallet, operationId, replayOf, creditsCharged } = row;
  const subject = operationSubject(row);
  if (replayOf !== undefined) {
    // Where there is no charge row, what is wrong is the request that was repeated, not the one that repeats it.
    const repeated = { day: dayOf(decodeTime(replayOf)), operationId: replayOf };
    const check = (charge: Charge | undefined): Difference[] => [
      ...(charge?.state === 'CHARGED'
        ? []
        : [difference('replay', wallet, charge ? subject : repeated, 'CHARGED', charge?.state ?? 'none')]),
      ...(creditsCharged === 0 ? [] : [difference('replay', wallet, subject, 0, creditsCharged)]),
    ];
    return [{ wallet, operationId: replayOf, check }];
  }
  const log = logFact(row);
  if (mustBeLogged(log)) return [];
  const check = (charge: Charge | undefined): Difference[] => {
    if (!charge) return [logWithoutCharge(log)];
    const told = tellable(chargeFact(charge, wallet));
    return told === tellable(log) ? [] : [difference('log-disagrees', wallet, subject, told, tellable(log))];
  };
  return [{ wallet, operationId, check }];
}

/** Looks up what the pointers of one page name, wallet by wallet. */
export async function checkPointers(
  pointers: readonly RowPointer[],
  totals: Pick<ReconcileTable, 'findCharges'>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  const byWallet = Map.groupBy(pointers, ({ wallet }) => walletName(wallet));
  for (const group of byWallet.values()) {
    const [first] = group;
    if (!first) continue;
    const ids = group.map(({ operationId }) => operationId);
    const charges = await totals.findCharges(first.wallet, ids);
    const chargeOf = new Map(charges.map((charge) => [charge.operationId, charge]));
    for (const pointer of group) found.push(...pointer.check(chargeOf.get(pointer.operationId)));
  }
  return found;
}
