import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../ledger/simulation/random.ts';
import type { Client, Wish } from './client.ts';
import type { Customer, Customers } from './customers.ts';

/** What the customers ask for, hour by hour: a stream of wishes, the same for the same seed. */

export const ROUTES = ['nin-basic', 'bvn-basic', 'tin-basic', 'nuban-basic'] as const;
export type Route = (typeof ROUTES)[number];

export interface Load {
  readonly perSecond: number;
  /** One of these, as often as it stands here. */
  readonly routes: readonly [Route, ...Route[]];
  /** Share of the ordinary customer; the rest is the careful one's. */
  readonly ordinaryShare: number;
  /** Part of the careful customer's requests that still use this key. */
  readonly forgetful?: { readonly keyLabel: string; readonly share: number };
}

export const DAYTIME: Load = {
  perSecond: 10,
  routes: ['nin-basic', 'nin-basic', 'bvn-basic', 'tin-basic', 'nuban-basic'],
  ordinaryShare: 0.5,
};

/** So many wishes may be open before customers hold back: nobody's servers have endless connections. */
const MOST_OPEN = 60;
const REPEAT_SHARE = 0.05;

export class Traffic {
  readonly #client: Client;
  readonly #customers: Customers;
  readonly #random: Random;
  readonly #seed: number;
  #drawn = 0;

  constructor(client: Client, customers: Customers, random: Random, seed: number) {
    this.#client = client;
    this.#customers = customers;
    this.#random = random;
    this.#seed = seed;
  }

  /** Sends at a rate until `act` ends; whoever has no last answer by then goes on beside what follows. */
  async during<T>(load: Load, act: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const sending = this.#send(load, over.signal);
    try {
      return await act();
    } finally {
      over.abort();
      await sending;
    }
  }

  async #send(load: Load, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      if (this.#client.open < MOST_OPEN) void this.#client.fulfil(this.#draw(load));
      await sleep((500 + this.#random.next() * 1_000) / load.perSecond);
    }
  }

  #draw({ routes, ordinaryShare, forgetful }: Load): Wish {
    const { ordinary, careful } = this.#customers;
    const customer = this.#random.chance(ordinaryShare) ? ordinary : careful;
    const isForgetful = customer === careful && forgetful && this.#random.chance(forgetful.share);
    return {
      ...this.wish(customer, this.#random.pick(routes)),
      ...(isForgetful && { forgetfulOf: forgetful.keyLabel }),
    };
  }

  /** A wish that nobody had before. */
  wish(customer: Customer, route: Route): Wish {
    this.#drawn += 1;
    const repeats = this.#random.chance(REPEAT_SHARE) ? 1 : 0;
    const key = `day-${this.#seed}-wish-${String(this.#drawn).padStart(6, '0')}`;
    return { customer, route, key, repeats, body: bodyOf(route, this.#drawn, this.#ending()) };
  }

  /** Most are found, some not, and of some the registry itself knows no good answer (decision G1). */
  #ending(): string {
    const draw = this.#random.next();
    return draw < 0.02 ? '0404' : draw < 0.04 ? '0400' : '0001';
  }
}

function bodyOf(route: Route, drawn: number, ending: string): Readonly<Record<string, string>> {
  const middle = String(drawn).padStart(6, '0');
  if (route === 'tin-basic') return { tin: `77${middle}-${ending}` };
  return { id_number: route === 'nuban-basic' ? `${middle}${ending}` : `7${middle}${ending}` };
}
