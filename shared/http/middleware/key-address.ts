import { isAddressIn } from '../../accounts/key-limits.ts';
import { ServiceError } from '../../core/errors.ts';
import { keyCode } from '../../verifications/outcome-codes.ts';
import { type Middleware, required } from '../context.ts';

/**
 * The key is used from where it was meant to be. Elsewhere it is answered like any bad key: a thief learns nothing of
 * what he holds (decision record 4, decision B5). The address is the one that API Gateway saw.
 */
export function keyAddress(): Middleware {
  return {
    before: async function keyAddressBefore({ event, context }) {
      const { requestContext } = context;
      const { addressRanges } = required(requestContext.caller, 'caller').key;
      if (isAddressIn(addressRanges, event.requestContext.identity.sourceIp)) return;
      requestContext.detail = 'address-not-allowed';
      requestContext.headers['WWW-Authenticate'] = 'Bearer';
      throw new ServiceError(keyCode(requestContext.errorStyle));
    },
  };
}
