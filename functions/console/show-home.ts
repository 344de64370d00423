import { homeDependencies, readHome, showHome } from '../../shared/home/console/home.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = homeDependencies();

/** GET /console/api/home: the state of the organisation, and the steps to its first live request. */
export const handler = consoleRoute('show-home', showHome(deps), { prefetch: readHome(deps) });
