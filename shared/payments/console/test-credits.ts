import type { Recorder } from '../../audit/recorder.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import type { NoInput } from '../../http/console/middleware/json-body.ts';
import { creditTable } from '../../ledger/tables/credit-table.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { memberActor } from '../../members/member-actor.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../members/middleware/member-request.ts';
import type { BookingTables } from '../lots/credit-with-lot.ts';
import { lotTable } from '../lots/lot-table.ts';
import { takeTestCredits } from './take-test-credits.ts';

export interface TestCreditDependencies {
  readonly tables: (recorder: Recorder) => BookingTables;
  readonly clock: Clock;
  /** Whole credits that one request adds. */
  readonly credits: number;
}

export function testCreditDependencies(): TestCreditDependencies {
  const client = database();
  const [wallets, payments] = [setting('WALLETS_TABLE'), setting('PAYMENTS_TABLE')];
  return {
    tables: (recorder) => ({
      credits: creditTable(client, { wallets, payments }, recorder),
      shards: shardTable(client, wallets),
      lots: lotTable(client, payments),
    }),
    clock: REAL_CLOCK,
    credits: setting('TEST_CREDITS'),
  };
}

/** POST /test-credits: adds the day's test credits. */
export function takeCredits({
  tables,
  clock,
  credits,
}: TestCreditDependencies): ConsoleRun<ConsoleRequest, NoInput, undefined> {
  return async ({ organisation, person, recorder }) => {
    const order = { credits, actor: memberActor(person.id) };
    return { data: await takeTestCredits(organisation, order, tables(recorder), clock) };
  };
}
