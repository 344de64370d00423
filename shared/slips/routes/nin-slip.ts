import { join } from 'node:path';
import { caller } from '../../accounts/middleware/caller.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { acceptedKeys, currentPart, secret } from '../../core/secrets.ts';
import type { LambdaHandler } from '../../http/chain.ts';
import { publicAddress } from '../../http/own-address.ts';
import type { RunLookUp } from '../../verifications/middleware/charged-route.ts';
import {
  type ChargedLookUp,
  chargedRoute,
  lookUpContext,
} from '../../verifications/middleware/charged-route.ts';
import { creditOf } from '../../verifications/middleware/credit.ts';
import type {
  LookUpDependencies,
  VerificationDependencies,
} from '../../verifications/middleware/dependencies.ts';
import { command } from '../../verifications/middleware/values.ts';
import { verificationLog } from '../../verifications/middleware/verification-log.ts';
import { slipBody } from '../../verifications/requests.ts';
import { lookUpRecord } from '../../verifications/verify-identity.ts';
import { makeSlip, type SlipPress } from '../make-slip.ts';
import { loadSlipTheme } from '../theme.ts';
import { nameOfWithdrawal, type WithdrawnTable, withdrawnTable } from '../withdrawn-table.ts';

const WITHDRAWN = 'The slip of this Idempotency-Key was withdrawn. To make a new slip, use a new key.';

/**
 * Returns the settings for slips. An invalid theme makes the cold start fail. The deployment checks it beforehand
 * (infra/slip-theme.ts).
 */
export function slipPress(): SlipPress {
  const file = setting('SLIP_THEME');
  return {
    checkDays: setting('LOG_RETENTION_DAYS'),
    theme: file ? loadSlipTheme(join(setting('LAMBDA_TASK_ROOT'), file)) : undefined,
  };
}

type Withdrawn = () => Pick<WithdrawnTable, 'isWithdrawn'>;

const withdrawnSlips: Withdrawn = () => withdrawnTable(database(), setting('API_KEYS_TABLE'));

/** POST /v1/ng/nin/slip/download: a charged look-up that returns a PDF (contract E5). */
export function slipRoute(
  deps: VerificationDependencies,
  press: SlipPress = slipPress(),
  withdrawn: Withdrawn = withdrawnSlips,
): LambdaHandler {
  return chargedRoute(slipLookUp(deps, press, withdrawn), deps);
}

/** Returns the charged look-up that responds with a slip, for an identified caller. */
export function slipLookUp(
  deps: LookUpDependencies,
  press: SlipPress,
  withdrawn: Withdrawn = withdrawnSlips,
): ChargedLookUp {
  secret('SLIP').catch(() => undefined);
  const run: RunLookUp = async (requestContext, event) => {
    const { env } = caller.of(requestContext);
    const asked = command.of(requestContext);
    const { state } = creditOf(requestContext);
    // A copy has the ID of the charged request, so that one withdrawal reaches every copy.
    const { requestId } = state.kind === 'replay' ? state.of : requestContext;
    if (state.kind === 'replay') await requireNotWithdrawn(requestId, withdrawn());
    // Read before the look-up: a provider may bill for a record, and without the key it would be lost.
    const signingKey = currentPart('SLIP', await secret('SLIP'));
    const found = await lookUpRecord(asked, env, lookUpContext(requestContext, deps), deps.registries);
    const order = {
      command: asked,
      requestId,
      specimen: env === 'test',
      baseUrl: publicAddress(event),
      now: new Date(deps.clock.nowMs()),
    };
    return makeSlip(order, found, signingKey, press);
  };
  const route = { name: 'nin-slip', idType: 'NIN', body: slipBody } as const;
  return { route, extra: { ofOperation: [verificationLog(deps)] }, run };
}

/** A replay would make a new slip, which nobody has withdrawn. */
async function requireNotWithdrawn(requestId: string, withdrawn: ReturnType<Withdrawn>): Promise<void> {
  const keys = acceptedKeys(await secret('SLIP'));
  const names = keys.map((key) => nameOfWithdrawal(requestId.slice('req_'.length), key));
  const found = await Promise.all(names.map((name) => withdrawn.isWithdrawn(name)));
  if (found.includes(true)) throw new ServiceError('IDEMPOTENCY_KEY_REUSED', { message: WITHDRAWN });
}
