import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { type TableRight, WALLET_ROWS } from './access-profiles.ts';

/** The table permissions from which the profiles of operators are built. */

/** Unlike a function, an operator may delete log rows: an erasure moves them. */
export interface OperatorRight extends Omit<TableRight, 'actions'> {
  /** The CLI writes each change and its record in one transaction. Outside a transaction, IAM denies the actions. */
  readonly inTransaction?: true;
  readonly actions: readonly (TableRight['actions'][number] | 'DeleteItem')[];
}

const ORGANISATIONS = ['ORG#*'];
const KEYS = ['KEYS#*'];
const PROVIDERS = ['REGISTRY#*'];
/** `<env>#<org>#<nn>`: no charges. Matches a credit only if its reference has two characters. */
const SHARDS = ['live#??????????#??', 'test#??????????#??'];
/** `<env>#<org>#<sha256>`. Does not match charges, whose last part has 26 characters. */
const IDEMPOTENCY = ENVIRONMENTS.map((env) => `${env}#${'?'.repeat(10)}#${'?'.repeat(64)}`);

/** `org list` needs a scan, and permission to scan cannot be limited to some rows. */
export const READ_ORGANISATIONS: readonly OperatorRight[] = [
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ORGANISATIONS },
  { table: 'ApiKeys', actions: ['Scan'] },
];
/** The rows of the limiter say when and where a key was last used. */
export const READ_KEYS: readonly OperatorRight[] = [
  { table: 'ApiKeys', actions: ['Query'], leadingKeys: KEYS },
  { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['RATE#*'] },
];
export const READ_PROVIDERS: OperatorRight = {
  table: 'ApiKeys',
  actions: ['BatchGetItem'],
  leadingKeys: PROVIDERS,
};
export const SWITCH_PROVIDERS: readonly OperatorRight[] = [
  READ_PROVIDERS,
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: PROVIDERS },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: PROVIDERS, inTransaction: true },
];
export const READ_SHARDS: OperatorRight = {
  table: 'Wallets',
  actions: ['GetItem', 'BatchGetItem'],
  leadingKeys: SHARDS,
};
export const READ_STATEMENT: OperatorRight = { table: 'Wallets', actions: ['Query'], index: 'statement' };
/** The closed months, lots and documents of wallets, but no orders, price lists or current billing details. */
export const READ_CLOSINGS: OperatorRight = {
  table: 'Payments',
  actions: ['Query'],
  leadingKeys: WALLET_ROWS,
};
/**
 * Each change and its record are written in one transaction. No role may update or delete a record. The CLI, not the
 * role, ensures that a put never replaces a record.
 */
export const RECORD: readonly OperatorRight[] = [
  { table: 'AuditTrail', actions: ['GetItem'], leadingKeys: ['STAGE'] },
  {
    table: 'AuditTrail',
    actions: ['PutItem'],
    leadingKeys: [...ORGANISATIONS, 'STAGE'],
    inTransaction: true,
  },
];
/** Lets an operator request and approve changes that need a second person. */
export const APPROVE: readonly OperatorRight[] = [
  ...RECORD,
  { table: 'Approvals', actions: ['Query'] },
  { table: 'Approvals', actions: ['PutItem'], inTransaction: true },
];
export const READ_RECORDS: OperatorRight = { table: 'AuditTrail', actions: ['Query', 'Scan'] };
export const RECONCILE: readonly OperatorRight[] = [
  { table: 'Wallets', actions: ['GetItem', 'BatchGetItem', 'Scan'] },
  { table: 'VerificationLogs', actions: ['Scan'] },
  READ_STATEMENT,
  READ_CLOSINGS,
];
/** An erasure moves log rows and clears the fingerprints of requests. The breach report scans the log. */
export const LOGS_OF_PEOPLE: readonly OperatorRight[] = [
  { table: 'Wallets', actions: ['UpdateItem'], leadingKeys: IDEMPOTENCY },
  { table: 'VerificationLogs', actions: ['GetItem', 'Query', 'Scan', 'DeleteItem'] },
  { table: 'VerificationLogs', actions: ['PutItem'], inTransaction: true },
];
/** Creates shards. IAM cannot see whether a shard is new or empty, so a put can also replace one. */
export const CREATE_SHARDS: OperatorRight = { table: 'Wallets', actions: ['PutItem'], leadingKeys: SHARDS };
export const WRITE_ACCOUNTS: readonly OperatorRight[] = [
  {
    table: 'ApiKeys',
    actions: ['PutItem', 'UpdateItem'],
    leadingKeys: [...ORGANISATIONS, ...KEYS, 'EVENTS'],
    inTransaction: true,
  },
];
export const MOVE_CREDITS: OperatorRight = {
  table: 'Wallets',
  actions: ['UpdateItem'],
  leadingKeys: SHARDS,
  inTransaction: true,
};
