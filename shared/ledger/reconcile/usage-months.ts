import { createHash } from 'node:crypto';
import type { WalletId } from '../../core/keys.ts';
import { type Difference, difference } from './rows.ts';
import type { DaySums } from './seal.ts';

/**
 * Usage belongs to the console, which the ledger does not import, so the reconciliation receives a source of usage.
 */

interface CountedUsage {
  /** Days in Africa/Lagos: `from` is inclusive, `before` exclusive. */
  readonly from: string;
  readonly before: string;
  readonly rows: readonly UsedCredits[];
}

/** Of a day (Africa/Lagos), service and key. */
interface UsedCredits {
  readonly day: string;
  readonly service: string;
  readonly keyLabel: string;
  /** Whole credits. */
  readonly credits: number;
}

const MODULUS = 2n ** 64n;

/** The sum with more credits, in hexadecimal: equal usage by day, service and key has equal sums, however it is split. */
export function usageSum(before: string, { day, service, keyLabel, credits }: UsedCredits): string {
  const name = JSON.stringify([day, service, keyLabel]);
  const factor = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return addSums(before, (BigInt(`0x${factor}`) * BigInt(credits)).toString(16));
}

export interface UsageSource {
  /** The current month and the two before it. Undefined if never counted. */
  readUsage(wallet: WalletId, nowMs: number): Promise<CountedUsage | undefined>;
}

function addSums(one: string, other: string): string {
  return ((BigInt(`0x${one}`) + BigInt(`0x${other}`)) % MODULUS).toString(16);
}

interface MonthUsage {
  readonly credits: number;
  /** Unknown if a seal of an earlier version has none. */
  readonly sum: string | undefined;
}
const NO_USAGE: MonthUsage = { credits: 0, sum: '0' };

/**
 * `charged` has the credits by the day of the request (Africa/Lagos), as usage counts them, even if the charge was
 * decided on the next day.
 */
export function compareUsage(
  wallet: WalletId,
  { from, before, rows }: CountedUsage,
  charged: readonly Pick<DaySums, 'requested' | 'usageSums'>[],
): Difference[] {
  const [expectedOf, foundOf] = [new Map<string, MonthUsage>(), new Map<string, MonthUsage>()];
  const add = (to: Map<string, MonthUsage>, day: string, credits: number, sum: string | undefined) => {
    if (day < from || day >= before) return;
    const old = to.get(day.slice(0, 7)) ?? NO_USAGE;
    const added = old.sum === undefined || sum === undefined ? undefined : addSums(old.sum, sum);
    to.set(day.slice(0, 7), { credits: old.credits + credits, sum: added });
  };
  for (const { requested, usageSums } of charged)
    for (const [day, credits] of Object.entries(requested)) add(expectedOf, day, credits, usageSums?.[day]);
  for (const row of rows) add(foundOf, row.day, row.credits, usageSum('0', row));
  const months = new Set([...foundOf.keys(), ...expectedOf.keys()]);
  return [...months].sort().flatMap((month) => {
    const [expected, found] = [expectedOf.get(month) ?? NO_USAGE, foundOf.get(month) ?? NO_USAGE];
    const subject = { day: `${month}-01` };
    if (expected.credits !== found.credits)
      return [difference('usage-differs', wallet, subject, expected.credits, found.credits)];
    if (expected.sum === undefined || expected.sum === found.sum) return [];
    const textOf = ({ credits, sum }: MonthUsage) => `${credits}, hash ${sum}`;
    return [difference('usage-differs', wallet, subject, textOf(expected), textOf(found))];
  });
}
