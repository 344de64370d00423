import { type AccessProfile, LOG, WRITE_CHARGES } from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';
import { RECORD } from './console-rights.ts';

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
