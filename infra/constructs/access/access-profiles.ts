import { auditEntry } from '../../../shared/audit/audit-entry.ts';
import { ENVIRONMENTS } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import { RECONCILIATION_KEY } from '../../../shared/core/keys.ts';
import { reconciliationRun, seal, sealHead } from '../../../shared/ledger/reconcile/seal.ts';
import { charge } from '../../../shared/ledger/rows/charge.ts';
import { idempotency } from '../../../shared/ledger/rows/idempotency.ts';
import { WITHOUT_CARD } from '../../../shared/payments/automatic/automatic-top-up.ts';
import { OWNER_ATTRIBUTES } from '../../../shared/payments/control/check-owners.ts';
import type { LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';

/**
 * None can delete items, except that the operators' erasure moves log rows; only the reconciler, the copier of the
 * audit trail and the breach report can scan. In ApiKeys, they update only limiter, rejected request, slip, registry
 * and event rows.
 */

export type TableName =
  | 'ApiKeys'
  | 'Wallets'
  | 'VerificationLogs'
  | 'AuditTrail'
  | 'Approvals'
  | 'Payments'
  | 'Console';
export type SecretName =
  | 'PEPPER'
  | 'SLIP'
  | 'SANDBOX'
  | 'TEST_KEY'
  | 'PAYMENTS'
  | 'WEBHOOKS'
  | 'CARDS'
  | Uppercase<LiveProviderName>;
/** Settings that only some functions use. */
export type SettingName =
  | 'REGISTRIES'
  | 'LOG_RETENTION_DAYS'
  | 'PUBLIC_BASE_URL'
  | 'SLIP_THEME'
  | 'SUPPORT_CONTACT'
  | 'LOW_BALANCE_CREDITS'
  | 'NUBAN_RESOLVE'
  | 'MONEY'
  | 'ALLOWED_METHODS'
  | 'CONSOLE_URL'
  | 'LINKED_CONSOLE_URL'
  | 'TERMS'
  | 'TEST_CREDITS'
  | 'TEST_TRAFFIC'
  | 'REGISTRY_TIMEOUT_MS'
  | 'API_URL'
  | 'DOCUMENTATION_URL'
  | 'SECOND_PERSON_ABOVE';

export interface TableRight {
  readonly table: TableName;
  /** A transaction needs its actions' permissions, but none for itself. */
  readonly actions: readonly (
    | 'GetItem'
    | 'BatchGetItem'
    | 'Query'
    | 'PutItem'
    | 'UpdateItem'
    | 'ConditionCheckItem'
    | 'DeleteItem'
    | 'Scan'
  )[];
  /** Instead of on the table. */
  readonly index?: string;
  /** With those of all other rows of the table in the same transaction: IAM may evaluate them together. */
  readonly leadingKeys?: readonly string[];
  /** To write, name in a condition or return. Includes all attributes of a put. */
  readonly attributes?: readonly string[];
  readonly inTransaction?: true;
}

export interface AccessProfile {
  readonly tables?: readonly TableRight[];
  readonly secrets?: readonly SecretName[];
  readonly settings?: readonly SettingName[];
  /** The function receives the routing, the sandbox and the secrets of the live providers for these types. */
  readonly looksUp?: readonly IdType[];
  /** Their age, not their values. Those of live providers in use come on top. */
  readonly monitors?: readonly SecretName[];
  readonly publishes?: true;
  /** Starts `publish-events` for a wallet that has changed. */
  readonly startsPublisher?: true;
  readonly webhookQueue?: 'send' | 'receive';
  readonly archive?: 'copy' | 'compare';
  /** Receives the user pool and its client, and may read the client's secret. */
  readonly signsIn?: true;
  readonly checksSecondFactor?: true;
  readonly createsAccounts?: true;
  /** From the console's address only. */
  readonly sendsMail?: true;
  /** To continue after the response. */
  readonly continues?: true;
  /** Also reports to CodeDeploy. */
  readonly checksVersions?: true;
}

export const READ = ['GetItem', 'BatchGetItem'] as const;

const ENTRY_ATTRIBUTES = ['pk', 'sk', ...Object.keys(auditEntry.entries)];

/** Only in the transaction of the change, and without other attributes, such as an expiry. */
export function recordIn(leadingKeys: readonly string[]): TableRight {
  return {
    table: 'AuditTrail',
    actions: ['PutItem'],
    leadingKeys,
    attributes: ENTRY_ATTRIBUTES,
    inTransaction: true,
  };
}

/** Lots, documents and closings. */
export const WALLET_ROWS = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}`);
export const USAGE_ROWS = ENVIRONMENTS.map((env) => `${env}#*`);
/** Orders and their refunds. */
export const ORDER_ROWS = ENVIRONMENTS.map((env) => `${env}#TOPUP#*`);
/** When a payment is credited. Without prices and billing details. */
export const SETTLED_ROWS = [...WALLET_ROWS, ...ORDER_ROWS, 'COUNTER#*'];

