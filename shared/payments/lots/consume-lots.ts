import { createHash } from 'node:crypto';
import { monthEndMs } from '../../core/accounting-month.ts';
import { canonicalSha256 } from '../../core/canonical-json.ts';
import { sum } from '../../core/sum.ts';
import { NO_XOR, xorOf } from '../../ledger/reconcile/tally.ts';
import { lineHash, type StatementEntry } from '../../ledger/statement/statement.ts';
import type { LotUse, MonthCredits, MonthFigures, MonthValue, ServiceUse } from '../months/closing.ts';
import type { Lot, Withdrawal } from './lot.ts';
import { type LotValue, takenBefore, valueInMonth, worthOf } from './lot-value.ts';

/**
 * Decides which lots the charges of a month used (contract P1), from lots and lines alone, so that a closed month can
 * be computed again. Charges use paid lots, oldest first, and then lots without a price; one without a price comes
 * before a paid lot if it expires earlier. An operator's negative correction takes from lots without a price first,
 * newest first. Refunds and expiries name their lot: charges of the month cannot use those credits, which were unspent
 * at that time.
 */

interface Booking {
  readonly reference: string;
  readonly amount: number;
  /** As refunds and expiries do. */
  readonly namesLot: boolean;
}

/** How a month used its lots. */
export interface MonthUse {
  readonly figures: MonthFigures;
  /** Of each lot that had credits, by lot. */
  readonly lots: ReadonlyMap<string, LotUse>;
  /** By negative corrections of operators, by lot. */
  readonly removed: ReadonlyMap<string, readonly Withdrawal[]>;
  /** The month's credit lines. */
  readonly bookings: readonly Booking[];
  /** More than 0 only if credits were booked without a lot. */
  readonly uncovered: number;
}

/** Which lots a charge used. */
export interface ChargeUse {
  readonly lots: readonly { readonly lot: string; readonly credits: number }[];
  /** In kobo without VAT. */
  readonly earnedKobo: number;
}

/** All amounts are whole credits. */
interface OpenLot {
  readonly lot: Lot;
  /** By charges of earlier months. */
  readonly consumedBefore: number;
  readonly opening: number;
  readonly refunded: number;
  left: number;
  consumed: number;
  expired: number;
}

/** Sorts after every ISO time. */
const END_OF_TIME = '9999';

/** Lines are added one by one, because a busy wallet has millions. */
export class MonthConsumption {
  readonly #month: string;
  readonly #all: readonly OpenLot[];
  /** Oldest first. */
  readonly #paid: OpenLot[];
  readonly #free: OpenLot[];
  /** Those of `#free` that may come before a paid lot. */
  readonly #expiring: OpenLot[];
  readonly #credits: { -readonly [name in keyof MonthCredits]: number };
  readonly #services = new Map<string, { -readonly [name in keyof ServiceUse]: ServiceUse[name] }>();
  readonly #removed = new Map<string, Withdrawal[]>();
  readonly #bookings: Booking[] = [];
  readonly #hash = createHash('sha256');
  #linesXor: string | undefined = NO_XOR;
  #lines = 0;
  #uncovered = 0;

  constructor(month: string, lots: readonly Lot[], opening: number) {
    this.#month = month;
    this.#all = lots.toSorted(byTime).map((lot) => openLot(lot, month));
    const open = this.#all.filter(({ left }) => left > 0);
    this.#paid = open.filter(({ lot }) => isPriced(lot));
    this.#free = open.filter(({ lot }) => !isPriced(lot));
    this.#expiring = this.#free.filter(({ lot }) => lot.expiresAt !== undefined);
    this.#credits = { opening, toppedUp: 0, corrected: 0, charged: 0, closing: opening };
  }

  /** Adds the next line of the month. Returns what it used if it is a charge. */
  add(line: StatementEntry): ChargeUse | undefined {
    const { amount, createdAt, credit, debit } = line;
    this.#lines += 1;
    this.#hash.update(lineText(line));
    this.#linesXor = xorOf(this.#linesXor, lineHash(line));
    this.#credits.closing += amount;
    if (debit) return this.#charge(debit.service, -amount, createdAt);
    this.#book(line, credit);
    return undefined;
  }

