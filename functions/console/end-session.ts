import { signedInRoute } from '../../shared/http/console/chain.ts';
import { endSession, endSessionBody } from '../../shared/http/console/routes/end-session.ts';
import { endSessionDependencies } from '../../shared/http/console/sign-in-dependencies.ts';

/** POST /console/api/session/end: signs the person out, on this device or everywhere. */
export const handler = signedInRoute('end-session', endSession(endSessionDependencies()), {
  body: endSessionBody,
});
