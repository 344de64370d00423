import { caller } from '../../accounts/middleware/caller.ts';
import { setting } from '../../core/config.ts';
import type { LambdaHandler } from '../../http/chain.ts';
import { BANK_NOT_SERVED } from '../../registries/mapping/results.ts';
import { bankCodeRequired, bankNotServed } from '../bank-code.ts';
import { bankCode } from '../middleware/bank-code.ts';
import type { RunLookUp } from '../middleware/charged-route.ts';
import { type ChargedLookUp, chargedRoute, lookUpContext } from '../middleware/charged-route.ts';
import type { LookUpDependencies, VerificationDependencies } from '../middleware/dependencies.ts';
import { accountBanks, command } from '../middleware/values.ts';
import { dedicatedBody } from '../requests.ts';
import { verifyIdentity } from '../verify-identity.ts';

/** POST /v1/ng/nuban-basic. */
export function nubanRoute(
  deps: VerificationDependencies,
  mayAskBanks: boolean = setting('NUBAN_RESOLVE'),
): LambdaHandler {
  return chargedRoute(nubanLookUp(deps, mayAskBanks), deps);
}

/** Returns the charged look-up of an account, for an identified caller. */
export function nubanLookUp(deps: LookUpDependencies, mayAskBanks: boolean): ChargedLookUp {
  const { registries } = deps;
  const run: RunLookUp = async (requestContext) => {
    const asked = command.of(requestContext);
    const { env } = caller.of(requestContext);
    const result = await verifyIdentity(asked, env, lookUpContext(requestContext, deps), registries);
    if (result.kind === 'found') return result;
    const { bank, candidates } = accountBanks.of(requestContext);
    if (candidates) return { ...result, kind: 'failed', rejection: bankCodeRequired(asked.number) };
    const isNotServed = bank && result.kind === 'failed' && result.detail === BANK_NOT_SERVED;
    return isNotServed ? { ...result, rejection: bankNotServed(bank) } : result;
  };
  const route = { name: 'nuban-basic', idType: 'NUBAN', body: dedicatedBody('nuban-basic') } as const;
  return { route, extra: { ofBody: [bankCode({ registries, mayAskBanks })] }, run };
}
