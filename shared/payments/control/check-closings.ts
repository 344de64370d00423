import { accountingMonthOf, monthBefore, monthEndMs } from '../../core/accounting-month.ts';
import { canonicalSha256 } from '../../core/canonical-json.ts';
import { sum } from '../../core/sum.ts';
import { statementOf } from '../documents/compose-documents.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import type { Lot } from '../lots/lot.ts';
import { type LotValue, valueInMonth } from '../lots/lot-value.ts';
import type { Closing, LotUse, MonthFigures } from '../months/closing.ts';
import type { ReadTrail } from './check-trail.ts';
import { dayOfMonth, type Findings, type MoneyRows, withdrawn } from './money-rows.ts';

/**
 * A closed month begins with the balance of the month before, and its figures follow from the lots. The charges are not
 * read: `recomputeMonth` does that.
 */
export function checkClosings(rows: MoneyRows, findings: Findings): void {
  const closings = new Map(rows.closings.map((closing) => [closing.month, closing]));
  for (const closing of rows.closings) {
    checkState(closing, closings, rows, findings);
    if (closing.state !== 'CLOSED') continue;
    const { figures } = closing;
    if (!figures) findings.add('closing', nameOf(closing), 'figures', 'none');
    else {
      checkCredits(closing, figures, closings.get(monthBefore(closing.month)), findings);
      checkLots(closing, figures, rows.lots, findings);
      checkValue(closing, figures, rows.lots, findings);
      checkStatement(closing, figures, rows, findings);
    }
  }
  checkUsedMonths(rows, closings, findings);
}

const nameOf = ({ month }: Pick<Closing, 'month'>) => ({
  at: dayOfMonth(month),
  reference: month,
});

const STATES = ['REOPENED', 'CLOSING', 'CLOSED'] as const;

/** The version counts the states, which take turns. Months are closed in order. */
function checkState(
  closing: Closing,
  closings: ReadonlyMap<string, Closing>,
  { lots, nowMs }: MoneyRows,
  findings: Findings,
): void {
  const { month, state, version, startedAt } = closing;
  const expected = STATES[version % STATES.length];
  if (state !== expected) findings.add('closing', nameOf(closing), expected ?? '', state);
  if (accountingMonthOf(Math.min(Date.parse(startedAt), nowMs)) <= month)
    findings.add('closing', nameOf(closing), `begun after ${month}`, startedAt);
  if (closing.closedAt !== undefined && state === 'CLOSED' && closing.closedAt < startedAt)
    findings.add('closing', nameOf(closing), `closed after ${startedAt}`, closing.closedAt);
  if (state === 'REOPENED') return;
  const before = closings.get(monthBefore(month));
  const isFirst = !lots.some((lot) => lot.month < month) && ![...closings.keys()].some((one) => one < month);
  if (!isFirst && before?.state !== 'CLOSED')
    findings.add('closing', nameOf(closing), `${monthBefore(month)} CLOSED`, before?.state ?? 'no closing');
}

/** The version counts how often the month was reopened, which a second person approves. The trail states each time. */
export function checkReopened(
  { wallet, closings }: MoneyRows,
  { entries, completeFrom }: ReadTrail,
  findings: Findings,
): void {
  for (const { month, version } of closings) {
    if (new Date(monthEndMs(month)).toISOString() < completeFrom) continue;
    const target = `month ${month} of the ${wallet.env} wallet`;
    const timesIn = (state: string) => {
      const stated = entries.filter((one) => one.target === target && one.after?.['state'] === state);
      // An entry near the border of two months is read twice.
      return new Set(stated.map(({ id }) => id)).size;
    };
    const [expected, found] = [Math.floor(version / STATES.length), timesIn('REOPENED')];
    if (found !== expected)
      findings.add('closing', nameOf({ month }), `reopened ${expected} times`, `${found} times in the trail`);
    const [closed, stated] = [Math.floor((version + 1) / STATES.length), timesIn('CLOSED')];
    // Earlier versions did not state it.
    if (stated > closed)
      findings.add('closing', nameOf({ month }), `closed ${closed} times`, `${stated} times in the trail`);
  }
}

function checkCredits(
  closing: Closing,
  { credits, services, lines }: MonthFigures,
  previous: Closing | undefined,
  findings: Findings,
): void {
  const { opening, toppedUp, corrected, charged } = credits;
  const total = (of: (one: MonthFigures['services'][number]) => number) => sum(services.map(of));
  findings.compare(
    'closing',
    nameOf(closing),
    {
      opening: previous?.figures?.credits.closing ?? 0,
      closing: opening + toppedUp + corrected - charged,
      charged: total((one) => one.credits),
    },
    { opening, closing: credits.closing, charged },
  );
  const requests = total((one) => one.requests);
  if (lines < requests)
    findings.add('closing', nameOf(closing), `${requests} lines or more`, `${lines} lines`);
}

