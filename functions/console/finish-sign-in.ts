import { signInRoute } from '../../shared/http/console/chain.ts';
import { finishSignIn } from '../../shared/members/console/finish-sign-in.ts';
import {
  secondFactorCheck,
  signInTables,
  stageIdentityProvider,
} from '../../shared/members/console/sign-in-dependencies.ts';

/** GET /console/api/session/callback: the identity provider sends the browser here after the sign-in. */
export const handler = signInRoute(
  'finish-sign-in',
  finishSignIn(stageIdentityProvider(), secondFactorCheck(), signInTables()),
);
