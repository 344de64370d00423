import { attempt, delivery, eventDelivery } from '../../../shared/webhooks/delivery.ts';
import { endpoint } from '../../../shared/webhooks/endpoint.ts';
import { type AccessProfile, ROW_KEY, type TableRight } from './access-profiles.ts';
import { SESSION_CHECK } from './console-profiles.ts';
import { RECORD } from './console-rights.ts';

/**
 * What the console's functions for webhooks may access. Endpoints are below `HOOKS#`, and their deliveries below
 * `HOOK#`. None of the functions can receive messages from the queue.
 */

const ENDPOINTS = { table: 'Console', leadingKeys: ['HOOKS#*'] } as const;
const DELIVERIES = { table: 'Console', leadingKeys: ['HOOK#*'] } as const;
const DELIVERY = [...ROW_KEY, ...Object.keys(delivery.entries)];
const LATER = ['disabledBecause', 'previousSecret', 'leaseA', 'leaseB', 'expiresAt'];
/** The attributes of a new endpoint, which has no lease and no previous secret. */
const NEW_ENDPOINT = Object.keys(endpoint.entries).filter((name) => !LATER.includes(name));

const READ_ENDPOINT: TableRight = { ...ENDPOINTS, actions: ['GetItem'] };
const READ_DELIVERY: TableRight = { ...DELIVERIES, actions: ['GetItem'] };
/** Adds or restarts a delivery. */
const PUT_DELIVERY: TableRight = {
  ...DELIVERIES,
  actions: ['PutItem'],
  attributes: DELIVERY,
  inTransaction: true,
};

/** Counts the deliveries that members send. */
const COUNT_SENDS: TableRight = {
  table: 'Console',
  actions: ['UpdateItem'],
  leadingKeys: ['SENDS#*'],
  attributes: [...ROW_KEY, 'tatMs', 'expiresAt'],
};

/** Lets a function change these attributes of an endpoint and its version, but no others. */
function changeEndpoint(...attributes: readonly string[]): TableRight {
  const names = [...ROW_KEY, 'version', ...attributes];
  return { ...ENDPOINTS, actions: ['UpdateItem'], attributes: names, inTransaction: true };
}

export const listWebhooks: AccessProfile = {
  tables: [...SESSION_CHECK, { ...ENDPOINTS, actions: ['Query'] }, { ...DELIVERIES, actions: ['Query'] }],
};

export const addWebhook: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    { ...ENDPOINTS, actions: ['GetItem', 'Query'] },
    { ...ENDPOINTS, actions: ['PutItem'], attributes: [...ROW_KEY, ...NEW_ENDPOINT], inTransaction: true },
    RECORD,
  ],
  secrets: ['WEBHOOKS'],
};

export const updateWebhook: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_ENDPOINT,
    changeEndpoint('url', 'eventTypes', 'state', 'disabledBecause'),
    RECORD,
  ],
};

export const deleteWebhook: AccessProfile = {
  tables: [...SESSION_CHECK, READ_ENDPOINT, changeEndpoint('state', 'expiresAt'), RECORD],
};

export const rotateWebhookSecret: AccessProfile = {
  tables: [...SESSION_CHECK, READ_ENDPOINT, changeEndpoint('secret', 'previousSecret'), RECORD],
  secrets: ['WEBHOOKS'],
};

export const listDeliveries: AccessProfile = {
  tables: [...SESSION_CHECK, READ_ENDPOINT, { ...DELIVERIES, actions: ['Query'] }],
};

export const listAttempts: AccessProfile = {
  tables: [...SESSION_CHECK, { ...DELIVERIES, actions: ['GetItem', 'Query'] }],
};

export const testWebhook: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_ENDPOINT,
    READ_DELIVERY,
    { ...PUT_DELIVERY, attributes: [...new Set([...DELIVERY, ...Object.keys(eventDelivery.entries)])] },
    COUNT_SENDS,
    RECORD,
  ],
  webhookQueue: 'send',
};

export const resendDelivery: AccessProfile = {
  tables: [...SESSION_CHECK, READ_ENDPOINT, READ_DELIVERY, PUT_DELIVERY, COUNT_SENDS, RECORD],
  webhookQueue: 'send',
};

export const replayDeliveries: AccessProfile = {
  tables: [
    ...SESSION_CHECK,
    READ_ENDPOINT,
    // A resent delivery is read again if its write seems to have failed.
    { ...DELIVERIES, actions: ['GetItem', 'Query'] },
    PUT_DELIVERY,
    COUNT_SENDS,
    RECORD,
  ],
  webhookQueue: 'send',
};

/**
 * What the webhook functions may access. They run without a session, for any organisation. Endpoints are below
 * `HOOKS#`, and their deliveries below `HOOK#`.
 */

/** Reads the endpoints of an organisation and adds their deliveries. It cannot change an endpoint. */
export const startWebhooks: AccessProfile = {
  tables: [
    { table: 'Console', actions: ['Query'], leadingKeys: ['HOOKS#*'] },
    { table: 'Console', actions: ['GetItem', 'PutItem'], leadingKeys: ['HOOK#*'] },
    { table: 'ApiKeys', actions: ['BatchGetItem'], leadingKeys: ['ORG#*'] },
    { table: 'Wallets', actions: ['Query'], index: 'wallets' },
  ],
  webhookQueue: 'send',
};

const ATTEMPT = [
  'state',
  'round',
  'attemptInRound',
  'attempts',
  'attemptUntilMs',
  'dueMs',
  'attemptedAt',
  'reason',
  'status',
  'endedAt',
];
const LEASE = ['state', 'leaseA', 'leaseB', 'disabledBecause', 'version'];

/**
 * Signs and sends deliveries, and records their attempts. It cannot change the address or the events of an endpoint.
 */
export const deliverWebhook: AccessProfile = {
  tables: [
    { table: 'Console', actions: ['BatchGetItem'], leadingKeys: ['HOOKS#*', 'HOOK#*'] },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['HOOK#*'],
      attributes: [...new Set([...ROW_KEY, ...ATTEMPT, ...Object.keys(attempt.entries)])],
    },
    {
      table: 'Console',
      actions: ['UpdateItem'],
      leadingKeys: ['HOOKS#*'],
      attributes: [...ROW_KEY, ...LEASE],
    },
  ],
  secrets: ['WEBHOOKS'],
  webhookQueue: 'receive',
};
