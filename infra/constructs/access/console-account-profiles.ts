import { type AccessProfile, READ_BALANCE, type TableRight } from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';
import { changeOrganisation, DAYS, NOTIFY_OWNERS, READ_MEMBERS, RECORD } from './console-rights.ts';

/** What the console's functions for keys, services, test credits, the audit trail and Home may access. */

const READ_KEYS: TableRight = { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['KEYS#*'] };
/** The limiter's rows, which say when and where a key was last used. */
const READ_USE: TableRight = { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['RATE#*'] };
const KEY_ROWS = { table: 'ApiKeys', leadingKeys: ['KEYS#*'], inTransaction: true } as const;
const ADD_KEYS: TableRight = { ...KEY_ROWS, actions: ['PutItem'] };

/** Lets a function change the status and these attributes of keys, but no others. */
function changeKeys(...attributes: readonly string[]): TableRight {
  return { ...KEY_ROWS, actions: ['UpdateItem'], attributes: ['pk', 'sk', 'status', ...attributes] };
}

export const listKeys: AccessProfile = { tables: [...SESSION_CHECK, READ_KEYS, READ_MEMBERS, READ_USE] };

export const createKey: AccessProfile = {
  tables: [...SESSION_CHECK, READ_KEYS, READ_MEMBERS, ADD_KEYS, RECORD],
  ...NOTIFY_OWNERS,
};

export const updateKey: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_KEYS,
    READ_MEMBERS,
    READ_USE,
    changeKeys('label', 'formerLabels', 'scopes', 'addressRanges', 'count'),
    RECORD,
  ],
  ...NOTIFY_OWNERS,
};

export const rotateKey: AccessProfile = {
  tables: [...SESSION_CHECK, READ_KEYS, READ_MEMBERS, ADD_KEYS, changeKeys('notAfter', 'replacedAt'), RECORD],
  ...NOTIFY_OWNERS,
};

export const revokeKey: AccessProfile = {
  tables: [...SESSION_CHECK, READ_KEYS, READ_MEMBERS, READ_USE, changeKeys(), RECORD],
  ...NOTIFY_OWNERS,
};

/** The wallet and the lots of the test environment. Live rows begin with `live#`. */
const TEST_WALLETS = ['test#*'];
const TEST_LOTS = [`test#${'?'.repeat(10)}`];

export const takeTestCredits: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    {
      table: 'Wallets',
      actions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      leadingKeys: TEST_WALLETS,
    },
    { table: 'Payments', actions: ['PutItem'], leadingKeys: TEST_LOTS, inTransaction: true },
    { table: 'Payments', actions: ['ConditionCheckItem'], leadingKeys: TEST_LOTS },
    RECORD,
  ],
  settings: ['TEST_CREDITS'],
};

/** The session check has already read the organisation. */
export const listServices: AccessProfile = { tables: SESSION_CHECK };

export const changeService: AccessProfile = {
  tables: [...SESSION_CHECK, ...changeOrganisation('services'), RECORD],
};

export const listChanges: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_MEMBERS,
    { table: 'AuditTrail', actions: ['Query'], leadingKeys: ['ORG#*'] },
  ],
};

export const showHome: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_KEYS,
    { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['RATE#*', 'REGISTRY#*'] },
    { table: 'Console', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
    { table: 'Console', actions: ['Query'], leadingKeys: [...DAYS, 'ALERTS#*'] },
    READ_BALANCE,
  ],
  settings: ['REGISTRIES'],
};
