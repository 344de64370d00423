import type { Environment } from '../core/environment.ts';
import { type Attempt, askProvider } from './ask-provider.ts';
import type { Bank } from './mapping/nuban.ts';
import { failure } from './mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from './port.ts';

interface BankEnquiry {
  /** The account if exactly one bank has it and all others responded that they do not. */
  readonly result: RegistryResult;
  /**
   * The attempt to record for the provider's health: one that is `found`, else one that is `not-found`, else the first.
   */
  readonly attempt: Attempt;
}

/** Asks one provider for the account at each of these banks, in parallel. `banks` must not be empty. */
export async function askBanks(
  provider: RegistryProvider,
  query: RegistryQuery,
  banks: readonly Bank[],
  env: Environment,
  nowMs: () => number,
): Promise<BankEnquiry> {
  const attempts = await Promise.all(
    banks.map((bank) => askProvider(provider, { ...query, bank, bankCode: bank.cbnCode }, env, nowMs)),
  );
  const attempt =
    attempts.find(({ result }) => result.kind === 'found') ??
    attempts.find(({ result }) => result.kind === 'not-found') ??
    attempts[0];
  if (!attempt) throw new Error('There is no bank to ask.');
  return {
    result: onlyHit(attempts),
    attempt: { ...attempt, bankCodes: attempts.flatMap((one) => one.bankCodes ?? []) },
  };
}

function onlyHit(attempts: readonly Attempt[]): RegistryResult {
  const results = attempts.map(({ result }) => result);
  const [hit, ...others] = results.filter(({ kind }) => kind === 'found');
  if (results.some(({ kind }) => kind !== 'found' && kind !== 'not-found'))
    return failure('failed', 'bank-not-responding');
  if (others.length > 0) return failure('failed', 'several-banks');
  return hit ?? failure('failed', 'no-bank');
}
