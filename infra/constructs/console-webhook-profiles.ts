import type { AccessProfile } from './access-profiles.ts';

/** What the functions of webhooks may access. */

/** Receives the deliveries of all organisations, and signs them. */
export const deliverWebhook: AccessProfile = { secrets: ['WEBHOOKS'], webhookQueue: 'receive' };
