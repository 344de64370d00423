import { servicePrice } from '../../accounts/organisation.ts';
import type { Middleware } from '../../http/context.ts';
import type { LookUpDependencies } from '../../http/dependencies.ts';
import { logDetails } from '../../ledger/rows/log-entry.ts';
import { numberTags } from '../number-tag.ts';
import { SERVICES } from '../services.ts';

/** Sets the ledger operation of the request, with its price, and the pseudonym under which it is logged. */
export function operation({ pepper }: Pick<LookUpDependencies, 'pepper'>): Middleware {
  return {
    before: async function operationBefore({ context: { requestContext } }) {
      const { env, organisation, key } = requestContext.caller;
      const { command } = requestContext;
      const { service, idType, number } = command;
      const wallet = { env, organisationId: organisation.id };
      requestContext.pepper = await pepper();
      const tags = numberTags(requestContext.pepper, wallet, idType, number);
      requestContext.numberTags = tags;
      requestContext.operation = {
        id: requestContext.operationId,
        wallet,
        requestId: requestContext.requestId,
        service,
        cost: servicePrice(organisation, service) ?? SERVICES[service].price,
        keyLabel: key.label,
        numberTag: tags[0],
        requestedAtMs: requestContext.requestedAtMs,
        ...logDetails(command),
      };
    },
  };
}
