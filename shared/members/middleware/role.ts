import { ServiceError } from '../../core/errors.ts';
import type { Role } from '../../core/member-role.ts';
import type { ConsoleMiddleware } from '../../http/console/context.ts';
import { signedIn } from './session.ts';

/** Requires a role that permits the route, and an organisation that is not suspended, unless the route permits it. For members' routes only. */
export function role(): ConsoleMiddleware {
  return {
    name: 'role',
    async before({ context: { requestContext } }) {
      const { membership, organisation } = signedIn.of(requestContext);
      if (!membership || !organisation) throw new ServiceError('ORGANISATION_REQUIRED');
      const { roles, whileSuspended } = requestContext.route;
      if (organisation.status === 'SUSPENDED' && !whileSuspended)
        throw new ServiceError('ORGANISATION_SUSPENDED');
      if (typeof roles === 'string') throw new ServiceError('ROLE_REQUIRED');
      if (!roles.includes(membership.role))
        throw new ServiceError('ROLE_REQUIRED', { message: whoMay(roles) });
    },
  };
}

const NAMES: Readonly<Record<Role, string>> = {
  owner: 'owner',
  admin: 'administrator',
  developer: 'developer',
  finance: 'finance member',
  viewer: 'viewer',
};

function whoMay(roles: readonly Role[]): string {
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(roles.map((one) => NAMES[one]));
  return `Your role does not permit this. Ask an ${names} of the organisation.`;
}
