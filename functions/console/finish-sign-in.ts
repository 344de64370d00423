import { signInRoute } from '../../shared/http/console/chain.ts';
import { finishSignIn } from '../../shared/http/console/routes/finish-sign-in.ts';
import { signInTables, stageIdentityProvider } from '../../shared/http/console/sign-in-dependencies.ts';

/** GET /console/api/session/callback: the identity provider sends the browser here after the sign-in. */
export const handler = signInRoute('finish-sign-in', finishSignIn(stageIdentityProvider(), signInTables()));
