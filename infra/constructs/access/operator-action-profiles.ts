import { approval, approvalRequest } from '../../../shared/audit/approval.ts';
import type { ActionName } from '../../../shared/operators/actions.ts';
import {
  type AccessProfile,
  IDEMPOTENCY,
  ROW_KEY,
  recordIn,
  SEAL_ROWS,
  SETTLED_ROWS,
  type SettingName,
  SHARDS,
  type TableRight,
  WITHDRAW_SLIP,
} from './access-profiles.ts';
import { ADD_INVITATION, CHANGE_MEMBER, PROFILE, READ_INVITATION, READ_TEAM } from './console-rights.ts';
import { PROVIDER_SECRETS } from './operator-rights.ts';
import { TAKEN_BACK_ROWS } from './payment-profiles.ts';

/** What each function of the operator API may access: what its change needs. */

const RECORD = recordIn(['ORG#*', 'STAGE']);
const READ_ORGANISATION: TableRight = { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['ORG#*'] };
const WRITE_ORGANISATION: TableRight = {
  table: 'ApiKeys',
  actions: ['PutItem', 'UpdateItem'],
  leadingKeys: ['ORG#*', 'EVENTS'],
  inTransaction: true,
};
const SET_PRICE: TableRight = {
  table: 'ApiKeys',
  actions: ['UpdateItem'],
  leadingKeys: ['ORG#*'],
  attributes: [...ROW_KEY, 'prices', 'version'],
  inTransaction: true,
};
const CREATE_SHARDS: TableRight = { table: 'Wallets', actions: ['PutItem'], leadingKeys: SHARDS };
const CHANGE_ORGANISATION: readonly TableRight[] = [READ_ORGANISATION, WRITE_ORGANISATION, RECORD];

const putApproval = (attributes: readonly string[]): readonly TableRight[] => [
  { table: 'Approvals', actions: ['Query'], leadingKeys: ['APPROVALS'] },
  {
    table: 'Approvals',
    actions: ['PutItem'],
    leadingKeys: ['APPROVALS'],
    attributes: [...ROW_KEY, ...attributes, 'expiresAt'],
    inTransaction: true,
  },
  RECORD,
];
/** Requests that need a second person. Their functions cannot write an approval. */
const REQUEST = putApproval(Object.keys(approvalRequest.entries));
const APPROVE = putApproval(Object.keys(approval.entries));
/** The credits that one person may book alone on one day. */
const COUNT_CREDITS: readonly TableRight[] = [
  { table: 'Approvals', actions: ['GetItem'], leadingKeys: ['UNAPPROVED#*'] },
  {
    table: 'Approvals',
    actions: ['UpdateItem'],
    leadingKeys: ['UNAPPROVED#*'],
    attributes: [...ROW_KEY, 'credits', 'expiresAt'],
    inTransaction: true,
  },
];
/** Changes that continue in the background. */
const CONTINUE: TableRight = {
  table: 'Approvals',
  actions: ['PutItem', 'UpdateItem'],
  leadingKeys: ['BACKGROUND#*'],
};
const LIMITS: readonly SettingName[] = ['SECOND_PERSON_ABOVE'];

const INVITE: readonly TableRight[] = [
  READ_ORGANISATION,
  READ_TEAM,
  READ_INVITATION,
  ADD_INVITATION,
  {
    table: 'Console',
    actions: ['UpdateItem'],
    leadingKeys: ['ORG#*', 'INVITATION#*'],
    attributes: [...ROW_KEY, 'state'],
    inTransaction: true,
  },
  RECORD,
];
const REMOVE_MEMBER: readonly TableRight[] = [
  READ_ORGANISATION,
  READ_TEAM,
  CHANGE_MEMBER,
  { table: 'Console', actions: ['ConditionCheckItem'], leadingKeys: ['ORG#*', 'PERSON#*'] },
  RECORD,
];
const CHANGE_KEYS: readonly TableRight[] = [
  READ_ORGANISATION,
  { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['KEYS#*'] },
  {
    table: 'ApiKeys',
    actions: ['PutItem', 'UpdateItem'],
    leadingKeys: ['KEYS#*', 'EVENTS'],
    inTransaction: true,
  },
  RECORD,
];

