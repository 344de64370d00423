import { alertsDependencies, changeAlerts } from '../../shared/alerts/console/alerts.ts';
import { changeAlertsBody } from '../../shared/alerts/console/bodies.ts';
import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('change-alerts', changeAlerts(alertsDependencies(), consoleMail()), {
  body: changeAlertsBody,
});
