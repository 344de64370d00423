import { signedInRoute } from '../../shared/http/console/chain.ts';
import { showSession } from '../../shared/http/console/routes/show-session.ts';
import { sessionViewDependencies } from '../../shared/http/console/session-view.ts';

/** GET /console/api/session: who is signed in, and in which organisation. */
export const handler = signedInRoute('show-session', showSession(sessionViewDependencies()));