const READ_PAYMENTS: readonly TableRight[] = [
  { table: 'Payments', actions: ['GetItem', 'BatchGetItem', 'Query'] },
  { table: 'Payments', actions: ['Query'], index: 'orders' },
];
/** Every change to payments is recorded in its transaction. */
const changePayments = (leadingKeys: readonly string[]): readonly TableRight[] => [
  READ_ORGANISATION,
  ...READ_PAYMENTS,
  { table: 'Payments', actions: ['PutItem', 'UpdateItem'], leadingKeys, inTransaction: true },
  { table: 'Payments', actions: ['ConditionCheckItem'], leadingKeys },
  RECORD,
];
const CHANGE_MONEY = changePayments(SETTLED_ROWS);
const READ_WALLETS: readonly TableRight[] = [
  { table: 'Wallets', actions: ['GetItem', 'BatchGetItem'] },
  { table: 'Wallets', actions: ['Query'], index: 'statement' },
  { table: 'Wallets', actions: ['Query'], leadingKeys: SEAL_ROWS },
];
const bookCredits = (leadingKeys: readonly string[]): readonly TableRight[] => [
  ...changePayments(leadingKeys),
  ...READ_WALLETS,
  { table: 'Wallets', actions: ['PutItem', 'UpdateItem'], inTransaction: true },
  CREATE_SHARDS,
];
const BOOK_CREDITS = bookCredits(SETTLED_ROWS);
const TAKE_CREDITS_BACK = bookCredits(TAKEN_BACK_ROWS);

