import { caller } from '../../accounts/middleware/caller.ts';
import { type ErrorDetails, ServiceError } from '../../core/errors.ts';
import type { ApiContext, ErrorStyle, Middleware } from '../../http/context.ts';
import { bankByCode, banksThatFit } from '../../registries/mapping/banks.ts';
import type { RegistryRouter } from '../../registries/router.ts';
import { bankCodeField, bankCodeRequired } from '../bank-code.ts';
import { failureCode } from '../outcome-codes.ts';
import type { Command } from '../requests.ts';
import { accountBanks, command } from './values.ts';

const MAX_CANDIDATES = 25;

export interface BankCodeOptions {
  readonly registries: Pick<RegistryRouter, 'findsBankOfAccount'>;
  readonly mayAskBanks: boolean;
}

/** Requires of an account that its bank is known or can be found (contract D8). */
export function bankCode(options: BankCodeOptions): Middleware {
  return {
    name: 'bankCode',
    async before({ context: { requestContext } }) {
      if (command.of(requestContext).idType === 'NUBAN')
        accountBanks.set(requestContext, banksOf(requestContext, options));
    },
  };
}

function banksOf(requestContext: ApiContext, { registries, mayAskBanks }: BankCodeOptions) {
  const asked = command.of(requestContext);
  const { bankCode: given, number } = asked;
  const { errorStyle } = requestContext;
  if (given !== undefined) {
    const bank = bankByCode(given);
    if (!bank) throw rejection(unknownBank(asked), errorStyle);
    return { bank };
  }
  if (registries.findsBankOfAccount(caller.of(requestContext).env)) return {};
  const candidates = banksThatFit(number);
  const canAsk = mayAskBanks && candidates.length > 0 && candidates.length <= MAX_CANDIDATES;
  if (!canAsk) throw rejection(bankCodeRequired(asked), errorStyle);
  return { candidates };
}

function unknownBank(asked: Command): ErrorDetails {
  const hint = 'No bank has this bank_code. GET /v1/banks lists the codes of all banks.';
  return { reason: 'unknown_bank', field: bankCodeField(asked), hint };
}

function rejection(details: ErrorDetails, errorStyle: ErrorStyle): ServiceError {
  return new ServiceError(failureCode('failed', 'NUBAN', errorStyle), { message: details.hint, details });
}
