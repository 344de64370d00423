import * as v from 'valibot';
import { ENVIRONMENTS, type Environment } from '../core/environment.ts';
import { ID_TYPES } from '../core/id-types.ts';

/**
 * The events that webhooks deliver, and their bodies (docs/guides/webhooks.md). Bodies contain no identity numbers, no names
 * of people and no complete API keys.
 */

/** The events that a customer can choose for an endpoint. */
export const EVENT_TYPES = [
  'balance.low',
  'wallet.empty',
  'top_up.credited',
  'key.expiring',
  'registry.down',
  'registry.up',
  'organisation.approved',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** All types of deliveries. A member can send `test` to an endpoint, whatever events are chosen for it. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'test'] as const;
export type DeliveredType = (typeof DELIVERED_TYPES)[number];

const balance = v.object({
  /** Credits that can be spent, excluding held credits. */
  available: v.number(),
  /** The threshold in credits. */
  low_below: v.number(),
});
const registry = v.object({ id_type: v.picklist(ID_TYPES) });

/** The object `data` of each event. */
export const EVENT_DATA = {
  'balance.low': balance,
  'wallet.empty': balance,
  'top_up.credited': v.object({
    /** The reference of the top-up. */
    reference: v.string(),
    credits: v.number(),
    /** The number of the invoice. */
    invoice: v.string(),
  }),
  'key.expiring': v.object({
    label: v.string(),
    last_four: v.string(),
    /** ISO time. */
    not_after: v.string(),
    /** Days until `not_after`, rounded up. */
    days_left: v.number(),
  }),
  'registry.down': registry,
  'registry.up': registry,
  'organisation.approved': v.object({ organisation: v.string() }),
  test: v.object({ message: v.string() }),
} as const satisfies Readonly<Record<DeliveredType, v.GenericSchema>>;

/** An event for one organisation in one environment. */
export interface WebhookEvent {
  /**
   * Identifies the event, and is the same if the event is published again. Up to 64 letters, digits, `-` and `_`. A
   * full stop would make the signed text ambiguous.
   */
  readonly id: string;
  readonly type: DeliveredType;
  /** When it was published. ISO time. */
  readonly at: string;
  readonly organisationId: string;
  readonly env: Environment;
  /** Matches the schema of the type in `EVENT_DATA`. */
  readonly data: Readonly<Record<string, string | number>>;
}

const eventId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/));
const body = v.object({
  id: eventId,
  type: v.picklist(DELIVERED_TYPES),
  timestamp: v.string(),
  environment: v.picklist(ENVIRONMENTS),
});

/**
 * Returns the body of the request about an event, as JSON. It contains only the documented fields of the type. Throws
 * if one of them is missing.
 */
export function bodyOf({ id, type, at, env, data }: WebhookEvent): string {
  const parts = v.parse(body, { id, type, timestamp: at, environment: env });
  return JSON.stringify({ ...parts, data: v.parse(EVENT_DATA[type], data) });
}