/** `<env>#<org>#<nn>`. Matches a credit only if its reference has two characters. */
export const SHARDS = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}#??`);
/**
 * `<env>#<org>#<operation id>`: charges, but no balances or idempotency rows, and a credit only if its reference has 26
 * characters.
 */
export const CHARGES = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}#${'?'.repeat(26)}`);
/** `<env>#<org>#<sha256>`. Does not match charges. */
export const IDEMPOTENCY = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}#${'?'.repeat(64)}`);
/** The charges say which holds are spent. */
export const READ_BALANCE: TableRight = {
  table: 'Wallets',
  actions: ['GetItem', 'BatchGetItem'],
  leadingKeys: [...SHARDS, ...CHARGES],
};

/** The seals of wallets: `<env>#<org>#SEALS`. */
export const SEAL_ROWS = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}#SEALS`);
const SEAL_ATTRIBUTES = [
  ...new Set(['pk', 'sk', ...[seal, sealHead, reconciliationRun].flatMap((row) => Object.keys(row.entries))]),
];

/** With the check of erasure markers. */
export const LOG = [...READ, 'PutItem', 'ConditionCheckItem'] as const;

export const KEY_CHECK: readonly TableRight[] = [
  { table: 'ApiKeys', actions: READ },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['RATE#*', 'REJECTED#*'] },
];

/** The attributes of a row's primary key. */
export const ROW_KEY = ['pk', 'sk'];
const CHARGE_ROW = [...ROW_KEY, ...Object.keys(charge.entries), 'statementKey', 'statementSort'];
const IDEMPOTENCY_ROW = [...ROW_KEY, ...Object.keys(idempotency.entries)];
/** Without credit rows and a shard's sum of credits, which have other attributes. */
export const WRITE_CHARGES: readonly TableRight[] = [
  { table: 'Wallets', actions: READ },
  {
    table: 'Wallets',
    actions: ['PutItem'],
    attributes: [...new Set([...CHARGE_ROW, ...IDEMPOTENCY_ROW])],
  },
  {
    table: 'Wallets',
    actions: ['UpdateItem'],
    attributes: [...IDEMPOTENCY_ROW, 'available', 'moved', 'holds'],
  },
];

const CHARGE: readonly TableRight[] = [
  { table: 'ApiKeys', actions: READ },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['RATE#*', 'REJECTED#*', 'REGISTRY#*'] },
  ...WRITE_CHARGES,
  { table: 'VerificationLogs', actions: LOG },
];

export const apiDocument: AccessProfile = { settings: ['SUPPORT_CONTACT'] };

export const unknownRoute: AccessProfile = { settings: ['ALLOWED_METHODS'] };

export function verification(...looksUp: readonly IdType[]): AccessProfile {
  return {
    tables: CHARGE,
    secrets: ['PEPPER'],
    settings: ['LOG_RETENTION_DAYS', 'LOW_BALANCE_CREDITS'],
    looksUp,
    startsPublisher: true,
  };
}

/** May ask many banks about one account. */
export function accounts(...looksUp: readonly IdType[]): AccessProfile {
  return {
    ...verification(...looksUp),
    settings: ['LOG_RETENTION_DAYS', 'LOW_BALANCE_CREDITS', 'NUBAN_RESOLVE'],
  };
}

/** Also reads earlier verifications of the NIN, and signs the slip. */
export const slip: AccessProfile = {
  tables: [...CHARGE, { table: 'VerificationLogs', actions: ['Query'] }],
  secrets: ['PEPPER', 'SLIP'],
  settings: ['LOG_RETENTION_DAYS', 'LOW_BALANCE_CREDITS', 'PUBLIC_BASE_URL', 'SLIP_THEME'],
  looksUp: ['NIN'],
  startsPublisher: true,
};

/** Only checks the key. */
export const keyOnly: AccessProfile = { tables: KEY_CHECK };

export const balance: AccessProfile = { tables: [...KEY_CHECK, { table: 'Wallets', actions: READ }] };

export const statement: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'Wallets', actions: ['GetItem'] },
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    // Needed only for the balance at the end of the last closed month.
    { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS },
  ],
};

export const lots: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'Wallets', actions: READ },
    { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS },
  ],
};

export const invoices: AccessProfile = {
  tables: [...KEY_CHECK, { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS }],
};

export const invoice: AccessProfile = {
  tables: [...KEY_CHECK, { table: 'Payments', actions: ['GetItem'], leadingKeys: WALLET_ROWS }],
};

export const logEntry: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'VerificationLogs', actions: ['GetItem'] },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    // The request that a free replay repeats.
    { table: 'Wallets', actions: ['BatchGetItem'], leadingKeys: CHARGES },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const logList: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['REJECTED#*'] },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byReference' },
    // The requests with one idempotency key.
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    { table: 'VerificationLogs', actions: ['Query', 'BatchGetItem'] },
    { table: 'Wallets', actions: ['BatchGetItem'], leadingKeys: [...CHARGES, ...IDEMPOTENCY] },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const health: AccessProfile = {
  tables: [{ table: 'ApiKeys', actions: READ }],
  settings: ['REGISTRIES'],
};

