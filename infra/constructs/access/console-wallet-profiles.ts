import { billingDetails } from '../../../shared/payments/prices/billing.ts';
import {
  type AccessProfile,
  ORDER_ROWS,
  READ_BALANCE,
  ROW_KEY,
  type TableRight,
  WALLET_ROWS,
} from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';
import { changeOrganisation, DAYS, NOTIFY_OWNERS, READ_MEMBERS, RECORD } from './console-rights.ts';
import {
  OPEN_ORDERS,
  READ_AUTOMATIC,
  READ_BILLING,
  READ_ORDERS,
  READ_PRICES,
  SAVE_AUTOMATIC,
} from './payment-profiles.ts';

/**
 * What the console's functions for wallets, payments and documents may access. None can settle payments or write
 * credits.
 */

/** Lots, documents and closings. */
const READ_PAYMENTS: TableRight = { table: 'Payments', actions: ['Query'], leadingKeys: WALLET_ROWS };

export const showWallet: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_BALANCE,
    READ_PAYMENTS,
    READ_ORDERS,
    READ_PRICES,
    READ_BILLING,
    READ_AUTOMATIC,
    { table: 'Console', actions: ['Query'], leadingKeys: DAYS },
    // The profile, which suggests billing details.
    { table: 'Console', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  ],
  settings: ['MONEY', 'LOW_BALANCE_CREDITS'],
};

export const listStatement: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    { table: 'Wallets', actions: ['Query'], index: 'statement' },
    // Needed only for the balance at the start of the month.
    READ_PAYMENTS,
    { table: 'Console', actions: ['GetItem'], leadingKeys: DAYS },
  ],
};

export const listInvoices: AccessProfile = { tables: [...SESSION_CHECK, READ_PAYMENTS] };

export const showInvoice: AccessProfile = {
  tables: [...SESSION_CHECK, { table: 'Payments', actions: ['GetItem'], leadingKeys: WALLET_ROWS }],
};

export const updateBilling: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_BILLING,
    {
      table: 'Payments',
      actions: ['PutItem'],
      leadingKeys: ['ORG#*'],
      attributes: [...ROW_KEY, ...Object.keys(billingDetails.entries)],
      inTransaction: true,
    },
    RECORD,
  ],
};

export const changeBalanceAlert: AccessProfile = {
  tables: [...SESSION_CHECK, ...changeOrganisation('lowBalanceCredits'), RECORD],
  settings: ['LOW_BALANCE_CREDITS'],
};

/** Reads the card of a paid order from Paystack, and encrypts it. It cannot charge: only the settler opens the order of a charge. */
export const changeAutomaticTopUp: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    { table: 'Payments', actions: ['GetItem'], leadingKeys: ORDER_ROWS },
    READ_PRICES,
    READ_BILLING,
    READ_AUTOMATIC,
    SAVE_AUTOMATIC,
    READ_MEMBERS,
    RECORD,
  ],
  secrets: ['PAYMENTS', 'CARDS'],
  settings: ['MONEY', ...NOTIFY_OWNERS.settings],
  sendsMail: true,
};

export const startTopUp: AccessProfile = {
  tables: [...SESSION_CHECK, ...OPEN_ORDERS, RECORD],
  secrets: ['PAYMENTS'],
  settings: ['MONEY', 'API_URL', 'CONSOLE_URL'],
};

export const showTopUp: AccessProfile = {
  tables: [...SESSION_CHECK, { table: 'Payments', actions: ['GetItem'], leadingKeys: ORDER_ROWS }],
};
