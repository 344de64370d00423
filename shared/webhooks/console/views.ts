import type { EventType } from '../event-type.ts';
/** GET /webhooks?env= */
export interface WebhooksView {
  /** Oldest first, without deleted ones. */
  readonly endpoints: readonly WebhookView[];
  readonly event_types: readonly { readonly type: EventType; readonly about: string }[];
}

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  readonly event_types: readonly EventType[];
  readonly state: 'ENABLED' | 'DISABLED';
  /** `GONE`: after a 410. Null if enabled. */
  readonly disabled_because: 'MEMBER' | 'GONE' | null;
  /** Also signed with the previous secret until then. */
  readonly old_secret_until: string | null;
  /** Null without one in 30 days, and after writes. */
  readonly last_delivery: DeliveryView | null;
}

export interface DeliveryView {
  readonly id: string;
  readonly event_type: string;
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /** What the response to the last attempt was, why it failed, or why there are no more. */
  readonly reason_text: string | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly attempted_at: string | null;
  /** Whether an attempt is in progress. */
  readonly is_in_progress: boolean;
  readonly next_at: string | null;
  /** The body that is sent, as JSON. */
  readonly body: string;
}

/** `secret` is shown only once, because it is not stored. */
export interface WebhookSecretView {
  readonly endpoint: WebhookView;
  readonly secret: string;
}

/** GET /webhooks/{id}/deliveries?env=&cursor= Newest first. */
export interface DeliveriesView {
  readonly deliveries: readonly DeliveryView[];
  readonly next_cursor: string | null;
}

/** GET /deliveries/{id}/attempts?env=&endpoint_id= The last 20, newest first. */
export interface AttemptsView {
  readonly attempts: readonly AttemptView[];
}

export interface AttemptView {
  readonly number: number;
  readonly at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  /** Null if it succeeded. */
  readonly reason_text: string | null;
  /** The first 2 KB of the body of a response that is not 2xx, if they are text. Long numbers are masked. */
  readonly response_text: string | null;
}

export interface ReplayView {
  readonly resent: number;
  readonly next_cursor: string | null;
}
