import { isAdmitted } from '../../accounts/organisation.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Middleware, required } from '../context.ts';

/** The organisation is approved for live access; nothing works while it is suspended (decision B3). */
export function organisation(): Middleware {
  return {
    before: async function organisationBefore({ context }) {
      const caller = required(context.requestContext.caller, 'caller');
      if (!isAdmitted(caller.organisation.status, caller.env))
        throw new ServiceError('UNAPPROVED_ORGANIZATION');
    },
  };
}
