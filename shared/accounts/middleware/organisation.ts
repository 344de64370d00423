import { ServiceError } from '../../core/errors.ts';
import type { Middleware } from '../../http/context.ts';
import { isAdmitted } from '../organisation.ts';
import { caller } from './caller.ts';

/** Requires an organisation that is approved, or pending if the key is a test key (contract B3). */
export function organisation(): Middleware {
  return {
    name: 'organisation',
    async before({ context: { requestContext } }) {
      const { organisation, env } = caller.of(requestContext);
      if (!isAdmitted(organisation.status, env)) throw new ServiceError('UNAPPROVED_ORGANIZATION');
    },
  };
}
