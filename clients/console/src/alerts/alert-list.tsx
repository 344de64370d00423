import type { AlertKind } from '../../../../shared/alerts/alert-names.ts';
import type { AlertsView } from '../../../../shared/alerts/console/views.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Time } from '../components/time.tsx';
import { formatList } from '../format.ts';
import { pageIn } from '../page-address.ts';
import type { PermittedRoute } from '../permissions.ts';
import { may } from '../session.ts';

const LINK_LABELS = {
  balance_low: 'Open the wallet',
  automatic_top_up: 'Open the wallet',
  key_expiring: 'Open API keys',
  registry_down: 'Open Status',
  unusual_traffic: 'Open Requests',
  payment: 'Open the wallet',
} satisfies Record<AlertKind, string>;

/**
 * For each kind of alert, the page on which members can act on it, and the route that they must be permitted to call.
 */
const PAGES: Readonly<Record<AlertKind, { path: string; route: PermittedRoute }>> = {
  balance_low: { path: '/wallet', route: 'show-wallet' },
  automatic_top_up: { path: '/wallet', route: 'show-wallet' },
  key_expiring: { path: '/keys', route: 'list-keys' },
  // The status page is public, so this is a route that all roles may call.
  registry_down: { path: '/status', route: 'show-alerts' },
  unusual_traffic: { path: '/requests', route: 'list-requests' },
  payment: { path: '/wallet', route: 'show-wallet' },
};

/** An alert does not name who was emailed about it, so the list says who is now. */
export function AlertList({ view: { alerts, settings, recipients } }: { readonly view: AlertsView }) {
  const recipientsOf = (kind: AlertKind) => [...(settings[kind] ? ['you'] : []), ...recipients[kind]];
  if (alerts.length === 0)
    return (
      <EmptyState title="No alerts in the last 30 days.">
        <p>Alerts appear here within a minute or two.</p>
      </EmptyState>
    );
  return (
    <ul class="card rows alerts">
      {alerts.map(({ id, kind, environment, at, ended_at, title, text }) => (
        <li key={id}>
          <div>
            <h3>{title}</h3>
            <p>{text}</p>
            <p class="small">
              <Time at={at} />
              {ended_at && (
                <>
                  {' – '}
                  <Time at={ended_at} />
                </>
              )}
            </p>
            <p class="small">Emails about this now go to {formatList(recipientsOf(kind)) || 'nobody'}.</p>
          </div>
          {may(PAGES[kind].route) && (
            <a class="button" href={pageIn(environment, PAGES[kind].path)}>
              {LINK_LABELS[kind]}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
