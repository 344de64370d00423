import { consoleRoute } from '../../shared/http/console/chain.ts';
import { homeDependencies, readHome, showHome } from '../../shared/http/console/routes/home.ts';

const deps = homeDependencies();

/** GET /console/api/home: the state of the organisation, and the steps to its first live request. */
export const handler = consoleRoute('show-home', showHome(deps), { prefetch: readHome(deps) });
