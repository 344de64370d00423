import { dayPlus, daysBetween } from '../../core/accounting-month.ts';
import type { Clock } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { HOLD_LIFE_MS, operationIdOf } from '../rows/wallet.ts';
import type { CheckedDay } from './check-day.ts';
import { checkMonths, loadClosedMonths } from './check-months.ts';
import type { ReconciledWallet } from './money.ts';
import { findCharges } from './row-pointers.ts';
import { type Difference, dayOf, operationTimeMs } from './rows.ts';
import {
  differingDays,
  newHead,
  rowsOf,
  SEALED_AFTER_DAYS,
  type Seal,
  type SealHead,
  totalAfter,
} from './seal.ts';
import { checkHead, compareSeals, verifyDays } from './verify-days.ts';
import { firstDayOf, WalletCheck, type WalletSettings, type WalletSource } from './wallet-check.ts';
import { type WalletReading, WalletTotals } from './wallet-totals.ts';

/** An index may show a new row this much later. */
const INDEX_DELAY_MS = 5_000;

interface WalletResult {
  /** False if time was up, or if another invocation checks the wallet. The next one continues. */
  readonly isComplete: boolean;
  readonly differences: readonly Difference[];
  /** Number of rows read. */
  readonly rows: number;
}

/**
 * Seals the days that ended long enough ago, compares the balance with the sealed totals and the open days, and reads
 * some sealed days again.
 */
export async function checkWallet(
  scope: ReconciledWallet,
  head: SealHead | undefined,
  deps: { readonly source: WalletSource; readonly settings: WalletSettings; readonly clock: Clock },
): Promise<WalletResult> {
  const check = new WalletCheck(scope, head ?? newHead(dayPlus(firstDayOf(scope), -1)), deps);
  const isOwn = await checkHead(check);
  await loadClosedMonths(check);
  const isComplete =
    isOwn &&
    (await sealDays(check)) &&
    (await checkOpenDays(check)) &&
    (await verifyDays(check)) &&
    (await checkMoney(check)) &&
    (await check.store({ ...check.head, run: deps.settings.run }));
  return { isComplete, differences: check.found, rows: check.rows };
}

/** Checks one wallet from its rows alone, and then compares them with the stored seals. Writes nothing. */
export async function checkWholeWallet(
  scope: ReconciledWallet,
  deps: { readonly source: WalletSource; readonly settings: WalletSettings; readonly clock: Clock },
): Promise<Difference[]> {
  const computed = computedSeals();
  const source = { ...deps.source, seals: computed };
  const head = newHead(dayPlus(firstDayOf(scope), -1));
  const check = new WalletCheck(scope, head, { ...deps, source });
  await loadClosedMonths(check);
  await sealDays(check);
  await checkOpenDays(check);
  await checkMoney(check);
  const stored = new WalletCheck(check.scope, head, deps);
  await compareSeals(stored, computed.days);
  return [...check.found, ...stored.found];
}

function computedSeals() {
  const days = new Map<string, Seal>();
  return {
    days,
    getHeads: async () => [],
    getSeal: async (_: WalletId, day: string) => days.get(day),
    async *seals(_: WalletId, first: string, last: string) {
      for (const row of days.values()) if (row.day >= first && row.day <= last) yield row;
    },
    async putSeal(_: WalletId, row: Seal) {
      days.set(row.day, row);
      return true;
    },
    putHead: async () => true,
  };
}

/**
 * Up to the first day that may have an open hold. Returns false if time is up, or if another invocation seals.
 */
async function sealDays(check: WalletCheck): Promise<boolean> {
  const { source, clock } = check;
  const last = dayPlus(dayOf(clock.nowMs()), -SEALED_AFTER_DAYS);
  if (check.head.sealedUntil >= last) return true;
  const { wallet, shards } = check.scope;
  const held = oldestHold(await source.readShards(wallet, shards));
  for (const day of daysBetween(dayPlus(check.head.sealedUntil, 1), last)) {
    // A log row of this day may still be written when the hold is settled.
    if (held !== undefined && day >= held) return true;
    if (check.isOverTime) return false;
    const checked = await check.lookTwice(() => check.checkDay(day));
    check.found.push(...checked.differences);
    if (!(await seal(check, checked))) return false;
  }
  return true;
}

