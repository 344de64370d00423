import { type AccessProfile, ROW_KEY } from './access-profiles.ts';

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
      attributes: [...ROW_KEY, ...ATTEMPT],
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
