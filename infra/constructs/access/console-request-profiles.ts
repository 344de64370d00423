import {
  type AccessProfile,
  CHARGES,
  LOG,
  READ_WITHDRAWN,
  type TableRight,
  WITHDRAW_SLIP,
  WRITE_CHARGES,
} from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';
import { RECORD } from './console-rights.ts';

/**
 * What the console's functions for requests may access. Apart from the session check, test requests and withdrawals of
 * slips, they write nothing. They cannot read balances.
 */

/** The counts of rejected requests. */
const READ_REJECTED: TableRight = { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['REJECTED#*'] };

export const listRequests: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_REJECTED,
    { table: 'VerificationLogs', actions: ['Query'], index: 'byTime' },
    { table: 'VerificationLogs', actions: ['Query'], index: 'byReference' },
    // The consent, the reason and the match of exported requests.
    { table: 'VerificationLogs', actions: ['BatchGetItem'] },
    // The requests that free replays repeat.
    { table: 'Wallets', actions: ['BatchGetItem'], leadingKeys: CHARGES },
  ],
  settings: ['LOG_RETENTION_DAYS'],
};

export const showRequest: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_REJECTED,
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    { table: 'Wallets', actions: ['GetItem'], leadingKeys: CHARGES },
    READ_WITHDRAWN,
  ],
  // The names of withdrawn slips.
  secrets: ['SLIP'],
  settings: ['LOG_RETENTION_DAYS'],
};

export const withdrawSlip: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
    WITHDRAW_SLIP,
    RECORD,
  ],
  secrets: ['SLIP'],
  settings: ['LOG_RETENTION_DAYS'],
};

/** Live rows begin with `live#`. */
const TEST_ROWS = ['test#*'];

/**
 * Charges sandbox look-ups to the test wallet. The function contains the sandbox. It cannot call registries or access
 * live rows.
 */
export const sendTestRequest: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    { table: 'ApiKeys', actions: ['BatchGetItem', 'UpdateItem'], leadingKeys: ['RATE#TEST'] },
    ...WRITE_CHARGES.map((right) => ({ ...right, leadingKeys: TEST_ROWS })),
    { table: 'VerificationLogs', actions: [...LOG, 'Query'], leadingKeys: TEST_ROWS },
    RECORD,
  ],
  secrets: ['PEPPER', 'SLIP'],
  settings: [
    'API_URL',
    'DOCUMENTATION_URL',
    'LOG_RETENTION_DAYS',
    'PUBLIC_BASE_URL',
    'REGISTRY_TIMEOUT_MS',
    'SLIP_THEME',
    'TEST_TRAFFIC',
  ],
};
