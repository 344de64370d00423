import { endSessionBody } from '../../shared/members/console/bodies.ts';
import { endSession } from '../../shared/members/console/end-session.ts';
import { endSessionDependencies } from '../../shared/members/console/sign-in-dependencies.ts';
import { signedInRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = signedInRoute('end-session', endSession(endSessionDependencies()), {
  body: endSessionBody,
});
