import { sendingCounter } from '../../shared/console/rows.ts';
import { INVITATION, KEYS, PROFILE } from './console-rights.ts';
import type { OperatorRight } from './operator-rights.ts';

/** What operators may do with people in the account console and with the profiles of organisations. */

/** Members, invitations and profiles, but no sessions. */
const READ_MEMBERS: OperatorRight = {
  table: 'Console',
  actions: ['GetItem', 'BatchGetItem', 'Query'],
  leadingKeys: ['ORG#*'],
};

/**
 * Invites people and removes members. An operator cannot add a member, because only the invited person can accept, but
 * can make a removed member active again.
 */
export const MANAGE_MEMBERS: readonly OperatorRight[] = [
  READ_MEMBERS,
  {
    table: 'Console',
    actions: ['PutItem'],
    leadingKeys: ['ORG#*', 'INVITATION#*'],
    attributes: [...new Set([...INVITATION, ...Object.keys(sendingCounter.entries)])],
    inTransaction: true,
  },
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['ORG#*', 'INVITATION#*', 'PERSON#*'],
    attributes: [...KEYS, 'role', 'status', 'version', 'state'],
    inTransaction: true,
  },
  // Keeps the profile of an approved organisation.
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['ORG#*'],
    attributes: [...KEYS, 'expiresAt'],
    inTransaction: true,
  },
  { table: 'Console', actions: ['ConditionCheckItem'], leadingKeys: ['ORG#*'] },
];

/** Replaces the names and email addresses of people, and erases numbers from profiles and from their look-ups. */
export const ERASE_PEOPLE: readonly OperatorRight[] = [
  READ_MEMBERS,
  { table: 'Console', actions: ['GetItem', 'Query'], leadingKeys: ['PERSON#*'] },
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['ORG#*', 'PERSON#*'],
    attributes: [...KEYS, 'personName', 'name', 'email', 'status'],
    inTransaction: true,
  },
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['ORG#*'],
    attributes: PROFILE,
    inTransaction: true,
  },
  { table: 'ApiKeys', actions: ['ConditionCheckItem'], leadingKeys: ['ORG#*'] },
  { table: 'Console', actions: ['Query', 'DeleteItem'], leadingKeys: ['LOOKUPS#*'] },
];
