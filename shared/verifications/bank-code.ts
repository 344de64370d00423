import type { ErrorDetails } from '../core/errors.ts';
import { banksThatFit } from '../registries/mapping/banks.ts';

/** Returns the error details for an account without a bank code, which say what to do (contract D8). */
export function bankCodeRequired(accountNumber: string): ErrorDetails {
  const fitting = banksThatFit(accountNumber).map(({ shortName, cbnCode }) => `${shortName} (${cbnCode})`);
  const hint =
    fitting.length > 0
      ? `Send bank_code. The check digit fits ${fitting.join(', ')}. The account may also be a wallet or at a bank without a CBN code: GET /v1/banks lists all codes.`
      : 'Send bank_code. The check digit fits no bank with a CBN code: the account is a wallet or at another bank, or its number is wrong. GET /v1/banks lists all codes.';
  return { reason: 'bank_code_required', field: 'bank_code', hint };
}
