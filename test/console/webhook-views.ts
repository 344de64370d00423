import { HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import type {
  AttemptsView,
  DeliveryView,
  WebhookSecretView,
  WebhooksView,
  WebhookView,
} from '../../shared/webhooks/console/views.ts';
import { EVENT_TYPE_VIEWS } from '../../shared/webhooks/console/webhook-views.ts';
import type { Views } from './pages-double.ts';

/** Views of webhooks, as their routes return them. */

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

export function deliveryView(changes: Partial<DeliveryView> = {}): DeliveryView {
  return {
    id: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
    event_type: 'balance.low',
    state: 'DELIVERED',
    reason_text: 'Your server responded 200.',
    attempts: 1,
    created_at: ago(3 * MINUTE_MS),
    attempted_at: ago(3 * MINUTE_MS),
    is_in_progress: false,
    next_at: null,
    body: '{"id":"evt_1","type":"balance.low","timestamp":"2026-11-25T09:00:00.000Z","environment":"live","data":{"available":99,"low_below":100}}',
    ...changes,
  };
}

export const waitingDelivery = (changes: Partial<DeliveryView> = {}): DeliveryView =>
  deliveryView({
    ...{ id: '01KADA3CV5Y2M2J1Q0QW5PZ7Z5', event_type: 'top_up.credited', state: 'PENDING', attempts: 2 },
    next_at: ago(-5 * MINUTE_MS),
    reason_text: 'Your server responded 500.',
    ...changes,
  });

export const ATTEMPTS: AttemptsView = {
  attempts: [
    {
      ...{ number: 2, at: ago(3 * MINUTE_MS), duration_ms: 1_213, status: 500 },
      reason_text: 'Your server responded 500.',
      response_text: '{"error":"<b>no customer</b> with ***********"}\n',
    },
    {
      ...{ number: 1, at: ago(4 * MINUTE_MS), duration_ms: 15_000, status: null, response_text: null },
      reason_text: 'No response arrived within 15 seconds. Respond before you process the event.',
    },
  ],
};

export function webhookView(changes: Partial<WebhookView> = {}): WebhookView {
  return {
    id: 'hook_0123456789abcdef',
    url: 'https://example.com/webhooks',
    event_types: ['balance.low', 'top_up.credited', 'key.expiring'],
    state: 'ENABLED',
    disabled_because: null,
    old_secret_until: null,
    last_delivery: waitingDelivery(),
    ...changes,
  };
}

export function webhooksView(): WebhooksView {
  const gone = webhookView({
    ...{ id: 'hook_fedcba9876543210', url: 'https://old.example.com/webhooks', last_delivery: null },
    ...{ state: 'DISABLED', disabled_because: 'GONE', old_secret_until: ago(-HOUR_MS) },
  });
  return { endpoints: [webhookView(), gone], event_types: EVENT_TYPE_VIEWS };
}

const newSecret = (): WebhookSecretView => ({
  endpoint: webhookView({ last_delivery: null }),
  secret: `whsec_${'A'.repeat(43)}=`,
});

export function webhookViews(): Views {
  const path = '/webhooks/hook_0123456789abcdef';
  return {
    'GET /webhooks': webhooksView(),
    'POST /webhooks': newSecret(),
    [`PUT ${path}`]: webhookView(),
    [`POST ${path}/rotate`]: newSecret(),
    [`POST ${path}/delete`]: webhookView(),
    [`POST ${path}/test`]: deliveryView({
      event_type: 'test',
      attempts: 0,
      state: 'PENDING',
      attempted_at: null,
    }),
    [`GET ${path}/deliveries`]: { deliveries: [waitingDelivery(), deliveryView()], next_cursor: null },
    [`GET /deliveries/${waitingDelivery().id}/attempts`]: ATTEMPTS,
    [`GET /deliveries/${deliveryView().id}/attempts`]: ATTEMPTS,
    [`POST /deliveries/${waitingDelivery().id}/resend`]: waitingDelivery(),
  };
}
