import type { EventType } from '../event-type.ts';
/** GET /webhooks?env= */
export interface WebhooksView {
  /** Oldest first, without deleted ones. */
  readonly endpoints: readonly WebhookView[];
  /** The events that can be chosen, and when each is sent. */
  readonly event_types: readonly { readonly type: EventType; readonly about: string }[];
}

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  /** The types of events that the endpoint receives. */
  readonly event_types: readonly EventType[];
  readonly state: 'ENABLED' | 'DISABLED';
  /** `GONE`: the endpoint responded with 410. Null if it is enabled. */
  readonly disabled_because: 'MEMBER' | 'GONE' | null;
  readonly created_at: string;
  /** Until this time, requests are also signed with the previous secret. Null if no previous secret is valid. */
  readonly old_secret_until: string | null;
  /** Null if nothing was sent in the last 30 days, and in responses to writes. */
  readonly last_delivery: DeliveryView | null;
}

/** The delivery of one event to one endpoint. */
export interface DeliveryView {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /** Why the last attempt failed, or why there are no more attempts. Null if neither applies. */
  readonly reason: string | null;
  /** The reason as a sentence, and what to do. */
  readonly reason_text: string | null;
  /** The HTTP status of the response to the last attempt, if there was one. */
  readonly status: number | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly attempted_at: string | null;
  /** Whether an attempt is in progress. */
  readonly is_in_progress: boolean;
  /** When the next attempt is due. Null if there is none. */
  readonly next_at: string | null;
  /** The body that is sent, as JSON. */
  readonly body: string;
}

/** POST /webhooks and POST /webhooks/{id}/rotate. `secret` is shown only once, because it is not stored. */
export interface WebhookSecretView {
  readonly endpoint: WebhookView;
  readonly secret: string;
}

/** GET /webhooks/{id}/deliveries?env=&cursor= Newest first. */
export interface DeliveriesView {
  readonly deliveries: readonly DeliveryView[];
  readonly next_cursor: string | null;
}

export interface ReplayView {
  readonly resent: number;
  readonly next_cursor: string | null;
}
