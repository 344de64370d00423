import { ACTION_TEXTS } from '../../audit/action-texts.ts';
import { personOf } from '../../audit/approval.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { rowName, rowSha256 } from '../../audit/row-hashes.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { HOUR_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { creditPk, orderOfPk, REFUND_PREFIX, type WalletId, walletOfPk } from '../../core/keys.ts';
import { bookingFacts, mismatchFacts, openingFacts, type TopUpOrder } from '../orders/order.ts';
import type { CreditPrice } from '../prices/price.ts';
import { type Refund, refundTarget } from '../refunds/refund.ts';
import type { Findings, MoneyRows } from './money-rows.ts';

/** Some months of an audit trail. */
export interface ReadTrail {
  readonly entries: readonly AuditEntry[];
  /** ISO time from which entries have hashes of rows. Earlier versions also recorded fewer facts. */
  readonly hashedFrom: string;
  /** ISO time since which all entries were read. Empty if all were. */
  readonly completeFrom: string;
  /** Epoch milliseconds from which each opening of an order has an entry. */
  readonly openedFromMs: number;
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

const MARKS = [
  ...(['openedAt', 'checkoutUrl', 'mismatchedAt', 'bookedAs', 'reversedAt', 'resolution'] as const),
  ...(['doneAt', 'koboPerCredit'] as const),
];

/** Each row is as the audit trail states. Only the trail states how a refund was paid, or what a person decided. */
export function checkTrail(rows: MoneyRows, trail: ReadTrail, findings: Findings): void {
  const { env } = rows.wallet;
  const refunds = [...rows.refunds.values()].flat();
  const isOwn = ({ target }: AuditEntry) =>
    target.startsWith(`${env} order `) ||
    target.startsWith(PRICE) ||
    (target.startsWith(REFUND) && target.startsWith(`${REFUND}TEST-`) === (env === 'test'));
  const entries = trail.entries.filter(isOwn);
  const isHashed = (at = '') => at >= trail.hashedFrom;
  const recorded = [
    ...rows.orders.flatMap((order) => ofOpening(order, trail.openedFromMs)),
    ...rows.orders.flatMap((order) => ofOrder(order, isHashed)),
    ...refunds.flatMap((refund) => ofRefund(refund, isHashed)),
  ];
  compare([...recorded, ...rows.prices.organisation.map(ofPrice)], { ...trail, entries }, findings);
  for (const { reference, creditedAt: at = '', reversedAt, problem } of rows.orders)
    if (isHashed(at) && problem !== undefined && reversedAt === undefined)
      findings.add('trail-money', { at, reference }, ENTRY, problem);
  compareRows(rows, trail, findings);
  // Both wallets share them.
  if (env === 'live') checkActions(trail, findings);
}

/** The stage's own. */
export function checkPrices(
  prices: readonly CreditPrice[],
  items: readonly Row[],
  trail: ReadTrail,
  findings: Findings,
): void {
  // A request for a second person's approval has another target.
  const entries = trail.entries.filter(({ target }) => target.startsWith(PRICE));
  compare(prices.map(ofPrice), { ...trail, entries }, findings);
  checkActions({ ...trail, entries }, findings);
  const rows = new Map(items.map((item) => [rowName(item), item]));
  compareHashes(rows, { ...trail, entries }, () => true, findings);
}

/** Only `approve` has an approval, of another person's request. */
function checkActions({ entries, hashedFrom }: ReadTrail, findings: Findings): void {
  for (const { at, target, actor, action, approval, after, rows } of entries) {
    if (at < hashedFrom || (!rows && !MARKS.some((mark) => after?.[mark] !== undefined))) continue;
    const isApproved = approval !== undefined && personOf(approval.requestedBy) !== personOf(actor);
    if (!Object.hasOwn(ACTION_TEXTS, action) || isApproved !== (action === 'approve'))
      findings.add('trail-money', { at, reference: target }, 'an action of the service', action);
  }
}

/** Earlier versions recorded none. */
export function firstOpeningMs(entries: readonly AuditEntry[]): number {
  const times = entries.map(({ after }) => Date.parse(String(after?.['openedAt'])));
  const known = times.filter((ms) => !Number.isNaN(ms));
  // Not as arguments: a wallet may have more entries than a call may have.
  return known.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
}

const ENTRY = 'an entry of the audit trail';
const PRICE = 'price from ';
const REFUND = refundTarget('');

function ofOrder(order: TopUpOrder, isHashed: (at?: string) => boolean): Recorded[] {
  const { env, reference, state, openedAt, bookedReversal: booked } = order;
  const { reversedAt, resolution, resolvedAt, resolvedBy } = order;
  const target = `${env} order ${reference}`;
  const recorded: Recorded[] = [];
  if (state === 'MISMATCH') {
    const { mismatchedAt } = order;
    recorded.push({
      target,
      mark: 'mismatchedAt',
      at: mismatchedAt ?? openedAt,
      facts: withProblem(order, mismatchFacts(order)),
      isRequired: mismatchedAt !== undefined || isHashed(openedAt),
    });
  }
  if (booked) recorded.push({ target, mark: 'bookedAs', at: booked.at, facts: bookingFacts(booked) });
  if (reversedAt !== undefined) {
    const facts = withProblem(order, { reversedAt });
    const isRequired = isHashed(reversedAt);
    recorded.push({ target, mark: 'reversedAt', at: reversedAt, facts, isRequired });
  }
  if (resolution !== undefined) {
    // Each of a later version has one of the first two.
    const at = resolvedAt ?? booked?.at ?? reversedAt ?? order.mismatchedAt ?? openedAt;
    const facts = { resolution, resolvedAt, resolvedBy };
    recorded.push({ target, mark: 'resolution', at, facts, isRequired: isHashed(at) });
  }
  return recorded;
}

/** Nobody opened an order of a transfer that was credited at once. */
function ofOpening(order: TopUpOrder, fromMs: number): Recorded[] {
  const { env, reference, openedAt: at, checkoutUrl, method, creditedAt } = order;
  const target = `${env} order ${reference}`;
  const { totalKobo, ...facts } = openingFacts(order);
  const isOpened = method === 'PAYSTACK' || creditedAt === undefined;
  const isRequired = isOpened && Date.parse(at) >= fromMs;
  const opening = { ...facts, ...(method === 'PAYSTACK' && { totalKobo }) };
  return [
    { target, mark: 'openedAt', at, facts: opening, isRequired },
    ...(checkoutUrl === undefined
      ? []
      : [{ target, mark: 'checkoutUrl', at, facts: { checkoutUrl }, isRequired } as const]),
  ];
}

/** The end of a problem removes it. */
const withProblem = ({ problem }: TopUpOrder, facts: Recorded['facts']) =>
  problem === undefined ? facts : { ...facts, problem };

/** Unless the customer had the money before. */
function ofRefund(refund: Refund, isHashed: (at?: string) => boolean): Recorded[] {
  const { creditNote, doneAt, requestedAt, paidBackBy, paidBackKobo, isPaidBack } = refund;
  if (doneAt === undefined) return [];
  // Earlier versions did not store it.
  if (doneAt === requestedAt && (isPaidBack || !isHashed(requestedAt))) return [];
  const facts = { paidBackBy, paidBackKobo, doneAt };
  return [
    { target: `${REFUND}${creditNote}`, mark: 'doneAt', at: doneAt, facts, isRequired: isHashed(doneAt) },
  ];
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
      findings.add('trail-money', { at, reference: target }, ENTRY, 'none');
}

/** The credits that the entries name, by reference. */
export function creditsIn({ entries }: ReadTrail, wallet: WalletId): string[] {
  const [first, last] = [creditPk(wallet, ''), ' CREDIT'];
  const names = entries.flatMap(({ rows = {} }) => Object.keys(rows));
  const own = names.filter((name) => name.startsWith(first) && name.endsWith(last));
  return own.map((name) => name.slice(first.length, -last.length));
}

/** Both wallets of an organisation share its trail, prices and billing details, which are compared with those of live. */
function compareRows({ wallet, items, refunds }: MoneyRows, trail: ReadTrail, findings: Findings): void {
  const { env } = wallet;
  const isOwn = (name: string) => {
    const [pk = '', sk = ''] = name.split(' ');
    const isUnread = sk.startsWith(REFUND_PREFIX) && !refunds.has(orderOfPk(pk).reference);
    return (walletOfPk(pk)?.env ?? 'live') === env && !isUnread;
  };
  compareHashes(items, trail, isOwn, findings);
}

/** The attribute with the time of a row, by the start of its sort key. That of a price is a time. */
const TIMES: Readonly<Record<string, string>> = {
  ...{ CREDIT: 'createdAt', REFERENCE: 'none', LOT: 'createdAt', DOCUMENT: 'issuedAt', ORDER: 'creditedAt' },
  ...{ REFUND: 'requestedAt', CLOSE: 'closedAt', BILLING: 'changedAt' },
};

function timeOf(item: Row): string | undefined {
  const [kind = ''] = /^[A-Z]+/.exec(String(item['sk'])) ?? [];
  const time = item[TIMES[kind] ?? 'createdAt'];
  return time === undefined ? undefined : String(time);
}

/** Each row is as the newest entry states, and since there are such entries, each row has one. */
function compareHashes(
  items: ReadonlyMap<string, Row>,
  { entries, hashedFrom, covers }: ReadTrail,
  isOwn: (name: string) => boolean,
  findings: Findings,
): void {
  const stated = new Map<string, { readonly at: string; readonly sha256: string }>();
  for (const { at, rows = {} } of entries)
    for (const [name, sha256] of Object.entries(rows))
      if (isOwn(name) && at >= (stated.get(name)?.at ?? '')) stated.set(name, { at, sha256 });
  for (const name of new Set([...stated.keys(), ...[...items.keys()].filter(isOwn)])) {
    const item = items.get(name);
    const entry = stated.get(name);
    const at = item && timeOf(item);
    // Its next entry is written when the month is closed again.
    if (item?.['state'] === 'CLOSING' && name.includes(' CLOSE#')) continue;
    // Later entries state the row again, in months that were not read.
    const isReplaced = /( BILLING| CLOSE#.*)$/.test(name) && isLater(at, entry?.at);
    if (entry && !isReplaced) {
      const found = item ? rowSha256(item) : 'none';
      if (found !== entry.sha256)
        findings.add('trail-money', { at: entry.at, reference: name }, entry.sha256, found);
    } else if (at !== undefined && at >= hashedFrom && covers(at))
      findings.add('trail-money', { at, reference: name }, ENTRY, 'none');
  }
}

function isLater(at = '', than = ''): boolean {
  return Date.parse(at) > Date.parse(than) + HOUR_MS;
}
