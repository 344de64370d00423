import { consoleRoute } from '../../shared/http/console/chain.ts';
import { alertsDependencies, readAlerts, showAlerts } from '../../shared/http/console/routes/alerts.ts';

/** GET /console/api/alerts: which alerts the organisation wants, who receives them, and those of the last 30 days. */
export const handler = consoleRoute('show-alerts', showAlerts(), {
  prefetch: readAlerts(alertsDependencies()),
});
