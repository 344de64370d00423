import { signInRoute } from '../../shared/http/console/chain.ts';
import { stageIdentityProvider } from '../../shared/members/console/sign-in-dependencies.ts';
import { startSignIn } from '../../shared/members/console/start-sign-in.ts';

export const handler = signInRoute('start-sign-in', startSignIn(stageIdentityProvider()));
