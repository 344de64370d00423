import { auditEntry } from '../../../shared/audit/audit-entry.ts';
import { ENVIRONMENTS } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import { RECONCILIATION_KEY } from '../../../shared/core/keys.ts';
import { reconciliationRun, seal, sealHead } from '../../../shared/ledger/reconcile/seal.ts';
import { charge } from '../../../shared/ledger/rows/charge.ts';
import { idempotency } from '../../../shared/ledger/rows/idempotency.ts';
import type { LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';

/**
 * What each kind of API function may access. None can delete items, except that the operators' erasure moves log rows,
 * and only the reconciler, the copier of the audit trail and the operators' breach report can scan. In ApiKeys, these
 * functions update only limiter, rejected request, slip, registry and event rows, because keys and organisations belong
 * to the operator and the console.
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

/** Actions on a table or on one of its indexes, optionally limited to some partition keys or attributes. */
export interface TableRight {
  readonly table: TableName;
  /** A transaction needs permission for each of its actions, but not for itself. */
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
  /** Allows the actions on this index instead of on the table. */
  readonly index?: string;
  /** The partition key of every item must match one of these patterns. */
  readonly leadingKeys?: readonly string[];
  /**
   * The only attributes that the actions may write, name in a condition or return. They must include all attributes
   * of a put.
   */
  readonly attributes?: readonly string[];
  /** Allows the actions only as part of a transaction. */
  readonly inTransaction?: true;
}

export interface AccessProfile {
  readonly tables?: readonly TableRight[];
  readonly secrets?: readonly SecretName[];
  readonly settings?: readonly SettingName[];
  /**
   * The types of the numbers that the function looks up. The function receives the routing, the sandbox and the secrets
   * of the live providers for these types.
   */
  readonly looksUp?: readonly IdType[];
  /**
   * Secrets whose age the function reads, in addition to those of the live providers in use. It cannot read their
   * values.
   */
  readonly monitors?: readonly SecretName[];
  /** Publishes events to the event bus of the stage. */
  readonly publishes?: true;
  /** Adds webhook deliveries to their queue, or receives them from it. */
  readonly webhookQueue?: 'send' | 'receive';
  /** Fills the archive of the audit trail, or compares it with the table. */
  readonly archive?: 'copy' | 'compare';
  /** Uses the identity provider: receives the user pool and its client, and may read the client's secret. */
  readonly signsIn?: true;
  /** Whether the function reads which second factors a person has. */
  readonly checksSecondFactor?: true;
  /** Sends emails from the console's address, and from no other. */
  readonly sendsMail?: true;
  /** Invokes itself, to continue a change after the response. */
  readonly continues?: true;
  /** Invokes every version of the functions behind the API and reports to CodeDeploy. */
  readonly checksVersions?: true;
}

const READ = ['GetItem', 'BatchGetItem'] as const;

const ENTRY_ATTRIBUTES = ['pk', 'sk', ...Object.keys(auditEntry.entries)];

/**
 * Adds rows to these partitions of the audit trail, only in the transaction of the change that they record, and without
 * other attributes, such as a time of expiry.
 */
export function recordIn(leadingKeys: readonly string[]): TableRight {
  return {
    table: 'AuditTrail',
    actions: ['PutItem'],
    leadingKeys,
    attributes: ENTRY_ATTRIBUTES,
    inTransaction: true,
  };
}

/** The rows of wallets in Payments (`<env>#<org>`): lots, documents and closings. */
export const WALLET_ROWS = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}`);
/** The usage and daily balances of wallets in Console: `<env>#<org>#<month>`. */
export const USAGE_ROWS = ENVIRONMENTS.map((env) => `${env}#*`);
/** Orders and their refunds. */
export const ORDER_ROWS = ENVIRONMENTS.map((env) => `${env}#TOPUP#*`);
/** The rows of Payments that change when a payment is credited. They exclude prices and billing details. */
export const SETTLED_ROWS = [...WALLET_ROWS, ...ORDER_ROWS, 'COUNTER#*'];

/** The seals of wallets: `<env>#<org>#SEALS`. */
export const SEAL_ROWS = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}#SEALS`);
const SEAL_ATTRIBUTES = [
  ...new Set(['pk', 'sk', ...[seal, sealHead, reconciliationRun].flatMap((row) => Object.keys(row.entries))]),
];

/** The actions needed to write a log row and to check that no erasure marker forbids it. */
export const LOG = [...READ, 'PutItem', 'ConditionCheckItem'] as const;

/** Reads the key and its organisation, updates the rate limiter, and counts rejected requests. */
const KEY_CHECK: readonly TableRight[] = [
  { table: 'ApiKeys', actions: READ },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['RATE#*', 'REJECTED#*'] },
];

/** The attributes of a row's primary key. */
export const ROW_KEY = ['pk', 'sk'];
const CHARGE_ROW = [...ROW_KEY, ...Object.keys(charge.entries), 'statementKey', 'statementSort'];
const IDEMPOTENCY_ROW = [...ROW_KEY, ...Object.keys(idempotency.entries)];
/**
 * What a charge reads and writes in Wallets. It cannot write a credit row or a shard's sum of credits, which have other
 * attributes.
 */
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

