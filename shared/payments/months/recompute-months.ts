import { monthBefore } from '../../core/accounting-month.ts';
import { canonicalSha256 } from '../../core/canonical-json.ts';
import type { WalletId } from '../../core/keys.ts';
import type {
  ClosedMonthFacts,
  ClosedMonthSource,
  MonthRange,
} from '../../ledger/reconcile/closed-months.ts';
import type { StatementScope } from '../../ledger/statement/read-statement.ts';
import { bookingGaps } from '../lots/consume-lots.ts';
import { type LotReads, useOfMonth } from '../lots/lot-positions.ts';
import type { Closing, MonthFigures } from './closing.ts';
import type { ClosingTable } from './closing-table.ts';

/** For the reconciliation. Writes nothing. */
export function closedMonthSource(
  closings: Pick<ClosingTable, 'listClosings' | 'latestClosings'>,
  { lots: table, statement }: Pick<LotReads, 'lots' | 'statement'>,
): ClosedMonthSource {
  return {
    async listClosedMonths(wallet: WalletId, range?: MonthRange) {
      if (!range) return (await closings.listClosings(wallet)).flatMap(factsOf);
      const rows: Closing[] = [];
      for await (const row of closings.latestClosings(wallet, range.to)) {
        if (row.month < range.from) break;
        rows.push(row);
      }
      return rows.flatMap(factsOf);
    },
    async recomputeMonth(scope: StatementScope, month: string) {
      const { closing, previous } = await readClosing(scope.wallet, month, closings);
      const lots = await table.listLots(scope.wallet);
      const opening = previous?.figures?.credits.closing ?? 0;
      const use = await useOfMonth(scope, month, { lots, opening }, statement);
      const { closing: after } = await readClosing(scope.wallet, month, closings);
      // The month was reopened meanwhile.
      if (closing?.state !== 'CLOSED' || !closing.figures || after?.version !== closing.version)
        return undefined;
      return {
        lateCredits: bookingGaps(month, lots, use).withoutLot,
        expected: figuresText(closing.figures),
        found: figuresText(
          closing.figures.linesXor === undefined ? { ...use.figures, linesXor: undefined } : use.figures,
        ),
      };
    },
  };
}

async function readClosing(wallet: WalletId, month: string, closings: Pick<ClosingTable, 'latestClosings'>) {
  const rows: Closing[] = [];
  for await (const row of closings.latestClosings(wallet, month)) if (rows.push(row) === 2) break;
  const rowOf = (wanted: string) => rows.find((row) => row.month === wanted);
  return { closing: rowOf(month), previous: rowOf(monthBefore(month)) };
}

function factsOf({ month, state, startedAt, figures }: Closing): ClosedMonthFacts[] {
  if (state !== 'CLOSED' || !figures) return [];
  const { toppedUp, corrected, charged } = figures.credits;
  const { lines, linesXor } = figures;
  const tally = { toppedUp, corrected, charged, lines, linesXor };
  return [{ month, startedAt, ...tally, figures: figuresText(figures) }];
}

function figuresText(figures: MonthFigures): string {
  const { value, lines, credits, lots, ...rest } = figures;
  const lotsSha256 = lots ? canonicalSha256(lots) : figures.lotsSha256;
  const hash = canonicalSha256({ ...rest, value, lines, credits, lotsSha256 }).slice(0, 12);
  return `${lines} lines, closing ${credits.closing}, earned ${value.earnedKobo} kobo, deferred ${value.deferredKobo} kobo, hash ${hash}`;
}
