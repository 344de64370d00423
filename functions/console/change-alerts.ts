import { alertsDependencies, changeAlerts } from '../../shared/alerts/console/alerts.ts';
import { changeAlertsBody } from '../../shared/alerts/console/bodies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

/** PUT /console/api/alerts: switches one kind of alert on or off. */
export const handler = consoleRoute('change-alerts', changeAlerts(alertsDependencies()), {
  body: changeAlertsBody,
});
