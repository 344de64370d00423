import { setting } from '../../shared/core/config.ts';
import { signInRoute } from '../../shared/http/console/chain.ts';
import { finishSignIn } from '../../shared/members/console/finish-sign-in.ts';
import { signInTables, stageIdentityProvider } from '../../shared/members/console/sign-in-dependencies.ts';
import { secondFactorCheck } from '../../shared/members/user-pool.ts';

export const handler = signInRoute(
  'finish-sign-in',
  finishSignIn(stageIdentityProvider(), secondFactorCheck(setting('SIGN_IN_POOL_ID')), signInTables()),
);
