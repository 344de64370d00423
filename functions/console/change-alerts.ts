import { consoleRoute } from '../../shared/http/console/chain.ts';
import {
  alertsDependencies,
  changeAlerts,
  changeAlertsBody,
} from '../../shared/http/console/routes/alerts.ts';

/** PUT /console/api/alerts: switches one kind of alert on or off. */
export const handler = consoleRoute('change-alerts', changeAlerts(alertsDependencies()), {
  body: changeAlertsBody,
});
