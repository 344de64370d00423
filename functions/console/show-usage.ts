import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { showUsage, usageQuery } from '../../shared/usage/console/usage.ts';

/** GET /console/api/usage: a month of requests by service, outcome and key. */
export const handler = consoleRoute('show-usage', showUsage(), { query: usageQuery });