function oldestHold({ shards }: WalletReading): string | undefined {
  const holds = shards.flatMap((shard) => Object.values(shard.holds));
  const [oldest] = holds.map(({ expiresAtMs }) => dayOf(expiresAtMs - HOLD_LIFE_MS)).sort();
  return oldest;
}

function seal(check: WalletCheck, { day, sums, differences }: CheckedDay): Promise<boolean> {
  const { head, clock } = check;
  const total = totalAfter(head.total, sums);
  const sealedAt = new Date(clock.nowMs()).toISOString();
  const row: Seal = { day, ...sums, total, differences: differences.length, sealedAt };
  const differing = differences.length > 0 ? differingDays([...head.differing, day]) : head.differing;
  return check.store({ ...head, sealedUntil: day, total, lastRows: rowsOf(sums), differing }, row);
}

async function checkOpenDays(check: WalletCheck): Promise<boolean> {
  const looked = await check.lookTwice((isSecond) => lookAtOpenDays(check, isSecond ? INDEX_DELAY_MS : 0));
  check.found.push(...looked.differences);
  check.head = { ...check.head, ...looked.head };
  return true;
}

async function lookAtOpenDays(check: WalletCheck, pauseMs: number) {
  const { source, clock, scope } = check;
  const { wallet, shards } = scope;
  const nowMs = clock.nowMs();
  // A transfer during a reading can make a wallet of several shards look wrong, so one correct reading is enough.
  const readings = [await source.readShards(wallet, shards), await source.readShards(wallet, shards)];
  await clock.pause(pauseMs);
  const totals = new WalletTotals(wallet, shards, readings);
  totals.addSealed(check.head.total);
  const days: CheckedDay[] = [];
  for (const day of daysBetween(dayPlus(check.head.sealedUntil, 1), dayOf(clock.nowMs())))
    days.push(
      await check.checkDay(day, (row) => {
        if (row.sk === 'CHARGE') totals.addCharge(row);
        else totals.addCredit(row);
      }),
    );
  for (const charge of await sealedCharges(check, readings)) totals.subtractHeld(charge);
  const months = await checkMonths(check, days);
  const after = await source.readShards(wallet, shards);
  const ofWallet = totals.differences(after, nowMs);
  const ofDays = days.flatMap(({ differences }) => differences);
  return { differences: [...ofDays, ...ofWallet, ...months.differences], head: months.head };
}

/** Their holds still exist, for example because the sweeper fails on them. */
async function sealedCharges(check: WalletCheck, readings: readonly WalletReading[]) {
  const { scope, source, head } = check;
  const holdIds = readings.flatMap(({ shards }) => shards.flatMap(({ holds }) => Object.keys(holds)));
  const old = new Set(holdIds.map(operationIdOf));
  const ids = [...old].filter(
    (operationId) => dayOf(operationTimeMs({ operationId })) <= dayPlus(head.sealedUntil, 1),
  );
  const charges = await findCharges(source, scope.wallet, ids);
  return charges.filter(
    ({ state, decidedAt }) => state === 'CHARGED' && dayOf(Date.parse(decidedAt)) <= head.sealedUntil,
  );
}

async function checkMoney(check: WalletCheck): Promise<boolean> {
  const { source, settings, clock, credits } = check;
  const { money } = source;
  if (!money) return true;
  const looked = await check.lookTwice(async () => {
    const options = {
      credits: [...credits.values()],
      createdAt: check.scope.createdAt,
      shards: check.scope.shards,
      prices: check.scope.prices ?? {},
      nowMs: clock.nowMs(),
      isWhole: settings.isWhole ?? false,
    };
    return { differences: await money.checkMoney(check.scope.wallet, options) };
  });
  check.found.push(...looked.differences);
  return true;
}
