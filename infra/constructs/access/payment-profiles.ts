import { automaticTopUp } from '../../../shared/payments/automatic/automatic-top-up.ts';
import { topUpOrder } from '../../../shared/payments/orders/order.ts';
import {
  type AccessProfile,
  KEY_CHECK,
  ORDER_ROWS,
  READ,
  ROW_KEY,
  recordIn,
  SEAL_ROWS,
  SETTLED_ROWS,
  type TableRight,
  WALLET_ROWS,
} from './access-profiles.ts';

const AUTOMATIC_ROWS = ['AUTOMATIC#*'];
export const READ_AUTOMATIC: TableRight = {
  table: 'Payments',
  actions: ['GetItem'],
  leadingKeys: AUTOMATIC_ROWS,
};

/** A refund or a reversal stops automatic top-ups in its transaction. */
export const TAKEN_BACK_ROWS = [...SETTLED_ROWS, ...AUTOMATIC_ROWS];
const ORDER = [
  ...ROW_KEY,
  ...Object.keys(topUpOrder.entries),
  'ordersKey',
  'ordersSort',
  'dueKey',
  'dueSort',
];
/** Cannot change the settings of automatic top-ups: orders lack their attributes. */
const RECORD_REVERSAL: readonly TableRight[] = [
  {
    table: 'Payments',
    actions: ['PutItem'],
    leadingKeys: TAKEN_BACK_ROWS,
    attributes: ORDER,
    inTransaction: true,
  },
  {
    table: 'Payments',
    actions: ['UpdateItem'],
    leadingKeys: TAKEN_BACK_ROWS,
    attributes: [...ROW_KEY, 'paidBackAt', 'version'],
    inTransaction: true,
  },
];

export const READ_PRICES: TableRight = { table: 'Payments', actions: ['Query'], leadingKeys: ['PRICES#*'] };

/** It has no access to verifications. */
const SETTLE: readonly TableRight[] = [
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  { table: 'Wallets', actions: [...READ, 'PutItem', 'UpdateItem'] },
  { table: 'Payments', actions: ['GetItem'], leadingKeys: [...SETTLED_ROWS, 'ORG#*'] },
  { table: 'Payments', actions: ['PutItem', 'ConditionCheckItem'], leadingKeys: SETTLED_ROWS },
  recordIn(['ORG#*']),
  READ_AUTOMATIC,
  // Of late payments.
  READ_PRICES,
  ...RECORD_REVERSAL,
];

/** For Paystack's webhook and the page of a payment. */
export const orderSettler: AccessProfile = {
  tables: SETTLE,
  secrets: ['PAYMENTS'],
  settings: ['MONEY'],
  startsPublisher: true,
};

export const SAVE_AUTOMATIC: TableRight = {
  table: 'Payments',
  actions: ['PutItem'],
  leadingKeys: AUTOMATIC_ROWS,
  attributes: [...ROW_KEY, ...Object.keys(automaticTopUp.entries), 'dueKey', 'dueSort'],
  inTransaction: true,
};

export const settler: AccessProfile = {
  tables: [
    ...SETTLE,
    // Automatic top-ups, and what they cost.
    {
      table: 'Payments',
      actions: ['PutItem'],
      leadingKeys: TAKEN_BACK_ROWS,
      inTransaction: true,
    },
    { table: 'Payments', actions: ['Query'], leadingKeys: ORDER_ROWS },
    { table: 'Payments', actions: ['Query'], index: 'due' },
    // Lots that expire.
    { table: 'Payments', actions: ['Query', 'UpdateItem'], leadingKeys: WALLET_ROWS },
    // The charges that used the credits of an expiring lot.
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    { table: 'Wallets', actions: ['Query'], leadingKeys: SEAL_ROWS },
  ],
  secrets: ['PAYMENTS', 'CARDS'],
  settings: ['MONEY'],
  publishes: true,
  startsPublisher: true,
};

export const READ_ORDERS: TableRight = {
  table: 'Payments',
  actions: ['Query'],
  index: 'orders',
  leadingKeys: WALLET_ROWS,
};
export const READ_BILLING: TableRight = { table: 'Payments', actions: ['GetItem'], leadingKeys: ['ORG#*'] };

/** Opens orders with Paystack. It cannot credit anything, or read rows of a wallet other than its orders. */
export const OPEN_ORDERS: readonly TableRight[] = [
  { table: 'Payments', actions: ['GetItem', 'PutItem'], leadingKeys: ORDER_ROWS },
  READ_ORDERS,
  READ_PRICES,
  READ_BILLING,
];

export const startTopUp: AccessProfile = {
  tables: [...KEY_CHECK, ...OPEN_ORDERS, recordIn(['ORG#*'])],
  secrets: ['PAYMENTS'],
  settings: ['MONEY', 'PUBLIC_BASE_URL'],
};

export const topUp: AccessProfile = {
  tables: [...KEY_CHECK, ...SETTLE],
  secrets: ['PAYMENTS'],
  settings: ['MONEY'],
  startsPublisher: true,
};
