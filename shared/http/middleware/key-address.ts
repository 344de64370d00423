import { isAddressIn } from '../../accounts/key-limits.ts';
import { ServiceError } from '../../core/errors.ts';
import { keyCode } from '../../verifications/outcome-codes.ts';
import type { Middleware } from '../context.ts';

/**
 * The key is used from an address that it allows. Other addresses get the same response as a bad key, so that a thief
 * learns nothing (decision record 4, decision B5). The address is the one that API Gateway saw.
 */
export function keyAddress(): Middleware {
  return {
    before: async function keyAddressBefore({ event, context: { requestContext } }) {
      const { addressRanges } = requestContext.caller.key;
      if (isAddressIn(addressRanges, event.requestContext.identity.sourceIp)) return;
      requestContext.detail = 'address-not-allowed';
      requestContext.headers['WWW-Authenticate'] = 'Bearer';
      throw new ServiceError(keyCode(requestContext.errorStyle));
    },
  };
}
