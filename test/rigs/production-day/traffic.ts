import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import type { Client, Verification } from './client.ts';
import type { Customer, Customers } from './customers.ts';

/** What the customers send: a stream of verifications, the same for the same seed. */

export const ROUTES = ['nin-basic', 'bvn-basic', 'tin-basic', 'nuban-basic'] as const;
export type Route = (typeof ROUTES)[number];

export interface Load {
  readonly perSecond: number;
  /** Each request picks an entry at random, so a route that is listed twice gets twice the requests. */
  readonly routes: readonly [Route, ...Route[]];
  /** The share of requests that the ordinary customer sends; the careful one sends the rest. */
  readonly ordinaryShare: number;
  readonly oldKey?: { readonly keyLabel: string; readonly share: number };
}

export const DAYTIME: Load = {
  perSecond: 10,
  routes: ['nin-basic', 'nin-basic', 'bvn-basic', 'tin-basic', 'nuban-basic'],
  ordinaryShare: 0.5,
};

/** Customers send nothing new while this number of verifications is pending: connections are limited. */
const MAX_PENDING = 60;
const REPEAT_SHARE = 0.05;

export class Traffic {
  readonly #client: Client;
  readonly #customers: Customers;
  readonly #random: Random;
  readonly #seed: number;
  #count = 0;

  constructor(client: Client, customers: Customers, random: Random, seed: number) {
    this.#client = client;
    this.#customers = customers;
    this.#random = random;
    this.#seed = seed;
  }

  /** Sends at a rate until `act` has finished. Verifications that are pending then continue. */
  async during<T>(load: Load, act: () => Promise<T>): Promise<T> {
    const stopped = new AbortController();
    const sending = this.#send(load, stopped.signal);
    try {
      return await act();
    } finally {
      stopped.abort();
      await sending;
    }
  }

  async #send(load: Load, stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      if (this.#client.pending < MAX_PENDING) void this.#client.verify(this.#next(load));
      await sleep((500 + this.#random.next() * 1_000) / load.perSecond);
    }
  }

  #next({ routes, ordinaryShare, oldKey }: Load): Verification {
    const { ordinary, careful } = this.#customers;
    const customer = this.#random.chance(ordinaryShare) ? ordinary : careful;
    const usesOldKey = customer === careful && oldKey && this.#random.chance(oldKey.share);
    const verification = this.verification(customer, this.#random.pick(routes));
    return usesOldKey ? { ...verification, oldKeyLabel: oldKey.keyLabel } : verification;
  }

  /** Returns a verification of a number that has not been used before. */
  verification(customer: Customer, route: Route): Verification {
    this.#count += 1;
    const repeats = this.#random.chance(REPEAT_SHARE) ? 1 : 0;
    const idempotencyKey = `simulation-${this.#seed}-${String(this.#count).padStart(6, '0')}`;
    return { customer, route, idempotencyKey, repeats, body: bodyOf(route, this.#count, this.#ending()) };
  }

  /**
   * Returns a random ending for a number. Most numbers are found, some are not found, and for some the look-up fails
   * (contract G1).
   */
  #ending(): string {
    const random = this.#random.next();
    return random < 0.02 ? '0404' : random < 0.04 ? '0400' : '0001';
  }
}

export function bodyOf(route: Route, count: number, ending: string): Readonly<Record<string, string>> {
  const middle = String(count).padStart(6, '0');
  if (route === 'tin-basic') return { tin: `77${middle}-${ending}` };
  return { id_number: route === 'nuban-basic' ? `${middle}${ending}` : `7${middle}${ending}` };
}
