import type { Organisation } from '../../accounts/organisation.ts';
import { accountingMonthOf, lagosDay } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import type { Balance } from '../../ledger/rows/wallet.ts';
import type { Profile } from '../../members/rows.ts';
import { type BalanceDay, balanceDays, dailyUse, runsOutOn } from '../../usage/run-out.ts';
import { type AutomaticTopUp, chargedIn } from '../automatic/automatic-top-up.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { estimateLots } from '../lots/estimate-lots.ts';
import type { Lot } from '../lots/lot.ts';
import { orderNow, type TopUpOrder } from '../orders/order.ts';
import type { CardDetails } from '../paystack/payment-provider.ts';
import type { BillingDetails } from '../prices/billing.ts';
import { type CreditPrice, koboPerCreditAt, vatRateOn } from '../prices/price.ts';
import type { MoneySettings } from '../settings.ts';
import { billingView, invoiceView, lotView, topUpView } from './payment-views.ts';
import type { AutomaticTopUpView, PriceView, WalletView } from './views.ts';

const MOST_INVOICES = 10;
export const MOST_TOP_UPS = 10;

export interface WalletRows {
  readonly lots: readonly Lot[];
  /** Newest first. */
  readonly orders: readonly TopUpOrder[];
  /** Newest first. */
  readonly documents: readonly FinancialDocument[];
  readonly prices: { readonly stage: readonly CreditPrice[]; readonly organisation: readonly CreditPrice[] };
  readonly billing: BillingDetails | undefined;
  readonly profile: Profile | undefined;
  readonly automatic: AutomaticTopUp | undefined;
  readonly days: readonly BalanceDay[];
}

/** `money` is undefined if credits cannot be bought. */
interface WalletSettings {
  readonly money: MoneySettings | undefined;
  /** Of the stage. */
  readonly lowBalanceCredits: number;
}

/** What the Wallet page shows. */
export function walletView(
  env: Environment,
  organisation: Organisation,
  balance: Balance,
  rows: WalletRows,
  settings: WalletSettings,
  nowMs: number,
): WalletView {
  const { available, held } = balance;
  const today = lagosDay(nowMs);
  const days = balanceDays(rows.days, { day: today, balance: available + held });
  const used = dailyUse(days, today);
  return {
    env,
    available,
    held,
    days,
    daily_use: used,
    runs_out_on: runsOutOn(available, used, today),
    alert: alertView(organisation, settings),
    automatic: env === 'live' && rows.automatic ? automaticView(rows.automatic, nowMs) : null,
    price: settings.money ? priceView(rows.prices, settings.money, nowMs) : null,
    billing: rows.billing ? billingView(rows.billing) : null,
    suggested_billing: suggestedBilling(organisation, rows),
    lots: estimateLots(rows.lots, available + held)
      .filter(({ left }) => left > 0)
      .map(lotView),
    top_ups: rows.orders
      .slice(0, MOST_TOP_UPS)
      .map((order) => topUpView(settings.money ? orderNow(order, nowMs, settings.money) : order)),
    invoices: rows.documents.slice(0, MOST_INVOICES).map(invoiceView),
  };
}

function suggestedBilling(
  { name }: Organisation,
  { billing, profile }: WalletRows,
): WalletView['suggested_billing'] {
  if (billing || !profile) return null;
  const { address, taxNumber, billingContact } = profile;
  return billingView({ name, address, taxNumber, email: billingContact.email });
}

/** The organisation's threshold, or the stage's. */
export function alertView(
  { lowBalanceCredits }: Pick<Organisation, 'lowBalanceCredits'>,
  settings: Pick<WalletSettings, 'lowBalanceCredits'>,
): WalletView['alert'] {
  return {
    below: lowBalanceCredits ?? settings.lowBalanceCredits,
    is_default: lowBalanceCredits === undefined,
  };
}

/** Without the card. */
export function automaticView(row: AutomaticTopUp, nowMs: number): AutomaticTopUpView {
  return {
    state: row.state,
    stop_reason: row.stopReason ?? null,
    below: row.thresholdCredits,
    credits: row.credits,
    monthly_limit_kobo: row.monthlyCapKobo,
    charged_kobo: chargedIn(row, accountingMonthOf(nowMs)),
    card_order: row.cardOrder ?? null,
    card: row.cardDetails ? cardView(row.cardDetails) : null,
  };
}

function cardView({ lastFour: last_four, ...details }: CardDetails): AutomaticTopUpView['card'] {
  return { ...details, last_four };
}

/** Null if no price is set. */
function priceView(
  prices: WalletRows['prices'],
  { vat, leastCredits, mostCredits }: MoneySettings,
  nowMs: number,
): PriceView | null {
  const koboPerCredit = koboPerCreditAt(prices, new Date(nowMs).toISOString());
  if (koboPerCredit === undefined) return null;
  return {
    kobo_per_credit: koboPerCredit,
    vat_basis_points: vatRateOn(vat, lagosDay(nowMs)),
    least_credits: leastCredits,
    most_credits: mostCredits,
  };
}
