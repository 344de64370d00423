import { numberTags } from '../../verifications/number-tag.ts';
import { SERVICES } from '../../verifications/services.ts';
import { type Middleware, required } from '../context.ts';
import type { VerificationDependencies } from '../dependencies.ts';

/** The request becomes an operation of the ledger: its price, and the pseudonym under which it is logged. */
export function operation({ pepper }: Pick<VerificationDependencies, 'pepper'>): Middleware {
  return {
    before: async function operationBefore({ context }) {
      const { requestContext } = context;
      const { env, organisation, key } = required(requestContext.caller, 'caller');
      const { service, idType, number, consent, reason } = required(requestContext.command, 'command');
      const wallet = { env, organisationId: organisation.id };
      const tags = numberTags(await pepper(), wallet, idType, number);
      requestContext.numberTags = tags;
      requestContext.operation = {
        id: requestContext.operationId,
        wallet,
        requestId: requestContext.requestId,
        service,
        cost: organisation.services[service]?.price ?? SERVICES[service].price,
        keyLabel: key.label,
        numberTag: required(tags[0], 'number tag'),
        requestedAtMs: requestContext.requestedAtMs,
        ...(consent !== undefined && { consent }),
        ...(reason !== undefined && { reason }),
      };
    },
  };
}