const SLIP_ROWS = ['SLIP#*'];

/** Says in ApiKeys that a slip was withdrawn. */
export const WITHDRAW_SLIP: TableRight = {
  table: 'ApiKeys',
  actions: ['PutItem'],
  leadingKeys: SLIP_ROWS,
  attributes: ['pk', 'sk', 'expiresAt'],
  inTransaction: true,
};

export const revokeSlip: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    WITHDRAW_SLIP,
    recordIn(['ORG#*']),
  ],
  secrets: ['SLIP'],
  settings: ['LOG_RETENTION_DAYS'],
};

export const READ_WITHDRAWN: TableRight = {
  table: 'ApiKeys',
  actions: ['GetItem'],
  leadingKeys: SLIP_ROWS,
};

export const slipCheck: AccessProfile = {
  tables: [READ_WITHDRAWN],
  secrets: ['SLIP'],
};

export const slipDetails: AccessProfile = {
  tables: [{ table: 'ApiKeys', actions: ['GetItem', 'UpdateItem'], leadingKeys: SLIP_ROWS }],
  secrets: ['SLIP'],
};

export const sandbox: AccessProfile = { secrets: ['SANDBOX'] };

export const sweeper: AccessProfile = {
  tables: [
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    ...WRITE_CHARGES,
    { table: 'VerificationLogs', actions: LOG },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

/** Besides the rows of wallets. */
export const CHECK_MONEY: readonly TableRight[] = [
  { table: 'Payments', actions: ['Query'], leadingKeys: [...ORDER_ROWS, 'PRICES#*'] },
  { table: 'Payments', actions: ['GetItem'], leadingKeys: ['COUNTER#*', 'ORG#*'] },
  { table: 'Payments', actions: ['Query'], index: 'orders' },
];
/** Also the owners of all rows, and automatic top-ups. */
export const CONTROL_MONEY: readonly TableRight[] = [
  ...CHECK_MONEY,
  { table: 'Payments', actions: ['Scan'], attributes: OWNER_ATTRIBUTES },
  // Open refunds.
  { table: 'Payments', actions: ['Query'], index: 'due' },
  // Without the card.
  {
    table: 'Payments',
    actions: ['GetItem'],
    leadingKeys: ['AUTOMATIC#*'],
    attributes: WITHOUT_CARD,
  },
];

export const reconciler: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: [...READ, 'Scan'] },
    { table: 'Wallets', actions: [...READ, 'Scan'] },
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    { table: 'Wallets', actions: ['Query'], leadingKeys: SEAL_ROWS },
    // It cannot change balances, which are in other rows and have other attributes.
    {
      table: 'Wallets',
      actions: ['PutItem'],
      leadingKeys: [...SEAL_ROWS, RECONCILIATION_KEY.pk],
      attributes: SEAL_ATTRIBUTES,
    },
    { table: 'VerificationLogs', actions: [...READ, 'Scan'] },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS },
    ...CONTROL_MONEY,
    // Rows of people and organisations have other keys.
    { table: 'Console', actions: ['GetItem', 'Query'], leadingKeys: USAGE_ROWS },
    { table: 'AuditTrail', actions: ['Query'], leadingKeys: ['ORG#*', 'STAGE'] },
  ],
  settings: ['LOG_RETENTION_DAYS', 'MONEY'],
  archive: 'compare',
};

/** If it is run by hand, it copies all that are missing there. */
export const trailCopier: AccessProfile = {
  tables: [{ table: 'AuditTrail', actions: ['Scan'] }],
  archive: 'copy',
};

export const publisher: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: [...READ, 'Query'] },
    { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['EVENTS'] },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    { table: 'Wallets', actions: READ },
    // Credited orders whose events are not published yet.
    { table: 'Payments', actions: ['Query'], index: 'due' },
    { table: 'Payments', actions: ['GetItem'], leadingKeys: ORDER_ROWS },
    {
      table: 'Payments',
      actions: ['UpdateItem'],
      leadingKeys: ORDER_ROWS,
      attributes: ['pk', 'sk', 'unpublished', 'dueKey', 'dueSort', 'version'],
    },
  ],
  settings: ['REGISTRIES', 'LOW_BALANCE_CREDITS'],
  // Excludes the pepper, which is not rotated on a schedule (docs/design/security.md, "Secrets").
  monitors: ['SLIP', 'SANDBOX'],
  publishes: true,
};

export const probe: AccessProfile = { secrets: ['TEST_KEY'] };

export const versionCheck: AccessProfile = { secrets: ['TEST_KEY'], checksVersions: true };
