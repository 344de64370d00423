import type { AuditEntry } from '../../audit/audit-entry.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { bookingFacts, mismatchFacts, type TopUpOrder } from '../orders/order.ts';
import type { CreditPrice } from '../prices/price.ts';
import type { Refund } from '../refunds/refund.ts';
import type { Findings, MoneyRows } from './money-rows.ts';

/** Some months of an audit trail. */
export interface ReadTrail {
  readonly entries: readonly AuditEntry[];
  /** Whether the entries of an ISO time were read. */
  covers(at: string): boolean;
}

/** What a row and an audit entry state, which were written in one transaction. */
interface Recorded {
  readonly target: string;
  /** The entry has this attribute too. */
  readonly mark: (typeof MARKS)[number];
  readonly at: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Earlier versions did not record it. @default true */
  readonly isRequired?: boolean;
}

const MARKS = ['mismatchedAt', 'bookedAs', 'doneAt', 'koboPerCredit'] as const;
/** From this day on, each refund that is done has an entry. */
const REFUNDS_RECORDED_FROM = '2026-12-01';

/** No other row states how a refund was paid, or what a person decided, so the audit trail must. */
export function checkTrail(rows: MoneyRows, trail: ReadTrail, findings: Findings): void {
  const { env } = rows.wallet;
  const refunds = [...rows.refunds.values()].flat();
  const isOwn = ({ target }: AuditEntry) =>
    target.startsWith(`${env} order `) ||
    target.startsWith(PRICE) ||
    (target.startsWith(REFUND) && target.startsWith(`${REFUND}TEST-`) === (env === 'test'));
  const entries = trail.entries.filter(isOwn);
  const recorded = [...rows.orders.flatMap(ofOrder), ...refunds.flatMap(ofRefund)];
  compare([...recorded, ...rows.prices.organisation.map(ofPrice)], { ...trail, entries }, findings);
}

/** The stage's own. */
export function checkPrices(prices: readonly CreditPrice[], trail: ReadTrail, findings: Findings): void {
  // A request for a second person's approval has another target.
  const entries = trail.entries.filter(({ target }) => target.startsWith(PRICE));
  compare(prices.map(ofPrice), { ...trail, entries }, findings);
}

const PRICE = 'price from ';
const REFUND = 'refund of the credit note ';

function ofOrder(order: TopUpOrder): Recorded[] {
  const { env, reference, state, mismatchedAt: at, bookedReversal: booked } = order;
  const target = `${env} order ${reference}`;
  const recorded: Recorded[] = [];
  if (state === 'MISMATCH' && at !== undefined)
    recorded.push({ target, mark: 'mismatchedAt', at, facts: mismatchFacts(order) });
  if (booked) recorded.push({ target, mark: 'bookedAs', at: booked.at, facts: bookingFacts(booked) });
  return recorded;
}

/** Unless the customer had the money before. */
function ofRefund({ creditNote, doneAt, requestedAt, paidBackBy }: Refund): Recorded[] {
  if (doneAt === undefined || doneAt === requestedAt) return [];
  const isRequired = doneAt >= REFUNDS_RECORDED_FROM;
  const facts = { paidBackBy, doneAt };
  return [{ target: `${REFUND}${creditNote}`, mark: 'doneAt', at: doneAt, facts, isRequired }];
}

function ofPrice({ koboPerCredit, from, reason, createdAt }: CreditPrice): Recorded {
  const facts = { koboPerCredit, reason };
  return { target: `${PRICE}${from}`, mark: 'koboPerCredit', at: createdAt, facts };
}

function compare(recorded: readonly Recorded[], trail: ReadTrail, findings: Findings): void {
  const nameOf = (target: string, mark: string) => `${target} ${mark}`;
  const rows = new Map(recorded.map((one) => [nameOf(one.target, one.mark), one]));
  const known = new Set<string>();
  for (const { at, target, after = {} } of trail.entries)
    for (const mark of MARKS) {
      if (after[mark] === undefined) continue;
      known.add(nameOf(target, mark));
      const row = rows.get(nameOf(target, mark));
      // Earlier versions recorded fewer attributes.
      const names = Object.keys(row?.facts ?? {}).filter((name) => after[name] !== undefined);
      const textOf = (facts: Readonly<Record<string, unknown>>) =>
        canonicalJson(Object.fromEntries((row ? names : [mark]).map((name) => [name, facts[name]])));
      const found = row ? textOf(row.facts) : 'none';
      if (found !== textOf(after))
        findings.add('trail-money', { at, reference: target }, textOf(after), found);
    }
  for (const { target, mark, at, isRequired = true } of recorded)
    if (isRequired && trail.covers(at) && !known.has(nameOf(target, mark)))
      findings.add('trail-money', { at, reference: target }, 'an entry of the audit trail', 'none');
}
