import {
  APPROVE,
  CREATE_SHARDS,
  type OperatorRight,
  READ_ORGANISATIONS,
  READ_RECORDS,
  READ_SHARDS,
  READ_STATEMENT,
  RECONCILE,
} from './operator-rights.ts';

/** The rights of the roles that work with money. */

const BOOK_CREDITS: OperatorRight = {
  table: 'Wallets',
  actions: ['PutItem', 'UpdateItem'],
  inTransaction: true,
};
const READ_PAYMENTS: readonly OperatorRight[] = [
  { table: 'Payments', actions: ['GetItem', 'BatchGetItem', 'Query'] },
  { table: 'Payments', actions: ['Query'], index: 'orders' },
  { table: 'Payments', actions: ['Query'], index: 'due' },
];
/**
 * Writes prices, billing details, orders, lots, documents and closings. Bookings also check that their month is open.
 */
const WRITE_PAYMENTS: OperatorRight = {
  table: 'Payments',
  actions: ['PutItem', 'UpdateItem', 'ConditionCheckItem'],
  inTransaction: true,
};

/** The reconciliation compares the audit trail with its archive. */
export const READ_TRAIL: OperatorRight = { table: 'AuditTrail', actions: ['Query'] };
export const READ_APPROVALS: OperatorRight = { table: 'Approvals', actions: ['Query'] };

export const READ_FINANCE: readonly OperatorRight[] = [
  ...READ_ORGANISATIONS,
  READ_SHARDS,
  READ_STATEMENT,
  ...READ_PAYMENTS,
  READ_RECORDS,
  READ_APPROVALS,
];

export const FINANCE: readonly OperatorRight[] = [
  ...READ_FINANCE,
  ...RECONCILE,
  CREATE_SHARDS,
  BOOK_CREDITS,
  WRITE_PAYMENTS,
  ...APPROVE,
];
