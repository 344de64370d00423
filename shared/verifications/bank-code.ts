import type { ErrorDetails } from '../core/errors.ts';
import { banksThatFit } from '../registries/mapping/banks.ts';
import type { Bank } from '../registries/mapping/nuban.ts';
import type { Command } from './requests.ts';

type AskedAccount = Pick<Command, 'number' | 'numberField'>;

/** Returns the path of `bank_code`, which is next to the number. */
export function bankCodeField({ numberField }: Pick<AskedAccount, 'numberField'>): string {
  return numberField.replace(/[a-z_]+$/, 'bank_code');
}

/** Returns the error details for an account without a bank code, which say what to do (contract D8). */
export function bankCodeRequired(asked: AskedAccount): ErrorDetails {
  const fitting = banksThatFit(asked.number).map(({ shortName, cbnCode }) => `${shortName} (${cbnCode})`);
  const hint =
    fitting.length > 0
      ? `Send bank_code. The check digit fits ${fitting.join(', ')}. The account may also be a wallet or at a bank without a CBN code: GET /v1/banks lists all codes.`
      : 'Send bank_code. The check digit fits no bank with a CBN code: the account is a wallet or at another bank, or its number is wrong. GET /v1/banks lists all codes.';
  return { reason: 'bank_code_required', field: bankCodeField(asked), hint };
}

/** Returns the error details for an account at a bank that none of the providers serves. */
export function bankNotServed({ name }: Bank, asked: AskedAccount): ErrorDetails {
  const hint = `Accounts at ${name} cannot be verified at the moment: none of the registries serves this bank.`;
  return { reason: 'unknown_bank', field: bankCodeField(asked), hint };
}
