import type { Middleware } from '../../http/context.ts';
import { isAddressIn } from '../key-limits.ts';
import { caller } from './caller.ts';
import { type KeyRejectionDependencies, rejectKey } from './reject-key.ts';

/**
 * Requires an IP address that the key allows. Other addresses get the same response as an invalid key, so that a thief
 * learns nothing (decision 4, contract B5). API Gateway determines the address.
 */
export function keyAddress(deps: KeyRejectionDependencies): Middleware {
  return {
    name: 'keyAddress',
    async before({ event, context: { requestContext } }) {
      const { key, env, limits } = caller.of(requestContext);
      if (isAddressIn(key.addressRanges, event.requestContext.identity.sourceIp)) return;
      const wallet = { env, organisationId: key.organisationId };
      throw await rejectKey(requestContext, 'address-not-allowed', { wallet, limits }, deps);
    },
  };
}
