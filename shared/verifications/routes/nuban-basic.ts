import { setting } from '../../core/config.ts';
import {
  type ChargedLookUp,
  chargedRoute,
  type LambdaHandler,
  lookUpContext,
  type Run,
} from '../../http/chains.ts';
import type { LookUpDependencies, VerificationDependencies } from '../../http/dependencies.ts';
import { bankCodeRequired } from '../bank-code.ts';
import { bankCode } from '../middleware/bank-code.ts';
import { dedicatedBody } from '../requests.ts';
import { verifyIdentity } from '../verify-identity.ts';

/**
 * POST /v1/ng/nuban-basic. With `mayAskBanks`, an account without a bank code may be looked up at all banks whose code
 * fits its check digit.
 */
export function nubanRoute(
  deps: VerificationDependencies,
  mayAskBanks: boolean = setting('NUBAN_RESOLVE'),
): LambdaHandler {
  return chargedRoute(nubanLookUp(deps, mayAskBanks), deps);
}

/** Returns the charged look-up of an account, for an identified caller. */
export function nubanLookUp(deps: LookUpDependencies, mayAskBanks: boolean): ChargedLookUp {
  const { registries } = deps;
  const run: Run = async (requestContext) => {
    const { command, caller, accountBanks } = requestContext;
    const result = await verifyIdentity(command, caller.env, lookUpContext(requestContext, deps), registries);
    if (result.kind === 'found' || !accountBanks?.candidates) return result;
    return { ...result, kind: 'failed', rejection: bankCodeRequired(command.number) };
  };
  const route = { name: 'nuban-basic', idType: 'NUBAN', body: dedicatedBody('nuban-basic') } as const;
  return { route, extra: { ofBody: [bankCode({ registries, mayAskBanks })] }, run };
}
