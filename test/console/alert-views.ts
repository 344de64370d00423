import type { ChangeAlertsBody } from '../../shared/alerts/console/bodies.ts';
import type { AlertSettings, AlertsView, AlertView } from '../../shared/alerts/console/views.ts';
import { HOUR_MS } from '../../shared/core/clock.ts';
import type { Views } from './pages-double.ts';

/** Views of alerts, as their routes return them. */

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const settings = (changes: Partial<AlertSettings> = {}): AlertSettings => ({
  balance_low: true,
  automatic_top_up: true,
  key_expiring: true,
  registry_down: true,
  unusual_traffic: false,
  payment: true,
  ...changes,
});

const recipients = (): AlertsView['recipients'] => ({
  balance_low: ['Chidi Eze'],
  automatic_top_up: ['Chidi Eze'],
  key_expiring: ['Bola Adeyemi', 'Chidi Eze'],
  registry_down: ['Chidi Eze'],
  unusual_traffic: [],
  payment: ['Chidi Eze'],
});

const ALERTS: readonly Pick<AlertView, 'kind' | 'title' | 'text'>[] = [
  {
    kind: 'balance_low',
    title: 'Credits are low',
    text: '1,480 live credits left: fewer than 5,000. Without credits, look-ups with live keys are rejected.',
  },
  {
    kind: 'registry_down',
    title: 'TIN look-ups are not available',
    text: 'The registry is not available. Requests for TIN fail and are not charged. The Status page shows when they work again.',
  },
  {
    kind: 'key_expiring',
    title: 'An API key expires soon',
    text: 'The live key "backend 2" (ends in TOVI) expires in 7 days, on 30 November 2026. Rotate it before then: requests with an expired key are rejected.',
  },
  {
    kind: 'unusual_traffic',
    title: 'An API key was used from a new network',
    text: 'The live key "backend" (ends in wxyz) was used from 192.0.2.0/24, which is not among the last 10 networks of this key. If you do not recognise this network, revoke the key.',
  },
];

export function alertsView(count = ALERTS.length): AlertsView {
  const alerts = Array.from({ length: count }, (_, index) => {
    const at = ago((index * 31 + 2) * HOUR_MS);
    const text = ALERTS[index % ALERTS.length] as (typeof ALERTS)[number];
    return { ...text, environment: 'live' as const, id: `${at}#${index}`, at, ended_at: null };
  });
  return { settings: settings(), recipients: recipients(), owners: ['Amaka Obi'], alerts };
}

export function alertViews(): Views {
  return {
    'GET /alerts': alertsView(),
    'PUT /alerts': (body: unknown) => {
      const { kind, is_enabled } = body as ChangeAlertsBody;
      return settings({ [kind]: is_enabled });
    },
  };
}
