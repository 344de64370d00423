import type { WalletId } from '../../core/keys.ts';
import { balanceOf, HOLD_LIFE_MS, operationIdOf, type WalletShard } from '../rows/wallet.ts';
import { type ChargeRow, type CreditRow, type Difference, dayOf, difference, MARGIN_MS } from './rows.ts';

/** Read consistently between two times; a quiet wallet in one snapshot. */
export interface WalletReading {
  readonly fromMs: number;
  readonly toMs: number;
  readonly shards: readonly WalletShard[];
}

const CLOCK_ERROR_MS = 2_000;
const OLDEST_HOLD_MS = 5 * 60_000;

interface Spent {
  readonly reading: WalletReading;
  readonly holdIds: ReadonlySet<string>;
  /** Their hold was certainly gone by the time of the reading. */
  certain: number;
  /** Perhaps decided after the reading. */
  unsure: number;
}

/**
 * The totals of one wallet. Shards are read before rows, so a charge without a hold ended before the reading or began
 * after it: the time of its decision shows which.
 */
export class WalletTotals {
  readonly #wallet: WalletId;
  readonly #shardCount: number;
  readonly #spent: readonly Spent[];
  #paid = 0;
  #hasRows = false;

  /** `readings` show the same wallet at different times: a correct wallet agrees with at least one of them. */
  constructor(wallet: WalletId, shardCount: number, readings: readonly WalletReading[]) {
    this.#wallet = wallet;
    this.#shardCount = shardCount;
    this.#spent = readings.map((reading) => ({
      reading,
      holdIds: new Set(reading.shards.flatMap(({ holds }) => Object.keys(holds))),
      certain: 0,
      unsure: 0,
    }));
  }

  addCharge({ state, holdId = '', cost, decidedAt }: ChargeRow): void {
    this.#hasRows = true;
    if (state !== 'CHARGED') return;
    const decidedAtMs = Date.parse(decidedAt);
    for (const spent of this.#spent) {
      if (spent.holdIds.has(holdId)) continue;
      const { fromMs, toMs } = spent.reading;
      if (decidedAtMs <= fromMs - CLOCK_ERROR_MS) spent.certain += cost;
      else if (decidedAtMs < toMs + CLOCK_ERROR_MS) spent.unsure += cost;
    }
  }

  addCredit({ amount }: CreditRow): void {
    this.#hasRows = true;
    this.#paid += amount;
  }

  /** All of these rows are older than the readings. */
  addSealed({ charged, paid }: { readonly charged: number; readonly paid: number }): void {
    this.#hasRows ||= charged !== 0 || paid !== 0;
    this.#paid += paid;
    for (const spent of this.#spent) spent.certain += charged;
  }

  subtractHeld({ holdId = '', cost }: ChargeRow): void {
    for (const spent of this.#spent) if (spent.holdIds.has(holdId)) spent.certain -= cost;
  }

  /** `after` is a reading made after the last row. */
  differences(after: WalletReading, nowMs: number): Difference[] {
    const day = dayOf(nowMs);
    const found = [...this.#shardDifferences(after, day), ...this.#wrongHolds()];
    const wrong = this.#spent.filter((spent) => !isExplained(spent));
    const [last] = wrong.slice(-1);
    if (last && wrong.length === this.#spent.length) {
      const { available, held, credited } = balanceOf(last.reading.shards);
      found.push(
        difference('balance', this.#wallet, { day }, credited, available + held + last.certain + last.unsure),
      );
    }
    // `credited` changes only with credit rows, so the sum of those read lies between the readings.
    const bounds = [...this.#spent.map(({ reading }) => reading), after].map(
      (reading) => balanceOf(reading.shards).credited,
    );
    if (this.#paid < Math.min(...bounds) || this.#paid > Math.max(...bounds))
      found.push(difference('credits', this.#wallet, { day }, bounds.at(-1) ?? 0, this.#paid));
    return found;
  }

  #shardDifferences(after: WalletReading, day: string): Difference[] {
    const wrong = (kind: Difference['kind'], expected: number, found: number) =>
      difference(kind, this.#wallet, { day }, expected, found);
    const shards = this.#spent.at(-1)?.reading.shards ?? [];
    const negative = shards.filter(({ available }) => available < 0 || !Number.isInteger(available));
    // A wallet gets its first shard with its first credit. A new organisation has neither.
    const isNew = shards.length === 0 && (!this.#hasRows || after.shards.length > 0);
    const readings = [...this.#spent.map(({ reading }) => reading), after];
    // A transfer during a reading distorts it.
    const [moved = 0, ...others] = new Set(readings.map((reading) => movedIn(reading)));
    return [
      ...(moved !== 0 && others.length === 0 ? [wrong('balance', 0, moved)] : []),
      ...(isNew || shards.length === this.#shardCount
        ? []
        : [wrong('missing-shard', this.#shardCount, shards.length)]),
      ...shards
        .filter(({ expiresAt }) => expiresAt !== undefined)
        .map(() => difference('row-keys', this.#wallet, { day }, 'kept', 'expiring')),
      ...negative.map(({ available }) => wrong('negative-balance', 0, available)),
    ];
  }

  #wrongHolds(): Difference[] {
    const [first] = this.#spent;
    if (!first) return [];
    const { shards, fromMs } = first.reading;
    const holds = shards.flatMap((shard) => Object.entries(shard.holds));
    return holds.flatMap(([holdId, { requestId, expiresAtMs, cost }]) => {
      const startedAtMs = expiresAtMs - HOLD_LIFE_MS;
      const ageMs = fromMs - startedAtMs;
      const subject = { day: dayOf(startedAtMs), requestId, operationId: operationIdOf(holdId) };
      const wrong = (expected: string, found: string) =>
        difference('old-hold', this.#wallet, subject, expected, found);
      return [
        ...(ageMs > OLDEST_HOLD_MS || ageMs < -MARGIN_MS
          ? [wrong(`${OLDEST_HOLD_MS} ms`, `${ageMs} ms`)]
          : []),
        ...(Number.isInteger(cost) && cost > 0 ? [] : [wrong('whole credits', `${cost} credits`)]),
      ];
    });
  }
}

function movedIn({ shards }: WalletReading): number {
  return shards.reduce((sum, { moved = 0 }) => sum + moved, 0);
}

function isExplained({ reading, certain, unsure }: Spent): boolean {
  const { available, held, credited } = balanceOf(reading.shards);
  const gone = credited - available - held;
  return gone >= certain && gone <= certain + unsure;
}
