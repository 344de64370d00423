import { homeDependencies, readHome, showHome } from '../../shared/home/console/home.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = homeDependencies();

export const handler = consoleRoute('show-home', showHome(deps), { prefetch: readHome(deps) });