  end(): MonthUse {
    const lots = this.#all.map(useOf).filter(hasMoved);
    const figures: MonthFigures = {
      credits: this.#credits,
      value: monthValueOf(this.#all, this.#month),
      lotsSha256: canonicalSha256(lots),
      services: [...this.#services.values()].sort((a, b) => (a.service < b.service ? -1 : 1)),
      lines: this.#lines,
      linesSha256: this.#hash.copy().digest('hex'),
      linesXor: this.#linesXor,
    };
    return {
      figures,
      lots: new Map(lots.map((use) => [use.lot, use])),
      removed: this.#removed,
      bookings: this.#bookings,
      uncovered: this.#uncovered,
    };
  }

  #book({ id, amount, createdAt }: StatementEntry, credit: StatementEntry['credit']): void {
    const namesLot = credit?.cause !== undefined;
    this.#bookings.push({ reference: id, amount, namesLot });
    this.#credits[credit?.kind === 'TOP_UP' ? 'toppedUp' : 'corrected'] += amount;
    if (amount < 0 && !namesLot) this.#remove(id, -amount, createdAt);
  }

  #charge(service: string, credits: number, at: string): ChargeUse {
    this.#credits.charged += credits;
    const use = this.#services.get(service) ?? { service, requests: 0, credits: 0, earnedKobo: 0 };
    this.#services.set(service, use);
    use.requests += 1;
    use.credits += credits;
    const steps = this.#take(credits, at, (limit) => this.#nextForCharge(limit));
    let earnedKobo = 0;
    for (const { from, taken } of steps) {
      const { lot, consumedBefore } = from;
      earnedKobo -= worthOf(lot, consumedBefore + from.consumed);
      from.consumed += taken;
      earnedKobo += worthOf(lot, consumedBefore + from.consumed);
    }
    use.earnedKobo += earnedKobo;
    return { lots: steps.map(({ from, taken }) => ({ lot: from.lot.id, credits: taken })), earnedKobo };
  }

  #remove(reference: string, credits: number, at: string): void {
    const next = (limit: string) =>
      this.#free.findLast(({ lot }) => lot.createdAt <= limit) ?? this.#nextForCharge(limit);
    for (const { from, taken } of this.#take(credits, at, next)) {
      from.expired += taken;
      const { id } = from.lot;
      const withdrawal = { kind: 'removed', credits: taken, month: this.#month, reference } as const;
      this.#removed.set(id, [...(this.#removed.get(id) ?? []), withdrawal]);
    }
  }

