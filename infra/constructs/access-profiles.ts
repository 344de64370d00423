import type { IdType } from '../../shared/core/id-types.ts';
import type { LiveProviderName } from '../../shared/registries/providers/catalogue.ts';

/**
 * What each kind of function may touch, and nothing else. Nobody deletes; only the reconciler scans; updates in
 * ApiKeys reach limiter and registry rows alone, since keys and organisations belong to the operator.
 */

export type TableName = 'ApiKeys' | 'Wallets' | 'VerificationLogs';
export type SecretName = 'PEPPER' | 'SLIP' | 'SANDBOX' | Uppercase<LiveProviderName>;
/** Settings that only some functions need. */
export type SettingName =
  | 'REGISTRIES'
  | 'LOG_RETENTION_DAYS'
  | 'PUBLIC_BASE_URL'
  | 'SLIP_THEME'
  | 'LOW_BALANCE_CREDITS';

/** Actions on a table, on one of its indexes, or on the items under some partition keys. */
export interface TableRight {
  readonly table: TableName;
  readonly actions: readonly ('GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'Scan')[];
  /** The index in place of the table. */
  readonly index?: string;
  /** Patterns that the partition key of every item must match. */
  readonly leadingKeys?: readonly string[];
}

export interface AccessProfile {
  readonly tables?: readonly TableRight[];
  readonly secrets?: readonly SecretName[];
  readonly settings?: readonly SettingName[];
  /** The ID types for which it asks registries: brings the routing, the sandbox and the live providers' secrets. */
  readonly asks?: readonly IdType[];
  /** Sees when these secrets, and those of all live providers, were last put; never their values. */
  readonly specs?: readonly SecretName[];
  /** Sends events to the bus of the stage. */
  readonly publishes?: true;
}

/** Transactions need no rights of their own: each of their parts needs the right of its single action. */
const READ = ['GetItem', 'BatchGetItem'] as const;

/** Key and organisation in one read, and the limiter's one write. */
const KEY_CHECK: readonly TableRight[] = [
  { table: 'ApiKeys', actions: READ },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['RATE#*'] },
];

const CHARGE: readonly TableRight[] = [
  { table: 'ApiKeys', actions: READ },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['RATE#*', 'REGISTRY#*'] },
  { table: 'Wallets', actions: [...READ, 'PutItem', 'UpdateItem'] },
  { table: 'VerificationLogs', actions: ['GetItem', 'PutItem'] },
];

export const nothing: AccessProfile = {};

/** A charged request that asks the registries of some ID types. */
export function verification(...asks: readonly IdType[]): AccessProfile {
  return { tables: CHARGE, secrets: ['PEPPER'], settings: ['LOG_RETENTION_DAYS'], asks };
}

/** A verification that first looks for an earlier one of the same NIN, and signs what it draws. */
export const slip: AccessProfile = {
  tables: [...CHARGE, { table: 'VerificationLogs', actions: ['Query'] }],
  secrets: ['PEPPER', 'SLIP'],
  settings: ['LOG_RETENTION_DAYS', 'PUBLIC_BASE_URL', 'SLIP_THEME'],
  asks: ['NIN'],
};

export const balance: AccessProfile = { tables: [...KEY_CHECK, { table: 'Wallets', actions: READ }] };

export const statement: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'Wallets', actions: ['GetItem'] },
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
  ],
};

export const logEntry: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'VerificationLogs', actions: ['GetItem'] },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const health: AccessProfile = {
  tables: [{ table: 'ApiKeys', actions: READ }],
  settings: ['REGISTRIES'],
};

export const slipCheck: AccessProfile = { secrets: ['SLIP'], settings: ['PUBLIC_BASE_URL'] };

export const sandbox: AccessProfile = { secrets: ['SANDBOX'] };

export const sweeper: AccessProfile = {
  tables: [
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    { table: 'Wallets', actions: [...READ, 'PutItem', 'UpdateItem'] },
    { table: 'VerificationLogs', actions: ['GetItem', 'PutItem'] },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const reconciler: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: [...READ, 'Scan'] },
    { table: 'Wallets', actions: [...READ, 'Scan'] },
    { table: 'VerificationLogs', actions: [...READ, 'Scan'] },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const publisher: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: [...READ, 'Query'] },
    { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['EVENTS'] },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    { table: 'Wallets', actions: READ },
  ],
  settings: ['REGISTRIES', 'LOW_BALANCE_CREDITS'],
  // Not the pepper: it is changed for a reason and not by the calendar (docs/security.md, "Secrets").
  specs: ['SLIP', 'SANDBOX'],
  publishes: true,
};
