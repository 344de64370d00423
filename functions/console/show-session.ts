import { sessionViewDependencies } from '../../shared/members/console/session-view.ts';
import { showSession } from '../../shared/members/console/show-session.ts';
import { signedInRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = signedInRoute('show-session', showSession(sessionViewDependencies()));
