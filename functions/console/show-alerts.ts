import { alertsDependencies, readAlerts, showAlerts } from '../../shared/alerts/console/alerts.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

/** GET /console/api/alerts: which alerts are on, who receives them, and the alerts of the last 30 days. */
export const handler = consoleRoute('show-alerts', showAlerts(), {
  prefetch: readAlerts(alertsDependencies()),
});
