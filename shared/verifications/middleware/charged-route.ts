import type { APIGatewayProxyEvent } from 'aws-lambda';
import { caller } from '../../accounts/middleware/caller.ts';
import type { LookUpChecks } from '../../accounts/middleware/keyed-route.ts';
import { callerChecks, keyedChain } from '../../accounts/middleware/keyed-route.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { TEST_TRAFFIC_KEY } from '../../core/keys.ts';
import { registryDeadlineMs } from '../../core/time-budget.ts';
import type { ApiRoute } from '../../http/api-format.ts';
import type { LambdaHandler } from '../../http/chain.ts';
import type { ApiContext, Middleware, RequestContext } from '../../http/context.ts';
import type { Attempt } from '../../registries/ask-provider.ts';
import type { RegistryRouter } from '../../registries/router.ts';
import { limitResponse } from '../limit-response.ts';
import { lookUpLine } from '../look-up-line.ts';
import type { MatchRecord } from '../match-record.ts';
import type { BodyReader } from '../requests.ts';
import type { VerificationResult } from '../result.ts';
import { type LookUpContext, verifyIdentity } from '../verify-identity.ts';
import { creditOf } from './credit.ts';
import type { LookUpDependencies, VerificationDependencies } from './dependencies.ts';
import { endOfLookUp } from './end-of-look-up.ts';
import { idempotency } from './idempotency.ts';
import { jsonBody } from './json-body.ts';
import { lookUpResponse } from './look-up-response.ts';
import { numberGuesses, wrongDetails } from './number-guesses.ts';
import { pricedOperation } from './priced-operation.ts';
import { servedNumber } from './served-number.ts';
import { subscription } from './subscription.ts';
import { testTraffic } from './test-traffic.ts';
import { accountBanks, attempts as attemptsOf, command, rowsOfLookUp } from './values.ts';
import { wallet } from './wallet.ts';

/** The routes that look up a number and charge credits for a record. */

export interface VerificationRoute extends ApiRoute {
  readonly body: BodyReader;
  readonly matchRecord?: MatchRecord;
}

interface ExtraChecks {
  readonly ofBody?: readonly Middleware[];
  /** Run once the price and the pseudonym of the number are known. */
  readonly ofOperation?: readonly Middleware[];
}

export interface ChargedLookUp {
  readonly route: VerificationRoute;
  /** @default none */
  readonly extra?: ExtraChecks;
  readonly run: RunLookUp;
}

export type RunLookUp = (
  requestContext: ApiContext,
  event: APIGatewayProxyEvent,
) => Promise<VerificationResult>;

/** Returns the handler of a charged look-up for callers with an API key. */
export function chargedRoute(lookUp: ChargedLookUp, deps: VerificationDependencies): LambdaHandler {
  return chargedChain(lookUp, callerChecks(lookUp.route.name, deps, lookUpChecks(deps.registries)), deps);
}

function lookUpChecks(registries: RegistryRouter): LookUpChecks {
  return {
    besideKey({ env }, requestContext) {
      const { idType } = requestContext;
      // The body of a gateway request has not been read yet.
      const states = registries.beginRead(env, idType === '' ? ID_TYPES : [idType]);
      // The budget for test traffic limits only look-ups with test keys.
      const budget = env === 'test' ? [TEST_TRAFFIC_KEY] : [];
      return {
        required: [...states.required, ...budget],
        spare: states.spare,
        complete(rows, leftOut) {
          const found = rows.find((row) => row['pk'] === TEST_TRAFFIC_KEY.pk) ?? {};
          const registryStates = states.complete(rows, leftOut);
          rowsOfLookUp.set(requestContext, { testTraffic: found, registryStates });
        },
      };
    },
    endOf: endOfLookUp,
    hasLogRow: (requestContext) => creditOf(requestContext).hasLogRow,
  };
}

/**
 * Returns the handler of a charged look-up. A result that is too large to send becomes a failure before `wallet`
 * charges it.
 */
export function chargedChain(
  { route: { body, ...route }, extra: { ofBody = [], ofOperation = [] } = {}, run }: ChargedLookUp,
  identify: readonly Middleware[],
  deps: LookUpDependencies,
): LambdaHandler {
  const checks = [
    ...identify,
    testTraffic(deps),
    jsonBody(body),
    servedNumber(deps.registries),
    ...ofBody,
    subscription(),
    pricedOperation(deps),
    ...ofOperation,
    idempotency(route.name, deps),
    numberGuesses(deps),
    wallet(deps),
    wrongDetails(deps),
  ];
  const limited: RunLookUp = async (requestContext, event) => limitResponse(await run(requestContext, event));
  return keyedChain(route, checks, limited, deps, lookUpResponse);
}

/** Returns the handler of a charged look-up that returns the record. */
export function verificationRoute(route: VerificationRoute, deps: VerificationDependencies): LambdaHandler {
  return chargedRoute(recordLookUp(route, deps), deps);
}

/** Returns a charged look-up that responds with the record, for use with `chargedRoute` or `chargedChain`. */
export function recordLookUp(route: VerificationRoute, deps: LookUpDependencies): ChargedLookUp {
  const { matchRecord } = route;
  const run: RunLookUp = (requestContext) => {
    const { env } = caller.of(requestContext);
    const context = { ...lookUpContext(requestContext, deps), matchRecord };
    return verifyIdentity(command.of(requestContext), env, context, deps.registries);
  };
  return { route, run };
}

/**
 * Returns what a look-up needs from its request: the ID, the deadline, the states of the registries, and the banks of
 * an account.
 */
export function lookUpContext(
  requestContext: RequestContext,
  { clock, registryTimeoutMs }: LookUpDependencies,
): LookUpContext {
  const { requestId, requestedAtMs, line } = requestContext;
  const deadlineMs = registryDeadlineMs(requestedAtMs, clock.nowMs(), registryTimeoutMs);
  const attempts: Attempt[] = [];
  attemptsOf.set(requestContext, attempts);
  return {
    requestId,
    organisationId: caller.of(requestContext).organisation.id,
    deadlineMs,
    registryStates: rowsOfLookUp.of(requestContext).registryStates,
    accountBanks: accountBanks.find(requestContext),
    onAttempt(attempt) {
      attempts.push(attempt);
      line.lookUps.push(lookUpLine(attempt));
    },
  };
}