/** What a lot itself says about the month. */
function useOf(lot: Lot, month: string): LotUse {
  const isEarlier = (other: string) => other < month;
  const used = Object.entries(lot.consumed).map(([other, credits]) => (isEarlier(other) ? credits : 0));
  const isWritten = lot.month <= month;
  const opening = isWritten ? lot.credits - sum(used) - withdrawn(lot, (one) => isEarlier(one.month)) : 0;
  const consumed = lot.consumed[month] ?? 0;
  const refunded = withdrawn(lot, (one) => one.month === month && one.kind === 'refunded');
  const expired = withdrawn(lot, (one) => one.month === month && one.kind !== 'refunded');
  const { id, kind, koboPerCredit } = lot;
  const closing = opening - consumed - refunded - expired;
  return { lot: id, kind, koboPerCredit, opening, consumed, refunded, expired, closing };
}

const hasMoved = ({ consumed, refunded, expired }: LotUse) => consumed + refunded + expired > 0;

function checkLots(closing: Closing, figures: MonthFigures, lots: readonly Lot[], findings: Findings): void {
  const uses = lots.map((lot) => useOf(lot, closing.month)).filter((use) => use.opening > 0 || hasMoved(use));
  const stated = figures.lots ? canonicalSha256(figures.lots) : figures.lotsSha256;
  findings.compare('closing', nameOf(closing), { lots: canonicalSha256(uses) }, { lots: stated });
}

function checkValue(closing: Closing, figures: MonthFigures, lots: readonly Lot[], findings: Findings): void {
  const { month } = closing;
  const uses = lots.map((lot) => useOf(lot, month));
  const values = lots.map((lot) => valueInMonth(lot, month, useOf(lot, month)));
  const total = (of: (use: LotUse) => number) => sum(uses.map(of));
  const worth = (of: (worthOf: LotValue) => number) => sum(values.map(of));
  const added = lots.filter((lot) => lot.month === month);
  const earnedKobo = worth((one) => one.earnedKobo);
  const { value, credits, services } = figures;
  findings.compare(
    'closing',
    nameOf(closing),
    {
      paidKobo: sum(added.map(({ netKobo }) => netKobo)),
      earnedKobo,
      refundedKobo: worth((one) => one.refundedKobo),
      expiredKobo: worth((one) => one.expiredKobo),
      deferredKobo: worth((one) => one.deferredKobo),
      closing: total((use) => use.closing),
      charged: total((use) => use.consumed),
      ofServices: earnedKobo,
    },
    {
      ...value,
      closing: credits.closing,
      charged: credits.charged,
      ofServices: sum(services.map((one) => one.earnedKobo)),
    },
  );
}

/** The last statement of a month, unless it was reopened since. */
function checkStatement(
  closing: Closing,
  figures: MonthFigures,
  { documents, lots, wallet }: MoneyRows,
  findings: Findings,
): void {
  const { month } = closing;
  const ofMonth = documents.filter(({ statement }) => statement?.month === month);
  const [last, before] = ofMonth.toSorted((a, b) => (a.issuedAt < b.issuedAt ? 1 : -1));
  // Earlier versions did not store it.
  const replaces = last?.replaces === undefined ? undefined : before?.number;
  findings.compare(
    'closing',
    nameOf(closing),
    { statement: last?.number, replaces },
    { statement: closing.statement, replaces: last?.replaces },
  );
  if (!last) return;
  const facts = ({ lines, totalKobo, statement, issuedAt }: FinancialDocument) => ({
    totalKobo,
    issuedAt,
    lines: JSON.stringify(
      lines.map((line) => [line.quantity, line.unitKobo, line.netKobo, line.vatBasisPoints, line.vatKobo]),
    ),
    summary: JSON.stringify(statement),
  });
  const again = statementOf({ ...last, issuedAt: closing.closedAt ?? '' }, { wallet, month, figures, lots });
  findings.compare('closing', nameOf(closing), facts(again), facts(last));
}

/** A month that used a lot has a closing. */
function checkUsedMonths(
  { lots }: MoneyRows,
  closings: ReadonlyMap<string, Closing>,
  findings: Findings,
): void {
  const used = lots.flatMap(({ consumed, withdrawals }) => [
    ...Object.keys(consumed),
    ...withdrawals.filter(({ kind }) => kind === 'removed').map(({ month }) => month),
  ]);
  for (const month of new Set(used))
    if (!closings.has(month)) findings.add('closing', nameOf({ month }), 'a closing', 'none');
}
