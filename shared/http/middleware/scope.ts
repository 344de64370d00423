import { hasScope, type ReadScope } from '../../accounts/key-limits.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Middleware, need } from '../exchange.ts';

/** A key that was narrowed may read this (decision record 4). Charged routes ask in `subscription`. */
export function scope(wanted: ReadScope): Middleware {
  return {
    before: async function scopeBefore({ context }) {
      const { exchange } = context;
      if (hasScope(need(exchange.caller, 'caller').key.scopes, wanted)) return;
      exchange.detail = 'scope';
      throw new ServiceError('INVALID_API_KEY', {
        message: `This API key may not be used here. Use one with the scope ${wanted}.`,
      });
    },
  };
}