/** Erases numbers from profiles and from their look-ups. */
const ERASE_PROFILE: readonly TableRight[] = [
  { table: 'Console', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
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
const READ_LOG: TableRight = { table: 'VerificationLogs', actions: ['GetItem', 'Query'] };
/** An erasure moves log rows, clears fingerprints of requests, deletes counts of guesses and withdraws slips. */
const ERASE: readonly TableRight[] = [
  READ_ORGANISATION,
  READ_LOG,
  ...ERASE_PROFILE,
  { table: 'VerificationLogs', actions: ['DeleteItem'] },
  { table: 'VerificationLogs', actions: ['PutItem'], inTransaction: true },
  { table: 'Wallets', actions: ['UpdateItem'], leadingKeys: IDEMPOTENCY },
  { table: 'ApiKeys', actions: ['DeleteItem'], leadingKeys: ['RATE#*'] },
  WITHDRAW_SLIP,
  RECORD,
];
const SWITCH_PROVIDER: readonly TableRight[] = [
  { table: 'ApiKeys', actions: ['GetItem'], leadingKeys: ['REGISTRY#*'] },
  { table: 'ApiKeys', actions: ['UpdateItem'], leadingKeys: ['REGISTRY#*'], inTransaction: true },
  RECORD,
];

const organisation: AccessProfile = { tables: CHANGE_ORGANISATION };
/** Tells the owners. */
const status: AccessProfile = {
  tables: [...CHANGE_ORGANISATION, READ_TEAM],
  settings: ['LINKED_CONSOLE_URL'],
  sendsMail: true,
};
const member: AccessProfile = {
  tables: [...INVITE, ...REQUEST],
  settings: ['LINKED_CONSOLE_URL', ...LIMITS],
  sendsMail: true,
};
const key: AccessProfile = {
  tables: [...CHANGE_KEYS, READ_TEAM, ...REQUEST],
  settings: ['LINKED_CONSOLE_URL', ...LIMITS],
  sendsMail: true,
};
const credit: AccessProfile = { tables: [...BOOK_CREDITS, ...REQUEST], settings: ['MONEY', ...LIMITS] };
const price: AccessProfile = { tables: [...changePayments(['PRICES#*']), ...REQUEST], settings: LIMITS };
const order: AccessProfile = { tables: CHANGE_MONEY, settings: ['MONEY'] };
const provider: AccessProfile = { tables: SWITCH_PROVIDER };

export const ACTION_PROFILES: Readonly<Record<ActionName, AccessProfile>> = {
  'org create': { tables: [...CHANGE_ORGANISATION, CREATE_SHARDS] },
  'org approve': {
    ...status,
    tables: [
      ...(status.tables ?? []),
      // Keeps the profile of an approved organisation.
      {
        table: 'Console',
        actions: ['UpdateItem'],
        leadingKeys: ['ORG#*'],
        attributes: [...ROW_KEY, 'expiresAt'],
        inTransaction: true,
      },
    ],
  },
  'org suspend': status,
  'org set-rate': organisation,
  'org set-low-balance': organisation,
  'member invite': member,
  'member remove': { ...member, tables: [...REMOVE_MEMBER, ...REQUEST] },
  'member erase': {
    tables: [
      { table: 'Console', actions: ['GetItem', 'Query'], leadingKeys: ['ORG#*', 'PERSON#*'] },
      {
        table: 'Console',
        actions: ['UpdateItem'],
        leadingKeys: ['ORG#*', 'PERSON#*'],
        attributes: [...ROW_KEY, 'personName', 'name', 'email', 'signedInOn', 'status'],
        inTransaction: true,
      },
      RECORD,
    ],
  },
  'service enable': organisation,
  'service disable': organisation,
  'service set-price': {
    tables: [READ_ORGANISATION, SET_PRICE, READ_TEAM, ...REQUEST],
    settings: ['LINKED_CONSOLE_URL', ...LIMITS],
    sendsMail: true,
  },
  'key create': key,
  'key update': key,
  'key rotate': key,
  'key revoke': { ...status, tables: [...CHANGE_KEYS, READ_TEAM] },
  'wallet top-up': { ...credit, tables: [...(credit.tables ?? []), ...COUNT_CREDITS] },
  'wallet correct': credit,
  'wallet set-shards': {
    tables: [
      ...CHANGE_ORGANISATION,
      CREATE_SHARDS,
      { table: 'Wallets', actions: ['GetItem', 'BatchGetItem'], leadingKeys: SHARDS },
      { table: 'Wallets', actions: ['UpdateItem'], leadingKeys: SHARDS, inTransaction: true },
      CONTINUE,
    ],
    continues: true,
  },
  'price set': price,
  'price end': price,
  'billing set': { tables: changePayments(['ORG#*']), settings: ['MONEY'] },
  'order open': { ...order, secrets: ['PAYMENTS'] },
  'order settle': {
    tables: TAKE_CREDITS_BACK,
    settings: ['MONEY'],
    secrets: ['PAYMENTS'],
    startsPublisher: true,
  },
  'order resolve': {
    tables: [...CHANGE_MONEY, ...REQUEST, ...COUNT_CREDITS],
    settings: ['MONEY', ...LIMITS],
  },
  'credit-note create': {
    tables: [...TAKE_CREDITS_BACK, ...REQUEST, ...COUNT_CREDITS, CONTINUE],
    settings: ['MONEY', ...LIMITS],
    continues: true,
  },
  'credit-note paid-back': order,
  'month close': {
    // `--all` closes the wallets of all organisations.
    tables: [...CHANGE_MONEY, ...READ_WALLETS, CONTINUE, { table: 'ApiKeys', actions: ['Scan'] }],
    settings: ['MONEY', ...LIMITS],
    continues: true,
  },
  'month reopen': { tables: [...CHANGE_MONEY, ...REQUEST], settings: ['MONEY', ...LIMITS] },
  'registry disable': provider,
  'registry enable': provider,
  'registry test': { tables: [RECORD], secrets: PROVIDER_SECRETS },
  'privacy export': {
    tables: [
      READ_ORGANISATION,
      READ_LOG,
      { table: 'Console', actions: ['GetItem'], leadingKeys: ['ORG#*'] },
      { table: 'Console', actions: ['Query'], leadingKeys: ['LOOKUPS#*'] },
      RECORD,
    ],
    secrets: ['PEPPER'],
  },
  'privacy erase': {
    tables: [...ERASE, ...REQUEST, CONTINUE],
    secrets: ['PEPPER', 'SLIP'],
    settings: ['LOG_RETENTION_DAYS', ...LIMITS],
    continues: true,
  },
  'privacy impact': {
    tables: [
      READ_ORGANISATION,
      { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['KEYS#*'] },
      { table: 'VerificationLogs', actions: ['Scan'] },
      RECORD,
      CONTINUE,
    ],
    continues: true,
  },
  'slip withdraw': {
    tables: [
      READ_ORGANISATION,
      { table: 'VerificationLogs', actions: ['Query'], index: 'byRequest' },
      WITHDRAW_SLIP,
      RECORD,
    ],
    secrets: ['SLIP'],
    settings: ['LOG_RETENTION_DAYS'],
  },
  approve: {
    tables: [
      ...TAKE_CREDITS_BACK,
      ...changePayments(['PRICES#*']),
      SET_PRICE,
      ...ERASE,
      ...CHANGE_KEYS,
      ...INVITE,
      ...REMOVE_MEMBER,
      ...APPROVE,
      CONTINUE,
    ],
    secrets: ['PEPPER', 'SLIP'],
    settings: ['MONEY', 'LOG_RETENTION_DAYS', 'LINKED_CONSOLE_URL', ...LIMITS],
    sendsMail: true,
    continues: true,
  },
};

/** Reads a change in the background. */
export const showOperation: AccessProfile = {
  tables: [{ table: 'Approvals', actions: ['GetItem'], leadingKeys: ['BACKGROUND#*'] }],
};
