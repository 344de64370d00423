import * as v from 'valibot';
import { ENVIRONMENTS, type Environment } from '../core/environment.ts';
import { ID_TYPES } from '../core/id-types.ts';

/** docs/guides/webhooks.md. Bodies contain no identity numbers, names of people or complete API keys. */

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

/** A member can send `test` to any endpoint. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'test'] as const;
export type DeliveredType = (typeof DELIVERED_TYPES)[number];

const whole = v.pipe(v.number(), v.integer());
/** Of each wallet, a later event has a higher number. */
const sequence = whole;
const balance = v.object({
  /** Without held credits. */
  available: whole,
  /** The threshold in credits. */
  low_below: whole,
  sequence,
});
const registry = v.object({ id_type: v.picklist(ID_TYPES) });

/** The object `data` of each event. */
export const EVENT_DATA = {
  'balance.low': balance,
  'wallet.empty': balance,
  'top_up.credited': v.object({
    /** The reference of the top-up. */
    reference: v.string(),
    credits: whole,
    /** The number of the invoice. */
    invoice: v.string(),
    /** The balance that includes the credits. */
    available: whole,
    sequence,
  }),
  'key.expiring': v.object({
    label: v.string(),
    last_four: v.string(),
    /** ISO time. */
    not_after: v.string(),
    /** Days until `not_after`, rounded up. */
    days_left: whole,
  }),
  'registry.down': registry,
  'registry.up': registry,
  'organisation.approved': v.object({ organisation: v.string() }),
  test: v.object({ message: v.string() }),
} as const satisfies Readonly<Record<DeliveredType, v.GenericSchema>>;

export interface WebhookEvent {
  /**
   * The same if published again. Letters, digits, `-` and `_`: a full stop would make the signed text ambiguous.
   */
  readonly id: string;
  readonly type: DeliveredType;
  /** When it was published. ISO time. */
  readonly at: string;
  readonly organisationId: string;
  readonly env: Environment;
  /** As in `EVENT_DATA`. */
  readonly data: Readonly<Record<string, string | number>>;
}

const eventId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/));
export const eventBody = v.object({
  id: eventId,
  type: v.picklist(DELIVERED_TYPES),
  timestamp: v.string(),
  environment: v.picklist(ENVIRONMENTS),
});

/** Only the documented fields of the type. Throws if one is missing. */
export function bodyOf({ id, type, at, env, data }: WebhookEvent): string {
  const parts = v.parse(eventBody, { id, type, timestamp: at, environment: env });
  return JSON.stringify({ ...parts, data: v.parse(EVENT_DATA[type], data) });
}
