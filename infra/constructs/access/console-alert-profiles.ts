import { alert, alertChoice, outage } from '../../../shared/alerts/alert.ts';
import { alertDay, alertedEvent, sentMail } from '../../../shared/alerts/alert-table.ts';
import { type AccessProfile, ROW_KEY, type TableRight } from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';
import { NOTIFY_OWNERS, READ_MEMBERS, RECORD } from './console-rights.ts';

/**
 * What the alert functions may access. Of these, only the one that changes a choice of emails may write it.
 */

const ALERTS = { table: 'Console', leadingKeys: ['ALERTS#*'] } as const;
const CHOICE = [...ROW_KEY, ...Object.keys(alertChoice.entries)];
const STORED = [alert, outage, alertedEvent, alertDay, sentMail].flatMap(({ entries }) =>
  Object.keys(entries),
);

/** The alerts of an organisation. */
export const READ_ALERTS: TableRight = { ...ALERTS, actions: ['Query'] };

export const showAlerts: AccessProfile = {
  tables: [...SESSION_CHECK, READ_ALERTS, READ_MEMBERS],
};

export const changeAlerts: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_ALERTS,
    { ...ALERTS, actions: ['PutItem'], attributes: CHOICE, inTransaction: true },
    RECORD,
  ],
  ...NOTIFY_OWNERS,
};

/** Stores alerts and sends their emails. It runs without a session, for any organisation. */
export const sendAlerts: AccessProfile = {
  tables: [
    { ...ALERTS, actions: ['BatchGetItem', 'Query'] },
    { ...ALERTS, actions: ['PutItem'], attributes: [...new Set([...ROW_KEY, ...STORED])] },
    READ_MEMBERS,
    { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['ORG#*'] },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
  ],
  settings: ['LINKED_CONSOLE_URL'],
  sendsMail: true,
};
