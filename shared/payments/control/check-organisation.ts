import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { Row } from '../../core/database.ts';
import { automaticTopUpKey, billingKey, organisationKey } from '../../core/keys.ts';
import { sum } from '../../core/sum.ts';
import { dueOfAutomatic } from '../automatic/automatic-table.ts';
import {
  AUTOMATIC,
  type AutomaticTopUp,
  automaticTopUp,
  outcomeOf,
  settingsOf,
} from '../automatic/automatic-top-up.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { party } from '../prices/billing.ts';
import { QUOTED_WITHIN_MS } from './check-orders.ts';
import type { ReadTrail } from './check-trail.ts';
import { type Findings, type MoneyRows, monthOf, type RowName } from './money-rows.ts';

interface OrganisationRows extends Pick<MoneyRows, 'wallet' | 'documents' | 'orders' | 'refunds' | 'nowMs'> {
  readonly createdAt: string;
  /** Of services. Undefined if they were not read. */
  readonly prices: Readonly<Record<string, number>> | undefined;
  readonly billing: Row | undefined;
  /** Without the card. */
  readonly automatic: Row | undefined;
}

/** What only the audit trail states of one. */
export function checkOrganisation(rows: OrganisationRows, trail: ReadTrail, findings: Findings): void {
  // Both wallets share the other rows.
  if (rows.wallet.env === 'live') {
    checkCreation(rows, trail, findings);
    checkServicePrices(rows, trail, findings);
    checkAutomatic(rows, trail, findings);
  }
  checkBuyers(rows, trail, findings);
}

/** The transaction that created the organisation wrote an entry. */
function checkCreation(
  { wallet: { organisationId }, createdAt }: OrganisationRows,
  { entries, hashedFrom, completeFrom, covers }: ReadTrail,
  findings: Findings,
): void {
  const isStated = entries.some(
    ({ target, after }) => target === ORGANISATION && after?.['id'] === organisationId,
  );
  if (isStated || createdAt < hashedFrom || createdAt < completeFrom || !covers(createdAt)) return;
  const reference = nameOf(organisationKey(organisationId)).reference;
  findings.add('trail-money', { at: createdAt, reference }, 'an entry of the audit trail', 'none');
}

const ORGANISATION = 'organisation';
const MOST_CREDITS = 1_000_000;

function checkServicePrices(
  { wallet: { organisationId }, prices }: OrganisationRows,
  trail: ReadTrail,
  findings: Findings,
): void {
  if (!prices) return;
  const name = nameOf(organisationKey(organisationId));
  for (const [service, price] of Object.entries(prices))
    if (!Number.isInteger(price) || price < 1 || price > MOST_CREDITS)
      findings.add('unreadable', name, `a price of 1 or more credits for ${service}`, String(price));
  const set = Object.keys(prices).length > 0 ? prices : undefined;
  compareStated(trail, ORGANISATION, { prices: set }, name, findings);
}

function checkAutomatic(rows: OrganisationRows, trail: ReadTrail, findings: Findings): void {
  const { automatic: item } = rows;
  const { organisationId } = rows.wallet;
  const name = nameOf(automaticTopUpKey(organisationId));
  const parsed = v.safeParse(automaticTopUp, item);
  const row = parsed.success ? parsed.output : undefined;
  if (item && !row) findings.add('unreadable', name, 'a documented row', 'another row');
  const { changedAt, ...settings } = row ? settingsOf(row) : NO_SETTINGS;
  if (row || !item) compareStated(trail, 'automatic top-up', settings, name, findings);
  if (!row) return;
  // Earlier versions did not state it.
  const since = { ...trail, completeFrom: trail.completeFrom || '0' };
  compareStated(since, 'automatic top-up', { changedAt }, name, findings);
  const saved = trail.entries.find(
    ({ target, after }) => target === AUTOMATIC && after?.['changedAt'] === changedAt,
  );
  const { thresholdCredits, credits, state, stopReason, changedBy } = row;
  findings.compare('trail-money', name, { changedBy: saved?.actor ?? changedBy }, { changedBy });
  if (credits < thresholdCredits)
    findings.add('unreadable', name, `${thresholdCredits} credits or more`, `${credits} credits`);
  const { dueKey, dueSort } = dueOfAutomatic({ ...row, organisationId });
  findings.compare(
    'order',
    name,
    { organisationId, dueKey, dueSort, isStopped: String(state === 'STOPPED') },
    { ...item, isStopped: String(stopReason !== undefined) },
  );
  checkCharges(row, rows, name, findings);
  checkPaidBack(row, rows, trail, name, findings);
}

