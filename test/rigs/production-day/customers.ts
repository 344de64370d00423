import type { RateLimit } from '../../../shared/accounts/organisation.ts';
import type { Journal } from './journal.ts';
import type { SimulatedService } from './service.ts';

/** An organisation and what its servers know: its API keys by label, and which one to use. */
export interface Customer {
  readonly id: string;
  /** `live#<org>` */
  readonly wallet: string;
  readonly keys: Map<string, string>;
  /** Label of the key to use for new requests. */
  keyLabel: string;
  /** Price in credits by route, if it is not 1. */
  readonly prices: Readonly<Record<string, number>>;
}

export interface Customers {
  /** Has the default rate limit, and exceeds it in the morning. */
  readonly ordinary: Customer;
  /** Rotates its API key. */
  readonly careful: Customer;
  /** Sends many requests at once, and spends its wallet to the last credit. */
  readonly hot: Customer;
  /** Checks its applicants (lending.ts). */
  readonly lender: Customer;
}

export const FIRST_KEY = 'backend';
export const HOT_CREDITS = 150;
const MANY_CREDITS = 100_000;

export async function createCustomers(service: SimulatedService, journal: Journal): Promise<Customers> {
  const create = (options: CustomerOptions) => createCustomer(service, journal, options);
  return {
    ordinary: await create({ name: 'Harmattan', credits: MANY_CREDITS }),
    careful: await create({ name: 'Savanna', credits: MANY_CREDITS, rate: { perSecond: 50, burst: 100 } }),
    hot: await create({ name: 'Lagoon', credits: HOT_CREDITS, rate: { perSecond: 500, burst: 1_000 } }),
    lender: await create({ name: 'Kola', credits: 1, rate: { perSecond: 500, burst: 1_000 } }),
  };
}

interface CustomerOptions {
  readonly name: string;
  readonly credits: number;
  readonly rate?: RateLimit;
}

async function createCustomer(
  { operator }: SimulatedService,
  journal: Journal,
  { name, credits, rate }: CustomerOptions,
): Promise<Customer> {
  const { id } = await operator.createOrganisation(name);
  await operator.approve(id);
  await operator.enableServices(id, ['NIN', 'BVN', 'TIN', 'NUBAN'], 'CBN licence 1');
  if (rate) await operator.setRate(id, rate);
  const order = {
    amount: credits,
    reference: `opening-${id}`,
    actor: 'simulation',
    reason: 'opening credit',
  };
  await operator.topUp({ env: 'live', organisationId: id }, order);
  const { text } = await operator.createKey({ organisationId: id, env: 'live', label: FIRST_KEY });
  const wallet = `live#${id}`;
  journal.event({ name: 'topped up', wallet, credits });
  return { id, wallet, keys: new Map([[FIRST_KEY, text]]), keyLabel: FIRST_KEY, prices: {} };
}
