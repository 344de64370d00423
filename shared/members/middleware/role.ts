import { ServiceError } from '../../core/errors.ts';
import type { ConsoleMiddleware } from '../../http/console/context.ts';

/** Requires a role that permits the route, and an organisation that is not suspended. For members' routes only. */
export function role(): ConsoleMiddleware {
  return {
    before: async function roleBefore({ context: { consoleContext } }) {
      const { membership, organisation } = consoleContext.signedIn;
      if (!membership || !organisation) throw new ServiceError('ORGANISATION_REQUIRED');
      if (organisation.status === 'SUSPENDED') throw new ServiceError('ORGANISATION_SUSPENDED');
      const { roles } = consoleContext.route;
      if (typeof roles === 'string' || !roles.includes(membership.role))
        throw new ServiceError('ROLE_REQUIRED');
    },
  };
}
