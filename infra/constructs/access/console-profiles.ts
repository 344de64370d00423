import { sendingCounter } from '../../../shared/members/rows.ts';
import { type AccessProfile, ROW_KEY, type TableRight } from './access-profiles.ts';

/**
 * What each function of the account console may access. None can approve an organisation, or change prices, limits or
 * live credits (test/infra/console-rights.test.ts).
 */

/**
 * What every route for members needs. It reads the session, person, membership, organisation and limiter row in one
 * call. It writes only the time at which the session was last used, and the person's limiter row.
 */
export const SESSION_CHECK: readonly TableRight[] = [
  { table: 'Console', actions: ['BatchGetItem'], leadingKeys: ['SESSION#*', 'ORG#*', 'PERSON#*'] },
  { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['ORG#*'] },
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['SESSION#*'],
    attributes: ['pk', 'sk', 'usedAt', 'endedAt', 'expiresAt'],
  },
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['PERSON#*'],
    attributes: ['pk', 'sk', 'tatMs', 'expiresAt'],
  },
];

/** Reads everything about a session that the pages show. */
export const SESSION_VIEW: readonly TableRight[] = [
  ...SESSION_CHECK,
  { table: 'Console', actions: ['Query'], leadingKeys: ['PERSON#*'] },
  { table: 'Console', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
];
export const SESSION_SETTINGS = [
  'CONSOLE_URL',
  'API_URL',
  'DOCUMENTATION_URL',
  'TERMS',
  'SUPPORT_CONTACT',
] as const;

export const startSignIn: AccessProfile = { signsIn: true, settings: ['CONSOLE_URL'] };

/**
 * Stores the person and a new session, ends the previous session, and writes the person's name, email address and day of
 * sign-in to their memberships.
 */
export const finishSignIn: AccessProfile = {
  signsIn: true,
  checksSecondFactor: true,
  settings: ['CONSOLE_URL'],
  tables: [
    { table: 'Console', actions: ['Query'], leadingKeys: ['PERSON#*'] },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['PERSON#*'],
      attributes: ['pk', 'sk', 'id', 'email', 'name', 'createdAt'],
    },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['ORG#*', 'PERSON#*'],
      attributes: ['pk', 'sk', 'personName', 'email', 'signedInOn', 'version'],
      inTransaction: true,
    },
    { table: 'Console', actions: ['PutItem'], leadingKeys: ['SESSION#*'] },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['SESSION#*'],
      attributes: ['pk', 'sk', 'endedAt', 'idToken'],
    },
  ],
};

/** Counts sign-ups. It cannot change invitations and their counters, nor list them. */
export const signUp: AccessProfile = {
  createsAccounts: true,
  continues: true,
  sendsMail: true,
  settings: ['CONSOLE_URL'],
  tables: [
    { table: 'Console', actions: ['GetItem'], leadingKeys: ['SIGN-UP#*', 'INVITATION#*'] },
    {
      table: 'Console',
      actions: ['PutItem'],
      leadingKeys: ['SIGN-UP#*'],
      attributes: [...ROW_KEY, ...Object.keys(sendingCounter.entries), 'expiresAt'],
      inTransaction: true,
    },
  ],
};

export const showSession: AccessProfile = { tables: SESSION_VIEW, settings: SESSION_SETTINGS };

/** Ends sessions. If all sessions of a person end, records this for each of their organisations. */
export const endSession: AccessProfile = {
  signsIn: true,
  settings: ['CONSOLE_URL'],
  tables: [
    ...SESSION_CHECK,
    { table: 'Console', actions: ['Query'], leadingKeys: ['PERSON#*'] },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['SESSION#*'],
      attributes: ['pk', 'sk', 'endedAt', 'idToken'],
    },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['PERSON#*'],
      attributes: ['pk', 'sk', 'signedOutAt'],
    },
    { table: 'AuditTrail', actions: ['PutItem'], leadingKeys: ['ORG#*'], inTransaction: true },
  ],
};

/**
 * Reads what the public status page shows: the histories of providers and the daily counts of registries. They name
 * no customer.
 */
export const showStatus: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['REGISTRY#*'] },
    { table: 'Console', actions: ['Query'], leadingKeys: ['REGISTRY#*'] },
  ],
  settings: ['REGISTRIES', 'CONSOLE_URL'],
};
