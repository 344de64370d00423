import { type AccessProfile, ROW_KEY, type TableRight } from './access-profiles.ts';
import { SESSION_CHECK, SESSION_SETTINGS, SESSION_VIEW } from './console-profiles.ts';
import {
  ADD_INVITATION,
  ADD_MEMBER,
  CHANGE_MEMBER,
  JOIN_ROWS,
  NOTIFY_OWNERS,
  READ_INVITATION,
  READ_TEAM,
  RECORD,
} from './console-rights.ts';

/** What the console's functions for teams may access. */

const CLOSE_INVITATION: TableRight = {
  table: 'Console',
  actions: ['UpdateItem'],
  leadingKeys: JOIN_ROWS,
  attributes: [...ROW_KEY, 'state'],
  inTransaction: true,
};
/** Checks that another owner is still an owner, or that the sender of an invitation may still invite. */
const REQUIRE_ROLE: TableRight = {
  table: 'Console',
  actions: ['ConditionCheckItem'],
  leadingKeys: JOIN_ROWS,
};
export const acceptInvitation: AccessProfile = {
  tables: [...SESSION_VIEW, READ_TEAM, READ_INVITATION, CLOSE_INVITATION, ADD_MEMBER, REQUIRE_ROLE, RECORD],
  settings: SESSION_SETTINGS,
  sendsMail: true,
};

export const listMembers: AccessProfile = { tables: [...SESSION_CHECK, READ_TEAM] };

export const inviteMember: AccessProfile = {
  tables: [...SESSION_CHECK, READ_TEAM, READ_INVITATION, ADD_INVITATION, CLOSE_INVITATION, RECORD],
  settings: ['CONSOLE_URL'],
  sendsMail: true,
};

export const cancelInvitation: AccessProfile = {
  tables: [...SESSION_CHECK, READ_TEAM, CLOSE_INVITATION, RECORD],
};

export const changeMember: AccessProfile = {
  tables: [...SESSION_CHECK, READ_TEAM, CHANGE_MEMBER, REQUIRE_ROLE, RECORD],
  ...NOTIFY_OWNERS,
};
