import { numberTags } from '../../verifications/number-tag.ts';
import { SERVICES } from '../../verifications/services.ts';
import { type Middleware, need } from '../exchange.ts';
import type { VerificationParts } from '../parts.ts';

/** The request becomes an operation of the ledger: its price, and the pseudonym under which it is logged. */
export function operation({ pepper }: Pick<VerificationParts, 'pepper'>): Middleware {
  return {
    before: async function operationBefore({ context }) {
      const { exchange } = context;
      const { env, organisation, key } = need(exchange.caller, 'caller');
      const { service, idType, number, consent, reason } = need(exchange.command, 'command');
      const wallet = { env, organisationId: organisation.id };
      const tags = numberTags(await pepper(), wallet, idType, number);
      exchange.numberTags = tags;
      exchange.operation = {
        id: exchange.operationId,
        wallet,
        requestId: exchange.requestId,
        service,
        cost: organisation.services[service]?.price ?? SERVICES[service].price,
        keyLabel: key.label,
        numberTag: need(tags[0], 'number tag'),
        requestedAtMs: exchange.requestedAtMs,
        ...(consent !== undefined && { consent }),
        ...(reason !== undefined && { reason }),
      };
    },
  };
}
