import { alertsDependencies, readAlerts, showAlerts } from '../../shared/alerts/console/alerts.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('show-alerts', showAlerts(), {
  prefetch: readAlerts(alertsDependencies()),
});
