import { isAdmitted } from '../../accounts/organisation.ts';
import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import { accountingMonthOf } from '../../core/accounting-month.ts';
import { newOperationId } from '../../core/ids.ts';
import { inParallel } from '../../core/in-parallel.ts';
import type { Secret } from '../../core/secrets.ts';
import { automaticTopUpEvent, type StopReason } from '../../events/event.ts';
import type { SendEvents } from '../../events/event-bus.ts';
import { readBalance } from '../../ledger/read-balance.ts';
import type { TopUpDependencies } from '../dependencies.ts';
import { nextAskAt } from '../orders/judge-payment.ts';
import { newOrder } from '../orders/open-top-up.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { generatedReference } from '../orders/order-reference.ts';
import { quoteTopUp } from '../orders/quote-top-up.ts';
import { settleTopUp } from '../orders/settle-top-up.ts';
import type { SavedCard } from '../paystack/payment-provider.ts';
import type { AutomaticTable } from './automatic-table.ts';
import {
  AUTOMATIC,
  type AutomaticTopUp,
  chargedIn,
  decided,
  outcomeOf,
  stopped,
} from './automatic-top-up.ts';
import { openCard } from './seal-card.ts';

export interface AutomaticDependencies {
  readonly automatic: AutomaticTable;
  readonly topUps: TopUpDependencies;
  readonly organisations: Pick<OrganisationTable, 'getOrganisation'>;
  /** The card keys. */
  readonly keys: () => Promise<Secret>;
  readonly send: SendEvents;
}

const AT_ONCE = 8;
/** A charge takes at most two calls to Paystack, and the function times out after 50 s. */
const BEGIN_WITHIN_MS = 25_000;

/**
 * Charges saved cards whose wallets are low, once for each crossing of the threshold, and follows the charges in
 * progress. It may end at any time: the order is stored, in one transaction with the claim on the charge, before the
 * only call that charges the card, and is then settled like any other. Calls `onFailure` for each organisation that
 * failed, and continues.
 */
export async function topUpAutomatically(
  deps: AutomaticDependencies,
  onFailure: (error: unknown, organisationId: string) => void,
): Promise<void> {
  const { clock } = deps.topUps;
  const startMs = clock.nowMs();
  await inParallel(await deps.automatic.listAutomatic(), AT_ONCE, async (id) => {
    if (clock.nowMs() >= startMs + BEGIN_WITHIN_MS) return;
    await topUpIfLow(id, deps).catch((error: unknown) => onFailure(error, id));
  });
}

async function topUpIfLow(organisationId: string, deps: AutomaticDependencies): Promise<void> {
  const { automatic, organisations, topUps } = deps;
  const row = await automatic.getAutomatic(organisationId);
  if (row?.charging !== undefined) return follow(row, row.charging, deps);
  if (row?.state !== 'ON') return;
  if (row.paidBackAt !== undefined && row.paidBackAt > row.changedAt) return stop(row, 'paid_back', deps);
  const organisation = await organisations.getOrganisation(organisationId);
  if (!organisation || !isAdmitted(organisation.status, 'live')) return;
  const wallet = { env: 'live', organisationId } as const;
  const balance = await readBalance(wallet, organisation.walletShards, topUps.shards, topUps.clock);
  if (!balance || balance.available + balance.held >= row.thresholdCredits) return;
  const card = row.sealedCard && openCard(row.sealedCard, organisationId, await deps.keys());
  if (!card) return stop(row, 'unreadable', deps);
  const order = await orderOf(row, topUps);
  if (!order) return stop(row, 'not_sold', deps);
  await charge(row, card, order, deps);
}

/** Undefined if it cannot be sold. It is not stored. */
async function orderOf(row: AutomaticTopUp, topUps: TopUpDependencies): Promise<TopUpOrder | undefined> {
  const { organisationId, credits } = row;
  const quote = await quoteTopUp(organisationId, credits, topUps);
  if (quote.kind !== 'quoted') return undefined;
  const { buyer: _, ...price } = quote.price;
  const nowMs = topUps.clock.nowMs();
  const reference = generatedReference(newOperationId(nowMs));
  const request = { wallet: { env: 'live', organisationId }, credits, openedBy: AUTOMATIC } as const;
  const opened = newOrder(request, price, { reference, method: 'PAYSTACK' }, nowMs);
  return { ...opened, ...nextAskAt(opened, nowMs) };
}

async function charge(
  row: AutomaticTopUp,
  card: SavedCard,
  order: TopUpOrder,
  deps: AutomaticDependencies,
): Promise<void> {
  const { automatic, topUps } = deps;
  const { reference, totalKobo, env } = order;
  const month = accountingMonthOf(Date.parse(order.openedAt));
  const monthKobo = chargedIn(row, month) + totalKobo;
  if (monthKobo > row.monthlyCapKobo) return reachLimit(row, month, deps);
  const claimed = { ...row, month, monthKobo, charging: reference };
  // Another run was faster, or a member has changed the settings.
  if (!(await automatic.saveAutomatic(row, claimed, topUps.orders.openItems(order)))) return;
  const result = await topUps.providers[env].charge({ reference, totalKobo, card });
  if (result.kind === 'refused') {
    const failedAt = new Date(topUps.clock.nowMs()).toISOString();
    await topUps.orders.moveOrder(order, { ...order, state: 'FAILED', failedAt });
  } else if (result.kind === 'paused')
    await topUps.orders.moveOrder(order, { ...order, checkoutUrl: result.checkoutUrl });
  else await settleTopUp(env, reference, topUps);
  await follow({ ...claimed, version: row.version + 1 }, reference, deps);
}

/** Tells members the outcome of the charge, and ends it. The event is the same if a later run sends it again. */
async function follow(row: AutomaticTopUp, reference: string, deps: AutomaticDependencies): Promise<void> {
  const { topUps, automatic, send } = deps;
  const order = await topUps.orders.getOrder('live', reference);
  if (!order) throw new Error('The order of an automatic top-up is missing.');
  const outcome = outcomeOf(order, topUps.clock.nowMs());
  if (outcome === undefined) return;
  await send([automaticTopUpEvent(order, outcome)]);
  await automatic.saveAutomatic(row, decided(row, outcome, order));
}

async function stop(row: AutomaticTopUp, reason: StopReason, deps: AutomaticDependencies): Promise<void> {
  const { organisationId, credits, version } = row;
  await deps.send([
    automaticTopUpEvent({ organisationId, credits, reference: `${reason}/${version}` }, reason),
  ]);
  await deps.automatic.saveAutomatic(row, stopped(row, reason));
}

async function reachLimit(row: AutomaticTopUp, month: string, deps: AutomaticDependencies): Promise<void> {
  if (row.limitMonth === month) return;
  const { organisationId, credits, version } = row;
  await deps.send([automaticTopUpEvent({ organisationId, credits, reference: `limit/${version}` }, 'limit')]);
  await deps.automatic.saveAutomatic(row, { ...row, limitMonth: month });
}
