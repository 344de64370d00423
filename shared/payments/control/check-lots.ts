import { sum } from '../../core/sum.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import type { Lot, Withdrawal } from '../lots/lot.ts';
import { type Findings, type MoneyRows, monthOf } from './money-rows.ts';

/** Each lot has one credit of its size, and each withdrawal a negative one. */
export function checkLots(rows: MoneyRows, findings: Findings): void {
  for (const lot of rows.lots) {
    const name = { at: lot.createdAt, reference: lot.id };
    findings.compare(
      'lot',
      name,
      {
        month: monthOf(lot.createdAt),
        remaining: lot.credits - sum(Object.values(lot.consumed)) - sum(lot.withdrawals.map(creditsOf)),
      },
      { month: lot.month, remaining: lot.remaining },
    );
    if (Object.values(lot.consumed).some((credits) => credits <= 0))
      findings.add('lot', name, 'consumed more than 0', JSON.stringify(lot.consumed));
    if (lot.remaining < 0) findings.add('lot', name, 'remaining 0 or more', `remaining ${lot.remaining}`);
    checkOrigin(lot, rows, findings);
  }
  checkWithdrawals(rows, findings);
  const lots = new Map(rows.lots.map((lot) => [lot.id, lot]));
  for (const credit of rows.credits.values()) checkCredit(credit, lots, findings);
}

const creditsOf = ({ credits }: Withdrawal) => credits;

function checkOrigin(lot: Lot, { credits, owners, wallet }: MoneyRows, findings: Findings): void {
  const { reference, createdAt, id, kind } = lot;
  const row = credits.get(reference);
  const name = { at: createdAt, reference };
  if (!row) {
    findings.add('lot', name, `a credit for the lot ${id}`, 'none');
    return;
  }
  findings.compare(
    'lot',
    name,
    { lot: id, credits: lot.credits, createdAt, month: lot.month },
    { lot: row.lot, credits: row.amount, createdAt: row.createdAt, month: row.month ?? lot.month },
  );
  if ((kind === 'correction') !== (row.kind === 'CORRECTION'))
    findings.add('lot', name, `a credit for a lot of kind ${kind}`, row.kind);
  if (row.kind === 'TOP_UP')
    findings.compare(
      'lot',
      name,
      { organisation: wallet.organisationId },
      { organisation: owners.get(reference) },
    );
  if (kind === 'paid') return;
  const { koboPerCredit, netKobo, vatKobo, vatBasisPoints, order, invoice } = lot;
  const unpaid = { koboPerCredit: 0, netKobo: 0, vatKobo: 0, vatBasisPoints: 0, order: undefined };
  findings.compare(
    'lot',
    { at: createdAt, reference: id },
    { ...unpaid, invoice: undefined },
    { koboPerCredit, netKobo, vatKobo, vatBasisPoints, order, invoice },
  );
}

/** A correction may be taken from several lots. */
function checkWithdrawals({ lots, credits }: MoneyRows, findings: Findings): void {
  const all = lots.flatMap((lot) => lot.withdrawals.map((one) => ({ ...one, lot })));
  for (const [reference, parts] of Map.groupBy(all, (one) => one.reference)) {
    const [first] = parts;
    if (!first) continue;
    const row = credits.get(reference);
    const name = { at: row?.createdAt ?? `${first.month}-01`, reference };
    const isRemoved = first.kind === 'removed';
    findings.compare(
      'lot',
      name,
      {
        credits: -sum(parts.map(creditsOf)),
        cause: isRemoved ? undefined : CAUSES[first.kind],
        lots: isRemoved ? undefined : first.lot.id,
        months: first.month,
        kinds: first.kind,
      },
      {
        credits: row?.amount,
        cause: row?.cause,
        lots: isRemoved ? undefined : row?.lot,
        months: row && unique([...parts.map(({ month }) => month), monthOf(row.createdAt)]),
        kinds: unique(parts.map(({ kind }) => kind)),
      },
    );
  }
}

const CAUSES = { refunded: 'refund', expired: 'expiry', removed: undefined } as const;
const unique = (texts: readonly string[]) => [...new Set(texts)].sort().join(' ');

/** A negative correction of an operator is taken from lots only when its month is closed. */
function checkCredit(row: Credit, lots: ReadonlyMap<string, Lot>, findings: Findings): void {
  const { reference, amount, cause, createdAt, lot: id = '' } = row;
  const lot = lots.get(id);
  const name = { at: createdAt, reference };
  if (amount > 0 && lot?.reference !== reference)
    findings.add('lot', name, `a lot of ${amount} credits`, lot ? `the lot of ${lot.reference}` : 'none');
  if (amount > 0 || cause === undefined) return;
  const parts = lot?.withdrawals.filter((one) => one.reference === reference) ?? [];
  if (parts.length !== 1)
    findings.add('lot', name, `a withdrawal of ${-amount} credits`, `${parts.length} withdrawals`);
}
