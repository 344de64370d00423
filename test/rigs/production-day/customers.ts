import type { RateLimit } from '../../../shared/accounts/organisation.ts';
import type { DayService } from './day-service.ts';
import type { Journal } from './journal.ts';

/** An organisation and what its own servers know: the keys by their labels, and which of them to use. */
export interface Customer {
  readonly id: string;
  /** `live#<org>` */
  readonly wallet: string;
  readonly keys: Map<string, string>;
  /** Label of the key that its servers use from now on. */
  keyLabel: string;
}

export interface Customers {
  /** Has the rate that everybody has unless agreed otherwise, and so meets 429 in the morning. */
  readonly ordinary: Customer;
  /** Changes its key during the day. */
  readonly careful: Customer;
  /** Many requests at once, and a wallet that runs out. */
  readonly hot: Customer;
}

export const FIRST_KEY = 'backend';
export const HOT_CREDITS = 150;
const PLENTY = 100_000;

export async function makeCustomers(service: DayService, journal: Journal): Promise<Customers> {
  const make = (name: string, credits: number, rate?: RateLimit) =>
    makeCustomer(service, journal, { name, credits, ...(rate && { rate }) });
  return {
    ordinary: await make('Harmattan', PLENTY),
    careful: await make('Savanna', PLENTY, { perSecond: 50, burst: 100 }),
    hot: await make('Lagoon', HOT_CREDITS, { perSecond: 500, burst: 1_000 }),
  };
}

interface Wanted {
  readonly name: string;
  readonly credits: number;
  readonly rate?: RateLimit;
}

async function makeCustomer(
  { operator }: DayService,
  journal: Journal,
  { name, credits, rate }: Wanted,
): Promise<Customer> {
  const { id } = await operator.createOrganisation(name);
  await operator.approve(id);
  await operator.enableServices(id, ['NIN', 'BVN', 'TIN', 'NUBAN']);
  if (rate) await operator.setRate(id, rate);
  const order = { amount: credits, reference: 'opening', actor: 'day', reason: 'opening credit' };
  await operator.topUp({ env: 'live', organisationId: id }, order);
  const { text } = await operator.createKey({ organisationId: id, env: 'live', label: FIRST_KEY });
  const wallet = `live#${id}`;
  journal.note({ name: 'bought', wallet, credits });
  return { id, wallet, keys: new Map([[FIRST_KEY, text]]), keyLabel: FIRST_KEY };
}
