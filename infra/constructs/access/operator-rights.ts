import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import { CONTROL_MONEY, READ_BALANCE, SEAL_ROWS, type TableRight, WALLET_ROWS } from './access-profiles.ts';

/** With the credentials of a role. The operator API makes changes. */

/** `org list` scans, and a scan cannot be limited to some rows. */
export const READ_ORGANISATIONS: readonly TableRight[] = [
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  { table: 'ApiKeys', actions: ['Scan'] },
];
/** When and where a key was last used. */
export const READ_KEYS: readonly TableRight[] = [
  { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['KEYS#*'] },
  { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['RATE#*'] },
];
export const READ_PROVIDERS: TableRight = {
  table: 'ApiKeys',
  actions: ['BatchGetItem'],
  leadingKeys: ['REGISTRY#*'],
};
export const PROVIDER_SECRETS = LIVE_PROVIDER_NAMES.map(
  (name) => name.toUpperCase() as Uppercase<LiveProviderName>,
);
export const READ_STATEMENT: TableRight = { table: 'Wallets', actions: ['Query'], index: 'statement' };
/** So that a command can say that it was already run. */
export const READ_CREDITS: TableRight = { table: 'Wallets', actions: ['GetItem'] };
export const READ_CLOSINGS: TableRight = {
  table: 'Payments',
  actions: ['Query'],
  leadingKeys: WALLET_ROWS,
};
export const READ_PAYMENTS: readonly TableRight[] = [
  { table: 'Payments', actions: ['GetItem', 'BatchGetItem', 'Query'] },
  { table: 'Payments', actions: ['Query'], index: 'orders' },
  { table: 'Payments', actions: ['Query'], index: 'due' },
];
/** Without changes in the background. */
export const READ_APPROVALS: TableRight = {
  table: 'Approvals',
  actions: ['Query'],
  leadingKeys: ['APPROVALS'],
};
export const READ_TRAIL: TableRight = { table: 'AuditTrail', actions: ['Query'] };
export const READ_RECORDS: TableRight = { table: 'AuditTrail', actions: ['Query', 'Scan'] };
export const RECONCILE: readonly TableRight[] = [
  { table: 'Wallets', actions: ['GetItem', 'BatchGetItem', 'Scan'] },
  { table: 'Wallets', actions: ['Query'], leadingKeys: SEAL_ROWS },
  { table: 'VerificationLogs', actions: ['Scan'] },
  { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
  { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
  READ_STATEMENT,
  READ_CLOSINGS,
  ...CONTROL_MONEY,
];
/** Members, invitations and profiles, but no sessions. */
export const READ_MEMBERS: TableRight = {
  table: 'Console',
  actions: ['GetItem', 'BatchGetItem', 'Query'],
  leadingKeys: ['ORG#*'],
};
export const READ_FINANCE: readonly TableRight[] = [
  ...READ_ORGANISATIONS,
  READ_BALANCE,
  READ_STATEMENT,
  ...READ_PAYMENTS,
  READ_RECORDS,
  READ_APPROVALS,
];
