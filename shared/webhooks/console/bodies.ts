import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { requiredDay } from '../../http/console/day-query.ts';
import { DELIVERED_TYPES, EVENT_TYPES } from '../event-type.ts';

const DELIVERY_ID = /^[0-9A-Z]{26}$/;
const CURSOR_RULE = 'Send the next_cursor of the previous page.';
export const cursor = v.pipe(v.string(), v.regex(DELIVERY_ID, CURSOR_RULE));
export const endpointId = v.string();

const env = v.picklist(ENVIRONMENTS);
const choice = {
  env,
  url: v.pipe(v.string(), v.trim(), v.minLength(1, 'Enter the address of your endpoint.')),
  event_types: v.pipe(v.array(v.picklist(EVENT_TYPES)), v.minLength(1, 'Choose at least one event.')),
};

/** The body of POST /webhooks. */
export const addWebhookBody = v.strictObject(choice);
export type AddWebhookBody = v.InferInput<typeof addWebhookBody>;

/** The body of PUT /webhooks/{id}. */
export const updateWebhookBody = v.strictObject({ ...choice, is_enabled: v.boolean() });
export type UpdateWebhookBody = v.InferInput<typeof updateWebhookBody>;

export const webhookBody = v.strictObject({ env });
export type WebhookBody = v.InferInput<typeof webhookBody>;

/** The body of POST /webhooks/{id}/test: the event whose sample is sent. */
export const testWebhookBody = v.strictObject({ env, type: v.optional(v.picklist(DELIVERED_TYPES), 'test') });
export type TestWebhookBody = v.InferInput<typeof testWebhookBody>;

/** The body of POST /deliveries/{id}/resend. */
export const resendBody = v.strictObject({ env, endpoint_id: endpointId });
export type ResendBody = v.InferInput<typeof resendBody>;

/**
 * POST /webhooks/{id}/replay. Days in Africa/Lagos, both inclusive. `failed`: also cancelled. `cursor` is null for the
 * first part.
 */
export const replayBody = v.strictObject({
  env,
  from: requiredDay,
  to: requiredDay,
  which: v.picklist(['failed', 'all']),
  cursor: v.nullable(cursor),
});
export type ReplayBody = v.InferInput<typeof replayBody>;
