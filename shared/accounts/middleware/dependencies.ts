import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database, databaseWithoutRetries } from '../../core/database.ts';
import { type AccountTable, accountTable } from '../account-table.ts';
import { type RateLimitTable, rateLimitTable } from '../rate-limit-table.ts';
import { type RejectedKeyTable, rejectedKeyTable } from '../rejected-key-table.ts';
import { type RejectedRequestTable, rejectedRequestTable } from '../rejected-request-table.ts';

/**
 * The dependencies of a route that needs a key. Functions use the real dependencies, created once per instance, and
 * tests pass others.
 */
export interface CallerDependencies {
  readonly accounts: AccountTable;
  readonly limiter: RateLimitTable;
  readonly rejections: RejectedKeyTable;
  readonly rejectedRequests: RejectedRequestTable;
  readonly clock: Clock;
}

export function callerDependencies(): CallerDependencies {
  const client = database();
  const tableName = setting('API_KEYS_TABLE');
  return {
    accounts: accountTable(client, tableName),
    limiter: rateLimitTable(client, tableName),
    rejections: rejectedKeyTable(client, tableName),
    rejectedRequests: rejectedRequestTable(databaseWithoutRetries(), tableName),
    clock: REAL_CLOCK,
  };
}
