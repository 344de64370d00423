import { signInRoute } from '../../shared/http/console/chain.ts';
import { startSignIn } from '../../shared/http/console/routes/start-sign-in.ts';
import { stageIdentityProvider } from '../../shared/http/console/sign-in-dependencies.ts';

/** GET /console/api/session/start: sends the browser to the identity provider. */
export const handler = signInRoute('start-sign-in', startSignIn(stageIdentityProvider()));
