import { ServiceError, type ServiceErrorOptions } from '../../core/errors.ts';
import type { Middleware } from '../../http/context.ts';
import { hasScope, type PAY_SCOPE, type ReadScope, type WITHDRAW_SCOPE } from '../key-limits.ts';
import { caller } from './caller.ts';

export type RouteScope = ReadScope | typeof WITHDRAW_SCOPE | typeof PAY_SCOPE;

/** Requires a key with the scope of the route (decision 4). Charged routes check scopes in `subscription`. */
export function scope(wanted: RouteScope): Middleware {
  return {
    name: 'scope',
    async before({ context: { requestContext } }) {
      if (hasScope(caller.of(requestContext).key.scopes, wanted)) return;
      requestContext.line.detail = 'scope';
      throw new ServiceError('INVALID_API_KEY', missingScope(wanted));
    },
  };
}

/** Returns what the error for a key without this scope says. */
export function missingScope(wanted: string, hint = 'Use a key that has it.'): ServiceErrorOptions {
  const details = { reason: 'missing_scope', field: '', hint } as const;
  return { message: `This API key lacks the scope ${wanted}. ${hint}`, details };
}
