import { type ApiKey, isUsable } from '../../accounts/api-key.ts';
import type { KeyUsage } from '../../accounts/key-usage.ts';
import type { Organisation } from '../../accounts/organisation.ts';
import type { Alert } from '../../alerts/alert.ts';
import { dayPlus, daysBetween, lagosDay } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import type { Balance } from '../../ledger/rows/wallet.ts';
import type { Profile } from '../../members/rows.ts';
import { hasUnknownNumber } from '../../profiles/submit-profile.ts';
import { registriesView } from '../../registries/console/status-view.ts';
import type { RegistryHealth } from '../../registries/health/read-health.ts';
import type { UsageRow } from '../../usage/rows.ts';
import { type BalanceDay, walletUse } from '../../usage/run-out.ts';
import type { HomeStep, HomeView } from './views.ts';

const MOST_ALERTS = 3;
const DAYS_SHOWN = 15;

export interface HomeRows {
  readonly organisation: Organisation;
  readonly profile: Profile | undefined;
  readonly keys: readonly ApiKey[];
  /** By the hash of the key. */
  readonly usage: ReadonlyMap<string, KeyUsage>;
  readonly balances: Readonly<Record<Environment, Balance>>;
  /** The daily balances of the live wallet. */
  readonly days: readonly BalanceDay[];
  /** Of the live wallet, since `firstDayShown`. */
  readonly requests: readonly Pick<UsageRow, 'day' | 'requests'>[];
  /** Newest first. */
  readonly alerts: readonly Alert[];
  /** The health of the live providers. */
  readonly health: readonly RegistryHealth[];
}

/** Returns what the Home page shows. */
export function homeView(rows: HomeRows, nowMs: number): HomeView {
  const { balances, days, alerts, health } = rows;
  const walletOf = ({ available, held }: Balance) => ({ available, held });
  return {
    steps: stepsOf(rows, nowMs),
    wallets: { live: walletOf(balances.live), test: walletOf(balances.test) },
    ...walletUse(days, balances.live, nowMs),
    alerts: alerts
      .slice(0, MOST_ALERTS)
      .map(({ id, at, endedAt, title }) => ({ id, at: endedAt ?? at, title })),
    registries: registriesView(health),
    requests: requestsByDay(rows.requests, nowMs),
  };
}

/**
 * Returns the steps to the first live request, in order. A step that an operator has made unnecessary counts as done.
 */
function stepsOf(rows: HomeRows, nowMs: number): HomeView['steps'] {
  const { organisation, profile, keys, usage, balances } = rows;
  const isApproved = organisation.status === 'APPROVED';
  // With a key or in the playground. The playground charges test credits and uses no key.
  const hasSentRequest =
    [...usage.values()].some(({ usedAtMs }) => usedAtMs !== undefined) ||
    balances.test.credited > balances.test.available;
  const done: Readonly<Record<HomeStep, boolean>> = {
    // Without them, the first request would be rejected.
    'test-credits': hasSentRequest || balances.test.available > 0,
    'test-key': keys.some(({ env }) => env === 'test'),
    'first-request': hasSentRequest,
    profile: isApproved || (profile !== undefined && !hasUnknownNumber(profile)),
    submit: isApproved || profile?.submittedAt !== undefined,
    approval: isApproved,
    service: Object.keys(organisation.services).length > 0,
    // The step stays done after the credits are used.
    'top-up': balances.live.credited > 0 || balances.live.available > 0,
    'live-key': keys.some((key) => key.env === 'live' && isUsable(key, nowMs)),
  };
  return Object.entries(done).map(([id, isDone]) => ({ id: id as HomeStep, is_done: isDone }));
}

/** The first of the days (Africa/Lagos) that the page shows. */
export const firstDayShown = (nowMs: number) => dayPlus(lagosDay(nowMs), 1 - DAYS_SHOWN);

/** Returns the requests of all services and keys by day, today last. */
export function requestsByDay(
  rows: readonly Pick<UsageRow, 'day' | 'requests'>[],
  nowMs: number,
): HomeView['requests'] {
  return daysBetween(firstDayShown(nowMs), lagosDay(nowMs)).map((day) => {
    const ofDay = rows.filter((row) => row.day === day);
    return { day, count: ofDay.reduce((sum, { requests }) => sum + requests, 0) };
  });
}
