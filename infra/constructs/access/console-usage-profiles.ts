import {
  dayBalanceRow,
  registryDayRow,
  usageRow,
  usageState,
  walletRegistriesRow,
} from '../../../shared/usage/rows.ts';
import { type AccessProfile, ROW_KEY, SEAL_ROWS, USAGE_ROWS, WALLET_ROWS } from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';

/** What the usage functions may access. In Console, rows of people and organisations have other keys and attributes. */

const ATTRIBUTES = [usageRow, dayBalanceRow, usageState, walletRegistriesRow, registryDayRow].flatMap(
  ({ entries }) => Object.keys(entries),
);

/**
 * Counts usage from log rows and statements. It writes only usage, the time up to which it is counted, daily balances,
 * and daily counts of registries.
 */
export const rollUpUsage: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    // The balance at the end of the last sealed day.
    { table: 'Wallets', actions: ['GetItem'], leadingKeys: SEAL_ROWS },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
    // The balance at the end of the last closed month.
    { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS },
    { table: 'Console', actions: ['GetItem', 'BatchGetItem', 'Query'], leadingKeys: USAGE_ROWS },
    {
      table: 'Console',
      actions: ['PutItem'],
      leadingKeys: [...USAGE_ROWS, 'REGISTRY#*'],
      attributes: [...new Set([...ROW_KEY, ...ATTRIBUTES])],
    },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

/** Reads usage, and the lots and prices from which its cost is estimated. */
export const showUsage: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    { table: 'Console', actions: ['GetItem', 'Query'], leadingKeys: USAGE_ROWS },
    { table: 'Payments', actions: ['GetItem', 'Query'], leadingKeys: WALLET_ROWS },
    { table: 'Payments', actions: ['Query'], leadingKeys: ['PRICES#*'] },
  ],
};
