import { hasScope, type ReadScope } from '../../accounts/key-limits.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Middleware, required } from '../context.ts';

/** A key that was narrowed may read this (decision record 4). Charged routes ask in `subscription`. */
export function scope(wanted: ReadScope): Middleware {
  return {
    before: async function scopeBefore({ context }) {
      const { requestContext } = context;
      if (hasScope(required(requestContext.caller, 'caller').key.scopes, wanted)) return;
      requestContext.detail = 'scope';
      throw new ServiceError('INVALID_API_KEY', {
        message: `This API key may not be used here. Use one with the scope ${wanted}.`,
      });
    },
  };
}
