import { caller } from '../../accounts/middleware/caller.ts';
import { servicePrice } from '../../accounts/organisation.ts';
import type { Middleware } from '../../http/context.ts';
import { logDetails } from '../../ledger/rows/log-entry.ts';
import { numberTags } from '../number-tag.ts';
import { SERVICES } from '../services.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { command, lookUpOperation } from './values.ts';

/** Sets the ledger operation of the request, with its price, and the pseudonym under which it is logged. */
export function pricedOperation({ pepper: readPepper }: Pick<LookUpDependencies, 'pepper'>): Middleware {
  return {
    name: 'pricedOperation',
    async before({ context: { requestContext } }) {
      const { env, organisation, key } = caller.of(requestContext);
      const wanted = command.of(requestContext);
      const { service, idType, number } = wanted;
      const wallet = { env, organisationId: organisation.id };
      const pepper = await readPepper();
      const tags = numberTags(pepper, wallet, idType, number);
      const found = {
        id: requestContext.operationId,
        wallet,
        requestId: requestContext.requestId,
        service,
        cost: servicePrice(organisation, service) ?? SERVICES[service].price,
        keyLabel: key.label,
        numberTag: tags[0],
        requestedAtMs: requestContext.requestedAtMs,
        ...logDetails(wanted),
      };
      lookUpOperation.set(requestContext, { operation: found, numberTags: tags, pepper });
    },
  };
}
