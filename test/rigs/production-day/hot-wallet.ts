import { REAL_CLOCK } from '../../../shared/core/clock.ts';
import { operator } from '../../../shared/operators/operator.ts';
import type { Verification } from './client.ts';
import type { Customer } from './customers.ts';
import { type Simulation, topUp } from './phases.ts';
import { DAYTIME } from './traffic.ts';

const PARALLEL_REQUESTS = 20;
const SHARDS = 4;
const MAX_PAUSE_MS = 3_000;
const FIRST_TOP_UP = 50;
const SECOND_TOP_UP = 100;
/** The numbers of responses after which the operator adds shards and tops up. */
const BEFORE_SHARDS = 40;
const BEFORE_TOP_UP = 80;

/**
 * One customer sends many requests at once. Meanwhile, the operator adds shards to the wallet and tops it up. Once its
 * last credit is used, requests are rejected. After another top-up, the wallet pays for the rejected verifications.
 */
export async function hotWallet(simulation: Simulation): Promise<void> {
  const { service, customers, traffic, journal } = simulation;
  const { hot } = customers;
  let responses = 0;
  let operating: Promise<void> = Promise.resolve();
  const onResponse = () => {
    responses += 1;
    if (responses === BEFORE_SHARDS) operating = addShards(simulation, hot);
    if (responses === BEFORE_TOP_UP)
      operating = operating.then(() => topUp(simulation, hot, FIRST_TOP_UP, 'invoice-1'));
  };
  await traffic.during({ ...DAYTIME, perSecond: 4 }, async () => {
    const rejected = await untilRejected(simulation, onResponse);
    await operating;
    // Requests that were rejected before the first top-up are retried along with new ones.
    const stillRejected = await untilRejected(simulation, onResponse, rejected);
    const { available } = await service.operator.balance({ env: 'live', organisationId: hot.id });
    journal.event({ name: 'empty', wallet: hot.wallet, available });
    await topUp(simulation, hot, SECOND_TOP_UP, 'invoice-2');
    await Promise.all(stillRejected.map((verification) => simulation.client.verify(verification)));
  });
}

/** Does the same as `wallet set-shards`, but waits less, because the look-ups of the simulation end sooner. */
async function addShards({ service, journal }: Simulation, { id, wallet }: Customer): Promise<void> {
  const pause = (ms: number) => REAL_CLOCK.pause(Math.min(ms, MAX_PAUSE_MS));
  await operator(service.deployment, { clock: { ...REAL_CLOCK, pause } }).setShards(id, SHARDS);
  journal.event({ name: 'shards', wallet, count: SHARDS });
}

/**
 * Sends `first` and then new verifications in parallel, until each sender is rejected with 402. Returns those rejected.
 */
async function untilRejected(
  { client, traffic, customers }: Simulation,
  onResponse: () => void,
  first: readonly Verification[] = [],
): Promise<Verification[]> {
  const retries = [...first];
  const senders = Array.from({ length: PARALLEL_REQUESTS }, async () => {
    for (;;) {
      const verification = retries.pop() ?? traffic.verification(customers.hot, 'nuban-basic');
      const { code } = await client.verify(verification);
      onResponse();
      if (code === 'INSUFFICIENT_FUNDS') return verification;
    }
  });
  return Promise.all(senders);
}
