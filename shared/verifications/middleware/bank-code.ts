import { caller } from '../../accounts/middleware/caller.ts';
import { type ErrorDetails, ServiceError } from '../../core/errors.ts';
import type { Middleware, RequestContext } from '../../http/context.ts';
import { bankByCode, banksThatFit } from '../../registries/mapping/banks.ts';
import type { RegistryRouter } from '../../registries/router.ts';
import { bankCodeRequired } from '../bank-code.ts';
import { accountBanks, command } from './values.ts';

const MAX_CANDIDATES = 25;

export interface BankCodeOptions {
  readonly registries: Pick<RegistryRouter, 'findsBankOfAccount'>;
  readonly mayAskBanks: boolean;
}

/** Requires an account whose bank is known or can be found (contract D8). */
export function bankCode(options: BankCodeOptions): Middleware {
  return {
    before: async function bankCodeBefore({ context: { requestContext } }) {
      accountBanks.set(requestContext, banksOf(requestContext, options));
    },
  };
}

function banksOf(requestContext: RequestContext, { registries, mayAskBanks }: BankCodeOptions) {
  const { bankCode: given, number } = command.of(requestContext);
  if (given !== undefined) {
    const bank = bankByCode(given);
    if (!bank) throw rejection(UNKNOWN_BANK);
    return { bank };
  }
  if (registries.findsBankOfAccount(caller.of(requestContext).env)) return {};
  const candidates = banksThatFit(number);
  const canAsk = mayAskBanks && candidates.length > 0 && candidates.length <= MAX_CANDIDATES;
  if (!canAsk) throw rejection(bankCodeRequired(number));
  return { candidates };
}

const UNKNOWN_BANK: ErrorDetails = {
  reason: 'unknown_bank',
  field: 'bank_code',
  hint: 'No bank has this bank_code. GET /v1/banks lists the codes of all banks.',
};

function rejection(details: ErrorDetails): ServiceError {
  return new ServiceError('NUBAN_VERIFICATION_FAILED', { message: details.hint, details });
}