/** Returns the profile of a charged request that looks up numbers of these ID types. */
export function verification(...looksUp: readonly IdType[]): AccessProfile {
  return { tables: CHARGE, secrets: ['PEPPER'], settings: ['LOG_RETENTION_DAYS'], looksUp };
}

/** A verification of account numbers, which may ask many banks about one account. */
export const account: AccessProfile = {
  ...verification('NUBAN'),
  settings: ['LOG_RETENTION_DAYS', 'NUBAN_RESOLVE'],
};

/** A verification that also reads earlier verifications of the same NIN and signs the slip. */
export const slip: AccessProfile = {
  tables: [...CHARGE, { table: 'VerificationLogs', actions: ['Query'] }],
  secrets: ['PEPPER', 'SLIP'],
  settings: ['LOG_RETENTION_DAYS', 'PUBLIC_BASE_URL', 'SLIP_THEME'],
  looksUp: ['NIN'],
};

/** Only checks the key. */
export const keyOnly: AccessProfile = { tables: KEY_CHECK };

export const balance: AccessProfile = { tables: [...KEY_CHECK, { table: 'Wallets', actions: READ }] };

export const statement: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'Wallets', actions: ['GetItem'] },
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    // Needed only for the balance at the end of the last closed month. The balance of the last sealed day is in
    // Wallets.
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
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const logList: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['REJECTED#*'] },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byReference' },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const health: AccessProfile = {
  tables: [{ table: 'ApiKeys', actions: READ }],
  settings: ['REGISTRIES'],
};

export const slipCheck: AccessProfile = { secrets: ['SLIP'] };

export const slipDetails: AccessProfile = {
  tables: [
    {
      table: 'ApiKeys',
      actions: ['UpdateItem'],
      leadingKeys: ['SLIP#*'],
    },
  ],
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

export const reconciler: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: [...READ, 'Scan'] },
    { table: 'Wallets', actions: [...READ, 'Scan'] },
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
    { table: 'Wallets', actions: ['Query'], leadingKeys: SEAL_ROWS },
    // Writes daily totals. It cannot change balances, which are in other rows and have other attributes.
    {
      table: 'Wallets',
      actions: ['PutItem'],
      leadingKeys: [...SEAL_ROWS, RECONCILIATION_KEY.pk],
      attributes: SEAL_ATTRIBUTES,
    },
    { table: 'VerificationLogs', actions: [...READ, 'Scan'] },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    // Closed months are computed again from their lots.
    { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS },
    // Usage is compared with charges. Rows of people and organisations have other keys.
    { table: 'Console', actions: ['GetItem', 'Query'], leadingKeys: USAGE_ROWS },
    { table: 'AuditTrail', actions: ['Query'], leadingKeys: ['ORG#*', 'STAGE'] },
  ],
  settings: ['LOG_RETENTION_DAYS'],
  archive: 'compare',
};

/** Copies rows of the audit trail to the archive. If it is run by hand, it copies all that are missing there. */
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

/** Asks Paystack about orders and books their credits. It has no access to verifications. */
const SETTLE: readonly TableRight[] = [
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  { table: 'Wallets', actions: [...READ, 'PutItem', 'UpdateItem'] },
  { table: 'Payments', actions: ['GetItem'], leadingKeys: [...SETTLED_ROWS, 'ORG#*'] },
  { table: 'Payments', actions: ['PutItem'], leadingKeys: SETTLED_ROWS },
  { table: 'Payments', actions: ['ConditionCheckItem'], leadingKeys: WALLET_ROWS },
  recordIn(['ORG#*']),
];

/** Settles one order at a time, for Paystack's webhook and for the page of a payment. */
export const orderSettler: AccessProfile = { tables: SETTLE, secrets: ['PAYMENTS'], settings: ['MONEY'] };

export const settler: AccessProfile = {
  tables: [
    ...SETTLE,
    { table: 'Payments', actions: ['Query'], index: 'due' },
    // Lots that expire.
    { table: 'Payments', actions: ['Query', 'UpdateItem'], leadingKeys: WALLET_ROWS },
    // The charges that used the credits of an expiring lot.
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
  ],
  secrets: ['PAYMENTS'],
  settings: ['MONEY'],
};

/** Opens orders with Paystack. It cannot credit anything, and orders are the only rows of Payments that it writes. */
export const startTopUp: AccessProfile = {
  tables: [
    ...KEY_CHECK,
    { table: 'Payments', actions: ['GetItem', 'PutItem'], leadingKeys: ORDER_ROWS },
    { table: 'Payments', actions: ['Query'], leadingKeys: ['PRICES#*'] },
    { table: 'Payments', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  ],
  secrets: ['PAYMENTS'],
  settings: ['MONEY', 'PUBLIC_BASE_URL'],
};

/** Reads the state of an order and settles it, like the page that the customer returns to. */
export const topUp: AccessProfile = {
  tables: [...KEY_CHECK, ...SETTLE],
  secrets: ['PAYMENTS'],
  settings: ['MONEY'],
};

export const versionCheck: AccessProfile = { secrets: ['TEST_KEY'], checksVersions: true };
