import { accountingMonthOf } from '../../../shared/core/accounting-month.ts';
import { sortByTime } from '../../../shared/core/keys.ts';
import type { StatementEntry } from '../../../shared/ledger/statement/statement.ts';
import { MonthConsumption, type MonthUse } from '../../../shared/payments/lots/consume-lots.ts';
import type { Lot } from '../../../shared/payments/lots/lot.ts';

/** Invented lots and statement lines, and how the lines use the lots. A day without a month is in November 2026. */

export const MONTH = '2026-11';

/** Returns the ISO time of noon in Lagos on a day of November 2026. */
export function noonOf(day: number): string {
  return `2026-11-${String(day).padStart(2, '0')}T11:00:00.000Z`;
}

/** Returns a lot. It is paid at 100 kobo per credit unless its kind says otherwise. */
export function inventedLot(id: string, at: number | string, changes: Partial<Lot> = {}): Lot {
  const createdAt = typeof at === 'number' ? noonOf(at) : at;
  const { kind = 'paid', credits = 10 } = changes;
  const { koboPerCredit = kind === 'paid' ? 100 : 0 } = changes;
  return {
    id,
    kind,
    credits,
    koboPerCredit,
    netKobo: credits * koboPerCredit,
    vatKobo: 0,
    vatBasisPoints: 0,
    reference: `credit-${id}`,
    createdAt,
    month: accountingMonthOf(Date.parse(createdAt)),
    consumed: {},
    withdrawals: [],
    remaining: credits,
    ...changes,
  };
}

export function inventedCharge(at: number | string, credits = 1, service = 'nin-basic'): StatementEntry {
  const createdAt = typeof at === 'number' ? noonOf(at) : at;
  const id = `OPERATION-${createdAt}-${service}-${credits}`;
  const debit = { requestId: 'req_000000000000', service, keyLabel: 'server', provider: '' };
  return { sort: sortByTime(createdAt, id), createdAt, id, amount: -credits, debit };
}

/** Returns a credit line with this reference. */
export function inventedCredit(
  at: number | string,
  reference: string,
  amount: number,
  changes: Partial<NonNullable<StatementEntry['credit']>> = {},
): StatementEntry {
  const createdAt = typeof at === 'number' ? noonOf(at) : at;
  const credit = {
    kind: amount > 0 ? 'TOP_UP' : 'CORRECTION',
    reason: '',
    actor: 'ada',
    effectiveAt: createdAt,
    ...changes,
  };
  return { sort: sortByTime(createdAt, reference), createdAt, id: reference, amount, credit };
}

/** Returns how a month used its lots. `lines` are its credits and charges, in the order of the statement. */
export function consumeLots(input: {
  readonly month: string;
  readonly lots: readonly Lot[];
  readonly lines: Iterable<StatementEntry>;
  /** The balance at the start of the month, in credits. */
  readonly opening: number;
}): MonthUse {
  const month = new MonthConsumption(input.month, input.lots, input.opening);
  for (const line of input.lines) month.add(line);
  return month.end();
}
