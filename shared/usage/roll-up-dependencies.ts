import * as v from 'valibot';
import { organisationTable } from '../accounts/organisation-table.ts';
import { isAccountingMonth } from '../core/accounting-month.ts';
import { REAL_CLOCK } from '../core/clock.ts';
import { setting } from '../core/config.ts';
import { database } from '../core/database.ts';
import { errorFields, logger } from '../core/logger.ts';
import { sealedBalance } from '../ledger/reconcile/sealed-balance-table.ts';
import { latestBalance } from '../ledger/statement/read-statement.ts';
import { statementTable } from '../ledger/statement/statement-table.ts';
import { shardTable } from '../ledger/tables/shard-table.ts';
import { carriedForward } from '../payments/months/carried-forward.ts';
import { closingTable } from '../payments/months/closing-table.ts';
import { logListTable } from '../verifications/log-list-table.ts';
import { registryDayTable } from './registry-day-table.ts';
import type { RollUpDependencies, RollUpOrder } from './roll-up-usage.ts';
import { usageTable } from './usage-table.ts';

/** A busy wallet has a million small rows a day. */
const PAGE_ROWS = 1_000;

/** Called once per instance. */
export function rollUpDependencies(): RollUpDependencies {
  const client = database();
  const [wallets, console] = [setting('WALLETS_TABLE'), setting('CONSOLE_TABLE')];
  return {
    shards: shardTable(client, wallets),
    organisations: organisationTable(client, setting('API_KEYS_TABLE')),
    logs: logListTable(client, setting('VERIFICATION_LOGS_TABLE'), PAGE_ROWS),
    statement: statementTable(client, wallets),
    findBalance: latestBalance(
      carriedForward(closingTable(client, setting('PAYMENTS_TABLE')), (error) =>
        logger.error('The closings of a wallet could not be read.', errorFields(error)),
      ),
      sealedBalance(client, wallets, (error) =>
        logger.error('The seals of a wallet could not be read.', errorFields(error)),
      ),
    ),
    usage: usageTable(client, console),
    registries: registryDayTable(client, console),
    logRetentionDays: setting('LOG_RETENTION_DAYS'),
    clock: REAL_CLOCK,
  };
}

const order = v.object({
  month: v.optional(v.pipe(v.string(), v.check(isAccountingMonth))),
  organisation: v.optional(v.string()),
});

/** A scheduled event requests none. Throws if the month is not valid. */
export function orderOf(event: unknown): RollUpOrder {
  return v.parse(order, event ?? {});
}
