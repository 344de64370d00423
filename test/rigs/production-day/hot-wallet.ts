import type { Seen, Wish } from './client.ts';
import type { Customer } from './customers.ts';
import { type Day, topUp } from './phases.ts';
import { DAYTIME } from './traffic.ts';

const AT_ONCE = 20;
const SHARDS = 4;
/** Bought while requests run, and once they were refused. */
const FIRST_TOP_UP = 50;
const SECOND_TOP_UP = 100;
/** Requests of the customer after which the operator acts. */
const BEFORE_SHARDS = 40;
const BEFORE_TOP_UP = 80;

/**
 * One customer sends many requests at once. While they run, the wallet is spread and topped up; it pays to the last
 * credit, then refuses; topped up again, it pays for the same wishes.
 */
export async function hotWallet(day: Day): Promise<void> {
  const { service, customers, traffic, journal } = day;
  const { hot } = customers;
  let answered = 0;
  let acting: Promise<void> = Promise.resolve();
  const note = () => {
    answered += 1;
    if (answered === BEFORE_SHARDS) acting = spread(day, hot);
    if (answered === BEFORE_TOP_UP) acting = acting.then(() => topUp(day, hot, FIRST_TOP_UP, 'invoice-1'));
  };
  await traffic.during({ ...DAYTIME, perSecond: 4 }, async () => {
    const refused = await untilRefused(day, note);
    await acting;
    // Those who were refused before the first top-up came ask once more, with all others.
    const still = await untilRefused(day, note, refused);
    const { available } = await service.operator.balance({ env: 'live', organisationId: hot.id });
    journal.note({ name: 'empty', wallet: hot.wallet, available });
    await topUp(day, hot, SECOND_TOP_UP, 'invoice-2');
    await Promise.all(still.map((wish) => day.client.fulfil(wish)));
  });
}

async function spread({ service, journal }: Day, { id, wallet }: Customer): Promise<void> {
  await service.admin('wallet', 'set-shards', id, String(SHARDS));
  journal.note({ name: 'shards', wallet, count: SHARDS });
}

/** Sends in parallel, `first` before new wishes, until each lane is refused with 402: those wishes. */
async function untilRefused(
  { client, traffic, customers }: Day,
  note: () => void,
  first: readonly Wish[] = [],
): Promise<Wish[]> {
  const again = [...first];
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (;;) {
      const wish = again.pop() ?? traffic.wish(customers.hot, 'nuban-basic');
      const { code }: Seen = await client.fulfil(wish);
      note();
      if (code === 'INSUFFICIENT_FUNDS') return wish;
    }
  });
  return Promise.all(lanes);
}
