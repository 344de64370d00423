import { type Accounts, lagosMonth, number, record, rows, sum, text } from './accounts.ts';
import type { JsonRow } from './evidence.ts';

/**
 * Computes which lots the charges of each month used, from lots, credits and charges alone (contract P1;
 * docs/finance/earned.md). It shares no code with the service, and assigns the credits one by one.
 */

interface Movement {
  readonly at: string;
  readonly id: string;
  readonly credits: number;
  readonly isCharge: boolean;
  readonly service: string;
}

interface LotState {
  readonly row: JsonRow;
  /** Credits that charges have used, by month. */
  readonly used: Map<string, number>;
  /** Credits that negative corrections have taken, by month. */
  readonly removed: Map<string, number>;
}

export interface ServiceFigures {
  readonly requests: number;
  readonly credits: number;
  readonly earnedKobo: number;
}

export interface MonthTotals {
  readonly opening: number;
  readonly closing: number;
  readonly charged: number;
  readonly paidKobo: number;
  readonly earnedKobo: number;
  readonly refundedKobo: number;
  readonly expiredKobo: number;
  readonly deferredKobo: number;
  readonly services: ReadonlyMap<string, ServiceFigures>;
}

/** Follows the credits of a wallet from month to month. */
export class LotUses {
  readonly #lots: LotState[];
  readonly #accounts: Accounts;
  readonly #wallet: string;

  constructor(accounts: Accounts, wallet: string) {
    this.#accounts = accounts;
    this.#wallet = wallet;
    this.#lots = accounts
      .lots(wallet)
      .sort((a, b) => (key(a) < key(b) ? -1 : 1))
      .map((row) => ({ row, used: new Map(), removed: new Map() }));
  }

  /** Spends the credits used in a month, and returns the month's totals. Call it for every month, in order. */
  month(month: string): MonthTotals {
    const opening = this.#balanceBefore(month);
    const services = new Map<string, ServiceFigures>();
    const movements = this.#movements(month);
    for (const movement of movements)
      for (let credit = 0; credit < movement.credits; credit += 1) {
        const lot = this.#next(month, movement);
        if (!lot) throw new Error(`No lot has the credit of ${movement.id}.`);
        const into = movement.isCharge ? lot.used : lot.removed;
        const index = sum([...lot.used.values()]);
        into.set(month, (into.get(month) ?? 0) + 1);
        if (movement.isCharge)
          count(services, movement.service, credit === 0, worth(lot, index + 1) - worth(lot, index));
      }
    const value = (kobo: (lot: LotState) => number) => sum(this.#lots.map(kobo));
    const values = new Map(this.#lots.map((lot) => [lot, valuesOf(lot, (other) => other <= month)]));
    const inMonth = (lot: LotState, name: keyof LotValues) =>
      (values.get(lot)?.[name] ?? 0) - valuesOf(lot, (other) => other < month)[name];
    return {
      opening,
      closing: this.#balanceBefore(month) + this.#creditsIn(month) - chargedBy(movements),
      charged: chargedBy(movements),
      paidKobo: sum(this.#lots.map(({ row }) => (text(row, 'month') === month ? number(row, 'netKobo') : 0))),
      earnedKobo: value((lot) => inMonth(lot, 'earned')),
      refundedKobo: value((lot) => inMonth(lot, 'refunded')),
      expiredKobo: value((lot) => inMonth(lot, 'expired')),
      deferredKobo: value((lot) => {
        const { earned = 0, refunded = 0, expired = 0 } = values.get(lot) ?? {};
        return text(lot.row, 'month') <= month ? number(lot.row, 'netKobo') - earned - refunded - expired : 0;
      }),
      services,
    };
  }

  /** Returns the unspent credits of each lot after the computed months. Ignores withdrawals after `month`. */
  unspent(month: string): Map<string, number> {
    return new Map(this.#lots.map((lot) => [text(lot.row, 'id'), left(lot, month)]));
  }

  /** Returns the charges and the operators' negative corrections of a month, oldest first. */
  #movements(month: string): Movement[] {
    const charges = this.#accounts.charges(this.#wallet).map((row) => ({
      at: text(row, 'decidedAt'),
      id: text(row, 'operationId'),
      credits: number(row, 'cost'),
      isCharge: true,
      service: text(row, 'service'),
    }));
    const corrections = this.#accounts
      .credits(this.#wallet)
      .filter((row) => number(row, 'amount') < 0 && row['cause'] === undefined)
      .map((row) => ({
        at: text(row, 'createdAt'),
        id: text(row, 'reference'),
        credits: -number(row, 'amount'),
        isCharge: false,
        service: '',
      }));
    return [...charges, ...corrections]
      .filter(({ at }) => lagosMonth(at) === month)
      .sort((a, b) => (`${a.at}#${a.id}` < `${b.at}#${b.id}` ? -1 : 1));
  }

  #next(month: string, { at, isCharge }: Movement): LotState | undefined {
    const unspent = this.#lots.filter((lot) => this.#spendable(lot, month) > 0);
    const all = unspent.filter((lot) => text(lot.row, 'month') <= month);
    const early = all.filter(({ row }) => text(row, 'createdAt') <= at);
    const choice = early.length > 0 ? early : all.length > 0 ? all : unspent;
    const paid = choice.find(({ row }) => text(row, 'kind') === 'paid');
    const free = choice.filter(({ row }) => text(row, 'kind') !== 'paid');
    if (!isCharge && free.length > 0) return free.at(-1);
    return free.find(({ row }) => !paid || expiry(row) < expiry(paid.row)) ?? paid;
  }

