import { type AccessProfile, ROW_KEY, type TableRight } from './access-profiles.ts';
import { SESSION_CHECK, SESSION_SETTINGS, SESSION_VIEW } from './console-profiles.ts';
import { ADD_MEMBER, JOIN_ROWS, NUMBER_LOOK_UP, PROFILE, RECORD } from './console-rights.ts';

/** What the console's functions for organisations and their profiles may access. */

/** Creates an organisation without a status, limits or services, so it is pending and has the defaults. */
export const createOrganisation: AccessProfile = {
  tables: [
    ...SESSION_VIEW,
    { table: 'Console', actions: ['GetItem'], leadingKeys: ['PERSON#*'] },
    {
      table: 'ApiKeys',
      actions: ['UpdateItem'],
      leadingKeys: ['ORG#*'],
      attributes: [...ROW_KEY, 'id', 'name', 'createdAt', 'version'],
      inTransaction: true,
    },
    ADD_MEMBER,
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: JOIN_ROWS,
      attributes: [...ROW_KEY, 'version'],
      inTransaction: true,
    },
    RECORD,
  ],
  settings: SESSION_SETTINGS,
};

const READ_PROFILE: TableRight = { table: 'Console', actions: ['GetItem'], leadingKeys: ['ORG#*'] };
const SAVE_PROFILE: readonly TableRight[] = [
  {
    table: 'Console',
    actions: ['PutItem'],
    leadingKeys: ['ORG#*'],
    attributes: PROFILE,
    inTransaction: true,
  },
  // The organisation must still be pending.
  { table: 'ApiKeys', actions: ['ConditionCheckItem'], leadingKeys: ['ORG#*'] },
  RECORD,
];

export const showOrganisation: AccessProfile = { tables: [...SESSION_CHECK, READ_PROFILE] };

export const updateOrganisation: AccessProfile = {
  tables: [...SESSION_CHECK, READ_PROFILE, ...SAVE_PROFILE],
};

/** Looks up the numbers of the profile, which it counts and records. */
export const submitOrganisation: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_PROFILE,
    ...SAVE_PROFILE,
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['PERSON#*', 'ORG#STAGE'],
      attributes: [...ROW_KEY, 'used', 'expiresAt'],
    },
    {
      table: 'Console',
      actions: ['PutItem', 'UpdateItem'],
      leadingKeys: ['LOOKUPS#*'],
      attributes: NUMBER_LOOK_UP,
    },
    { table: 'ApiKeys', actions: ['BatchGetItem', 'UpdateItem'], leadingKeys: ['REGISTRY#*'] },
  ],
  looksUp: ['CAC', 'TIN'],
  secrets: ['PEPPER'],
  settings: ['TERMS', 'SUPPORT_CONTACT'],
  sendsMail: true,
};
