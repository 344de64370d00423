import { caller } from '../../accounts/middleware/caller.ts';
import { ServiceError } from '../../core/errors.ts';
import { type SpecialNumber, specialNumber } from '../../core/numbers.ts';
import type { Middleware } from '../../http/context.ts';
import type { RegistryRouter } from '../../registries/router.ts';
import { failureCode } from '../outcome-codes.ts';
import { command } from './values.ts';

const HINTS: Readonly<Record<SpecialNumber, string>> = {
  VNIN: 'It is a virtual NIN, which none of the registries looks up. Send the NIN itself, with 11 digits.',
  NIN: 'It is a NIN, which none of the registries looks up as a Tax ID. Send it to POST /v1/ng/nin-basic.',
  RC: 'It is an RC number, which none of the registries looks up as a Tax ID. Send it to POST /v1/ng/cac-basic.',
};

/**
 * Requires a number of a kind that one of the registries looks up (contract D6). Throws the code for a wrong format,
 * because the caller must send another number or use another route.
 */
export function servedNumber(registries: Pick<RegistryRouter, 'rejectsNumber'>): Middleware {
  return {
    name: 'servedNumber',
    async before({ context: { requestContext } }) {
      const { idType, number, numberField } = command.of(requestContext);
      const special = specialNumber(idType, number);
      if (!special || !registries.rejectsNumber(caller.of(requestContext).env, { idType, number })) return;
      const hint = HINTS[special];
      const code =
        requestContext.errorStyle === 'gateway'
          ? 'INVALID_SCHEMA'
          : failureCode('not-found', idType, 'dedicated');
      throw new ServiceError(code, {
        message: `${numberField} cannot be looked up. ${hint}`,
        details: { reason: 'wrong_format', field: numberField, hint },
      });
    },
  };
}
