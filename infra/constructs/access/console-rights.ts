import {
  invitation,
  membership,
  numberLookUp,
  profile,
  sendingCounter,
} from '../../../shared/members/rows.ts';
import { ROW_KEY, recordIn, type TableRight, WALLET_ROWS } from './access-profiles.ts';

/**
 * Rights to rows of Console name their attributes, because rows of several kinds share a partition: a function that
 * sends invitations cannot write a membership.
 */

const MEMBERSHIP = [...ROW_KEY, ...Object.keys(membership.entries)];
const INVITATION = [...ROW_KEY, ...Object.keys(invitation.entries)];
export const NUMBER_LOOK_UP = [...ROW_KEY, ...Object.keys(numberLookUp.entries)];
export const PROFILE = [...ROW_KEY, 'organisationId', ...Object.keys(profile.entries)];

/** Only in the transaction of the change. */
export const RECORD: TableRight = recordIn(['ORG#*']);
/** Sends owners an email with a link to the console. */
export const NOTIFY_OWNERS = { settings: ['CONSOLE_URL'], sendsMail: true } as const;
/** The names and email addresses of members. */
export const READ_MEMBERS: TableRight = { table: 'Console', actions: ['Query'], leadingKeys: ['ORG#*'] };
export const READ_TEAM: TableRight = { ...READ_MEMBERS, actions: ['GetItem', 'Query'] };
export const CHANGE_MEMBER: TableRight = {
  table: 'Console',
  actions: ['UpdateItem'],
  leadingKeys: ['ORG#*', 'PERSON#*'],
  attributes: [...ROW_KEY, 'role', 'status', 'version'],
  inTransaction: true,
};
/** Lets a function change this attribute of an organisation, but no others. */
export const changeOrganisation = (attribute: string): readonly TableRight[] => [
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
  {
    table: 'ApiKeys',
    actions: ['UpdateItem'],
    leadingKeys: ['ORG#*'],
    attributes: [...ROW_KEY, attribute, 'version'],
    inTransaction: true,
  },
];
/** The rows that change when a person becomes a member. */
export const JOIN_ROWS = ['ORG#*', 'PERSON#*', 'INVITATION#*'];
export const ADD_MEMBER: TableRight = {
  table: 'Console',
  actions: ['PutItem'],
  leadingKeys: JOIN_ROWS,
  attributes: MEMBERSHIP,
  inTransaction: true,
};
/** With the count of those to an address. */
export const ADD_INVITATION: TableRight = {
  table: 'Console',
  actions: ['PutItem'],
  leadingKeys: ['ORG#*', 'INVITATION#*'],
  attributes: [...new Set([...INVITATION, ...Object.keys(sendingCounter.entries)])],
  inTransaction: true,
};
/** An invitation by the hash of its secret, and the count of those to an address. */
export const READ_INVITATION: TableRight = {
  table: 'Console',
  actions: ['GetItem'],
  leadingKeys: ['INVITATION#*'],
};
/** Usage and daily balances: `<env>#<org>#<month>`. */
export const DAYS = WALLET_ROWS.map((row) => `${row}#20??-??`);