  /**
   * Takes credits from lots that existed at that time; because clocks may differ, the rest from any lot of the month,
   * and then from later ones.
   */
  #take(credits: number, at: string, next: (limit: string) => OpenLot | undefined) {
    const steps: { readonly from: OpenLot; readonly taken: number }[] = [];
    const limits = [at, new Date(monthEndMs(this.#month) - 1).toISOString(), END_OF_TIME];
    let missing = credits;
    for (const limit of limits) {
      for (let from = next(limit); missing > 0 && from; from = next(limit)) {
        const taken = Math.min(missing, from.left);
        from.left -= taken;
        missing -= taken;
        steps.push({ from, taken });
        if (from.left === 0) this.#close(from);
      }
    }
    this.#uncovered += missing;
    return steps;
  }

  #nextForCharge(limit: string): OpenLot | undefined {
    const [paid] = this.#paid;
    if (!paid || paid.lot.createdAt > limit) return firstUntil(limit, this.#free);
    return firstUntil(limit, this.#expiring, ({ lot }) => expiresBefore(lot, paid.lot)) ?? paid;
  }

  #close(open: OpenLot): void {
    for (const list of [this.#paid, this.#free, this.#expiring]) {
      const index = list.indexOf(open);
      if (index >= 0) list.splice(index, 1);
    }
  }
}

/** The lots are sorted by time, and a wallet may have thousands that begin later. */
function firstUntil(
  limit: string,
  lots: readonly OpenLot[],
  isWanted: (open: OpenLot) => boolean = () => true,
): OpenLot | undefined {
  for (const open of lots) {
    if (open.lot.createdAt > limit) return undefined;
    if (isWanted(open)) return open;
  }
  return undefined;
}

/** As references of credit rows. */
interface BookingGaps {
  readonly withoutLine: readonly string[];
  /** Or without the withdrawal from the lot that they name. */
  readonly withoutLot: readonly string[];
}

/** Lots are written in the same transactions. */
export function bookingGaps(
  month: string,
  lots: readonly Lot[],
  { bookings }: Pick<MonthUse, 'bookings'>,
): BookingGaps {
  const isOf = (one: { readonly month: string }) => one.month === month;
  const added = new Set(lots.filter(isOf).map(({ reference }) => reference));
  const withdrawals = lots.flatMap((lot) => lot.withdrawals.filter(isOf));
  const named = withdrawals.filter(({ kind }) => kind !== 'removed');
  const taken = new Set(named.map(({ reference }) => reference));
  const booked = new Set(bookings.map(({ reference }) => reference));
  const isLoose = ({ reference, amount, namesLot }: Booking) =>
    amount > 0 ? !added.has(reference) : namesLot && !taken.has(reference);
  return {
    withoutLine: [...added, ...taken].filter((reference) => !booked.has(reference)),
    withoutLot: bookings.filter(isLoose).map(({ reference }) => reference),
  };
}

/** Returns a lot with what a month's charges and corrections took from it. */
export function lotAfter(lot: Lot, month: string, { lots, removed }: MonthUse): Lot {
  const use = lots.get(lot.id);
  const { [month]: _, ...others } = lot.consumed;
  const consumed = { ...others, ...(use && use.consumed > 0 && { [month]: use.consumed }) };
  const earlier = lot.withdrawals.filter((one) => one.kind !== 'removed' || one.month !== month);
  return withRemaining({ ...lot, consumed, withdrawals: [...earlier, ...(removed.get(lot.id) ?? [])] });
}

/** Returns a lot without what closed months from this one on took from it. */
export function lotBefore(lot: Lot, month: string): Lot {
  const consumed = Object.fromEntries(Object.entries(lot.consumed).filter(([other]) => other < month));
  const withdrawals = lot.withdrawals.filter((one) => one.kind !== 'removed' || one.month < month);
  return withRemaining({ ...lot, consumed, withdrawals });
}

function withRemaining(lot: Lot): Lot {
  const { credits, consumed, withdrawals } = lot;
  const remaining = credits - sum(Object.values(consumed)) - sum(withdrawals.map(creditsOf));
  return { ...lot, remaining };
}

/** From which the hash of a month is computed: JSON of the sort key, the amount, and the service or kind. */
function lineText({ sort, amount, debit, credit }: StatementEntry): string {
  return `${JSON.stringify([sort, amount, debit?.service ?? credit?.kind])}\n`;
}

function openLot(lot: Lot, month: string): OpenLot {
  const before = takenBefore(lot, month);
  const taken = (kinds: readonly Withdrawal['kind'][], isOf: (other: string) => boolean) =>
    sum(lot.withdrawals.filter((one) => kinds.includes(one.kind) && isOf(one.month)).map(creditsOf));
  const isWritten = lot.month <= month;
  const opening = isWritten ? lot.credits - before.consumed - before.refunded - before.expired : 0;
  const refunded = taken(['refunded'], (other) => other === month);
  const expired = taken(['expired'], (other) => other === month);
  // Credits that were taken back later were unspent until then.
  const takenLater = taken(['refunded', 'expired'], (other) => other > month);
  // A later lot covers a charge only if the clock that timed the charge was behind.
  const left = (isWritten ? opening - refunded - expired : lot.credits) - takenLater;
  return { lot, consumedBefore: before.consumed, opening, refunded, expired, left, consumed: 0 };
}

/** What a closed month took from a lot, as it stores it. Undefined if the lot had no credits. */
export function storedUse(lot: Lot, month: string): LotUse | undefined {
  const { expired, ...open } = openLot(lot, month);
  const removed = lot.withdrawals.filter((one) => one.kind === 'removed' && one.month === month);
  const use = useOf({
    ...open,
    expired: expired + sum(removed.map(creditsOf)),
    consumed: lot.consumed[month] ?? 0,
  });
  return hasMoved(use) ? use : undefined;
}

function useOf({ lot, opening, consumed, refunded, expired }: OpenLot): LotUse {
  const { id, kind, koboPerCredit } = lot;
  const closing = opening - consumed - refunded - expired;
  return { lot: id, kind, koboPerCredit, opening, consumed, refunded, expired, closing };
}

function hasMoved({ opening, consumed, refunded, expired }: LotUse): boolean {
  return opening !== 0 || consumed !== 0 || refunded !== 0 || expired !== 0;
}

function monthValueOf(lots: readonly OpenLot[], month: string): MonthValue {
  const values = lots.map((open) => valueInMonth(open.lot, month, open));
  const total = (kobo: (value: LotValue) => number) => sum(values.map(kobo));
  return {
    paidKobo: sum(lots.map(({ lot }) => (lot.month === month ? lot.netKobo : 0))),
    earnedKobo: total(({ earnedKobo }) => earnedKobo),
    refundedKobo: total(({ refundedKobo }) => refundedKobo),
    expiredKobo: total(({ expiredKobo }) => expiredKobo),
    deferredKobo: total(({ deferredKobo }) => deferredKobo),
  };
}

export const isPriced = ({ kind }: Lot) => kind === 'paid';

/** Lots without an expiry come after all others. */
export function expiresBefore(lot: Lot, other: Lot): boolean {
  return (lot.expiresAt ?? END_OF_TIME) < (other.expiresAt ?? END_OF_TIME);
}

const creditsOf = ({ credits }: Withdrawal) => credits;

function byTime(a: Lot, b: Lot): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