/** A charge that was not paid stops the next. In earlier versions, a key of that name opened orders, too. */
function checkCharges(
  row: AutomaticTopUp,
  { orders, nowMs }: OrganisationRows,
  name: RowName,
  findings: Findings,
): void {
  const { month, monthKobo = 0, charging, state, changedAt } = row;
  const all = orders.filter(({ openedBy, method }) => openedBy === AUTOMATIC && method === 'PAYSTACK');
  const charges = all.filter(({ checkoutUrl }) => checkoutUrl === undefined);
  const latest = charges
    .map(({ openedAt }) => monthOf(openedAt))
    .sort()
    .at(-1);
  const isLater = all.some(({ openedAt }) => monthOf(openedAt) === month) && String(month) > (latest ?? '');
  if (month !== latest && !isLater) findings.add('order', name, `charged in ${latest}`, String(month));
  const inMonth = (some: readonly TopUpOrder[]) =>
    sum(some.filter(({ openedAt }) => monthOf(openedAt) === month).map(({ totalKobo }) => totalKobo));
  // One that was declined does not count, and may be decided later.
  const least = inMonth(
    charges.filter(({ failedAt, state }) => failedAt === undefined && state !== 'FAILED'),
  );
  if (monthKobo < least || monthKobo > inMonth(all))
    findings.add('order', name, `${least} to ${inMonth(all)} kobo`, `${monthKobo} kobo`);
  const open = charges.find((order) => {
    const outcome = outcomeOf(order, nowMs);
    const isUnpaid = state === 'ON' && order.openedAt > changedAt && outcome !== 'charged';
    return isUnpaid || (order.state === 'OPENED' && outcome === undefined);
  });
  const expected = open?.reference ?? all.find(({ reference }) => reference === charging)?.reference;
  findings.compare('order', name, { charging: expected }, { charging });
}

/** Otherwise the card is charged after a refund or reversal, before a member has saved the settings again. */
function checkPaidBack(
  { changedAt, paidBackAt = '' }: AutomaticTopUp,
  { orders, refunds }: OrganisationRows,
  { hashedFrom }: ReadTrail,
  name: RowName,
  findings: Findings,
): void {
  const reversed = orders.map(({ reversedAt = '' }) => reversedAt);
  const times = [...reversed, ...[...refunds.values()].flat().map(({ requestedAt }) => requestedAt)];
  const latest = times.sort().at(-1) ?? '';
  if (latest > changedAt && latest >= hashedFrom && paidBackAt <= changedAt)
    findings.add('order', name, `paid back at ${latest}`, paidBackAt);
}

const isWhole = ({ completeFrom }: ReadTrail) => completeFrom === '';
const NO_SETTINGS = { state: undefined, monthlyCapKobo: undefined, changedAt: undefined };

/** Compares values with the newest that the entries state, or with none if there would be an entry. */
function compareStated(
  trail: ReadTrail,
  target: string,
  found: Readonly<Record<string, unknown>>,
  row: RowName,
  findings: Findings,
): void {
  const stated: Record<string, unknown> = {};
  for (const { target: of, at, after = {} } of byTime(trail.entries))
    if (of === target && at >= trail.completeFrom) Object.assign(stated, after);
  const names = Object.keys(found).filter((name) => isWhole(trail) || Object.hasOwn(stated, name));
  const textOf = (values: Readonly<Record<string, unknown>>) =>
    JSON.stringify(names.map((name) => values[name] ?? null));
  if (!isDeepStrictEqual(textOf(stated), textOf(found)))
    findings.add('trail-money', row, textOf(stated), textOf(found));
}

/** An invoice or statement names the buyer as the billing details were when it was issued. */
function checkBuyers(
  { wallet: { organisationId }, billing, documents }: OrganisationRows,
  trail: ReadTrail,
  findings: Findings,
): void {
  const current = v.safeParse(party, billing);
  if (!current.success) {
    const name = nameOf(billingKey(organisationId));
    if (billing) findings.add('unreadable', name, 'a documented row', 'another row');
    else if (documents.length > 0) findings.add('trail-money', name, 'billing details', 'none');
    return;
  }
  const changes = byTime(trail.entries).filter(({ target }) => target === 'billing details');
  for (const { number, issuedAt, kind, buyer } of documents) {
    if (kind === 'CREDIT_NOTE' || issuedAt < trail.completeFrom || issuedAt < trail.hashedFrom) continue;
    // Each change is undone that may be later than the document.
    let details: Readonly<Record<string, unknown>> = current.output;
    let possible = [details];
    for (const { at, before = {} } of changes.toReversed()) {
      const laterMs = Date.parse(at) - Date.parse(issuedAt);
      if (laterMs < -QUOTED_WITHIN_MS) break;
      details = { ...details, ...before };
      possible = laterMs > QUOTED_WITHIN_MS ? [details] : [...possible, details];
    }
    if (!possible.some((one) => isDeepStrictEqual({ ...one }, { ...buyer })))
      findings.add('trail-money', { at: issuedAt, reference: number }, 'the buyer of its time', 'another');
  }
}

const byTime = (entries: readonly AuditEntry[]) => entries.toSorted((a, b) => (a.at < b.at ? -1 : 1));
const nameOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }) => ({
  at: '',
  reference: `${pk} ${sk}`,
});
