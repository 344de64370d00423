import { setting } from '../../core/config.ts';
import type { LambdaHandler } from '../../http/chain.ts';
import { BANK_NOT_SERVED } from '../../registries/mapping/results.ts';
import { bankCodeRequired, bankNotServed } from '../bank-code.ts';
import { bankCode } from '../middleware/bank-code.ts';
import type { RunLookUp, VerificationRoute } from '../middleware/charged-route.ts';
import { type ChargedLookUp, chargedRoute, recordLookUp } from '../middleware/charged-route.ts';
import type { LookUpDependencies, VerificationDependencies } from '../middleware/dependencies.ts';
import { accountBanks, command } from '../middleware/values.ts';
import { dedicatedBody } from '../requests.ts';

export const NUBAN_ROUTE = {
  name: 'nuban-basic',
  idType: 'NUBAN',
  body: dedicatedBody('nuban-basic'),
} as const;

/** Returns the handler of a route that looks up accounts, and perhaps other numbers too. */
export function accountRoute(
  route: VerificationRoute,
  deps: VerificationDependencies,
  mayAskBanks: boolean = setting('NUBAN_RESOLVE'),
): LambdaHandler {
  return chargedRoute(accountLookUp(route, deps, mayAskBanks), deps);
}

/** Returns the charged look-up of such a route, for an identified caller. */
export function accountLookUp(
  route: VerificationRoute,
  deps: LookUpDependencies,
  mayAskBanks: boolean,
): ChargedLookUp {
  const lookUp = recordLookUp(route, deps);
  const run: RunLookUp = async (requestContext, event) => {
    const result = await lookUp.run(requestContext, event);
    if (result.kind === 'found') return result;
    const asked = command.of(requestContext);
    const { bank, candidates } = accountBanks.find(requestContext) ?? {};
    if (candidates) return { ...result, kind: 'failed', rejection: bankCodeRequired(asked) };
    const isNotServed = bank && result.kind === 'failed' && result.detail === BANK_NOT_SERVED;
    return isNotServed ? { ...result, rejection: bankNotServed(bank, asked) } : result;
  };
  const { registries } = deps;
  return { ...lookUp, extra: { ofBody: [bankCode({ registries, mayAskBanks })] }, run };
}