  /**
   * Returns the credits of a lot that the charges of a month can still use. Refunded and expired credits cannot, even
   * those of a later month, unless the month had been closed before.
   */
  #spendable(lot: LotState, month: string): number {
    const closing = this.#accounts.closings(this.#wallet).find((row) => text(row, 'month') === month);
    const closedAt = (closing && text(closing, 'closedAt')) || '9999';
    const booked = this.#accounts.credits(this.#wallet);
    const isKnown = (one: JsonRow) =>
      booked.some(
        (row) => text(row, 'reference') === text(one, 'reference') && text(row, 'createdAt') < closedAt,
      );
    const known = rows(lot.row, 'withdrawals').filter(
      (one) => text(one, 'kind') !== 'removed' && isKnown(one),
    );
    return notSpent(lot) - sum(known.map((one) => number(one, 'credits')));
  }

  #creditsIn(month: string): number {
    const credits = this.#accounts
      .credits(this.#wallet)
      .filter((row) => lagosMonth(text(row, 'createdAt')) === month);
    return sum(credits.map((row) => number(row, 'amount')));
  }

  #balanceBefore(month: string): number {
    const credits = this.#accounts
      .credits(this.#wallet)
      .filter((row) => lagosMonth(text(row, 'createdAt')) < month);
    const charges = this.#accounts
      .charges(this.#wallet)
      .filter((row) => lagosMonth(text(row, 'decidedAt')) < month);
    return sum(credits.map((row) => number(row, 'amount'))) - sum(charges.map((row) => number(row, 'cost')));
  }
}

interface LotValues {
  readonly earned: number;
  readonly refunded: number;
  readonly expired: number;
}

/** What some months took: charges the first credits of a lot, refunds the last, and expiries those before them. */
function valuesOf(lot: LotState, isOf: (month: string) => boolean): LotValues {
  const { row, used, removed } = lot;
  const credits = number(row, 'credits');
  const spentIn = (months: Map<string, number>) =>
    sum([...months].map(([month, some]) => (isOf(month) ? some : 0)));
  const kept = credits - withdrawn(row, 'refunded', isOf);
  const expired = withdrawn(row, 'expired', isOf) + spentIn(removed);
  return {
    earned: worth(lot, spentIn(used)),
    refunded: number(row, 'netKobo') - worth(lot, kept),
    expired: worth(lot, kept) - worth(lot, kept - expired),
  };
}

/** Of the first credits, in whole kobo: the net need not be a multiple of the credits. */
const worth = ({ row }: LotState, first: number) =>
  Math.floor((number(row, 'netKobo') * first) / number(row, 'credits'));

function count(services: Map<string, ServiceFigures>, service: string, isFirst: boolean, kobo: number) {
  const { requests = 0, credits = 0, earnedKobo = 0 } = services.get(service) ?? {};
  services.set(service, {
    requests: requests + (isFirst ? 1 : 0),
    credits: credits + 1,
    earnedKobo: earnedKobo + kobo,
  });
}

/** Returns the credits left in a lot at the end of a month. */
function left(lot: LotState, month: string): number {
  return notSpent(lot) - taken(lot.row, (other) => other <= month);
}

function notSpent({ row, used, removed }: LotState): number {
  return number(row, 'credits') - sum([...used.values(), ...removed.values()]);
}

const taken = (row: JsonRow, isOf: (month: string) => boolean) =>
  withdrawn(row, 'refunded', isOf) + withdrawn(row, 'expired', isOf);

function withdrawn(row: JsonRow, kind: string, isOf: (month: string) => boolean): number {
  const found = rows(row, 'withdrawals').filter(
    (one) => text(one, 'kind') === kind && isOf(text(one, 'month')),
  );
  return sum(found.map((one) => number(one, 'credits')));
}

const chargedBy = (movements: readonly Movement[]) =>
  sum(movements.map(({ isCharge, credits }) => (isCharge ? credits : 0)));
const key = (row: JsonRow) => `${text(row, 'createdAt')}#${text(row, 'id')}`;
const expiry = (row: JsonRow) => text(row, 'expiresAt') || '9999';

export function statedTotals(closing: JsonRow): MonthTotals {
  const figures = record(closing, 'figures');
  const [credits, value] = [record(figures, 'credits'), record(figures, 'value')];
  return {
    opening: number(credits, 'opening'),
    closing: number(credits, 'closing'),
    charged: number(credits, 'charged'),
    paidKobo: number(value, 'paidKobo'),
    earnedKobo: number(value, 'earnedKobo'),
    refundedKobo: number(value, 'refundedKobo'),
    expiredKobo: number(value, 'expiredKobo'),
    deferredKobo: number(value, 'deferredKobo'),
    services: new Map(
      rows(figures, 'services').map((row) => [
        text(row, 'service'),
        {
          requests: number(row, 'requests'),
          credits: number(row, 'credits'),
          earnedKobo: number(row, 'earnedKobo'),
        },
      ]),
    ),
  };
}
