import type { AlertKind } from '../../../../shared/alerts/alert.ts';
import type { AlertView } from '../../../../shared/alerts/console/views.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Time } from '../components/time.tsx';
import type { PermittedRoute } from '../permissions.ts';
import { may } from '../session.ts';
import { alertsTexts } from '../texts.ts';

/**
 * For each kind of alert, the page on which members can act on it, and the route that they must be permitted to call.
 */
const PAGES: Readonly<Record<AlertKind, { path: string; route: PermittedRoute }>> = {
  balance_low: { path: '/wallet', route: 'show-wallet' },
  key_expiring: { path: '/keys', route: 'list-keys' },
  // The status page is public, so this is a route that all roles may call.
  registry_down: { path: '/status', route: 'show-alerts' },
  unusual_traffic: { path: '/requests', route: 'list-requests' },
};

/** Alerts, newest first, each with the page on which members can act on it. */
export function AlertList({ alerts }: { readonly alerts: readonly AlertView[] }) {
  if (alerts.length === 0)
    return (
      <EmptyState title={alertsTexts.none}>
        <p>{alertsTexts.noneText}</p>
      </EmptyState>
    );
  return (
    <ul class="card rows alerts">
      {alerts.map(({ id, kind, at, title, text }) => (
        <li key={id}>
          <div>
            <h3>{title}</h3>
            <p>{text}</p>
            <p class="small">
              <Time at={at} />
            </p>
          </div>
          {may(PAGES[kind].route) && (
            <a class="button" href={PAGES[kind].path}>
              {alertsTexts.open[kind]}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
