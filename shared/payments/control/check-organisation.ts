import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { MINUTE_MS } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { automaticTopUpKey, billingKey, organisationKey } from '../../core/keys.ts';
import { AUTOMATIC, automaticTopUp, chargedIn, settingsOf } from '../automatic/automatic-top-up.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { party } from '../prices/billing.ts';
import type { ReadTrail } from './check-trail.ts';
import { type Findings, type MoneyRows, monthOf, sum } from './money-rows.ts';

interface OrganisationRows extends Pick<MoneyRows, 'wallet' | 'documents' | 'orders'> {
  readonly createdAt: string;
  /** Of services. Undefined if they were not read. */
  readonly prices: Readonly<Record<string, number>> | undefined;
  readonly billing: Row | undefined;
  /** Without the card. */
  readonly automatic: Row | undefined;
}

/** Compares what only the audit trail states of an organisation. */
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

function checkAutomatic(
  { wallet: { organisationId }, automatic: item, orders }: OrganisationRows,
  trail: ReadTrail,
  findings: Findings,
): void {
  const name = nameOf(automaticTopUpKey(organisationId));
  const parsed = v.safeParse(automaticTopUp, item);
  const row = parsed.success ? parsed.output : undefined;
  if (item && !row) findings.add('unreadable', name, 'a documented row', 'another row');
  if (row || !item)
    compareStated(trail, 'automatic top-up', row ? settingsOf(row) : NO_SETTINGS, name, findings);
  if (!row) return;
  const { thresholdCredits, credits, month = '' } = row;
  if (credits < thresholdCredits)
    findings.add('unreadable', name, `${thresholdCredits} credits or more`, `${credits} credits`);
  // Those that were not paid in a checkout.
  const charged = orders.filter((order) => isCharged(order) && monthOf(order.openedAt) >= month);
  const expected = sum(charged.map(({ totalKobo }) => totalKobo));
  if (chargedIn(row, month) < expected)
    findings.add('order', name, `${expected} kobo or more`, `${chargedIn(row, month)} kobo`);
}

function isCharged({ openedBy, method, checkoutUrl, failedAt, state }: TopUpOrder): boolean {
  const isPaid = state === 'CREDITED' || state === 'PAID' || state === 'REFUNDED';
  const isOfCard = openedBy === AUTOMATIC && method === 'PAYSTACK' && checkoutUrl === undefined;
  return isOfCard && isPaid && failedAt === undefined;
}

const isWhole = ({ completeFrom }: ReadTrail) => completeFrom === '';
const NO_SETTINGS = { state: undefined, monthlyCapKobo: undefined };

/** Compares values with the newest that the entries state, or with none if there would be an entry. */
function compareStated(
  trail: ReadTrail,
  target: string,
  found: Readonly<Record<string, unknown>>,
  row: { readonly at: string; readonly reference: string },
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

const QUOTED_WITHIN_MS = 5 * MINUTE_MS;

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
