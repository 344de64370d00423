import { type WarmUpStep, warmUp } from '../../core/warm-up.ts';
import { type ApiRoute, apiFormat, type OfLookUp } from '../../http/api-format.ts';
import { chain, type LambdaHandler } from '../../http/chain.ts';
import type { ApiContext, Middleware, RequestContext } from '../../http/context.ts';
import { endInTime, endingInTime } from '../../http/end-in-time.ts';
import { httpsOnly } from '../../http/middleware/https-only.ts';
import type { Run } from '../../http/public-route.ts';
import type { ApiKeyText } from '../api-key.ts';
import { apiKey, type BesideKey } from './api-key.ts';
import { type CallerDependencies, callerDependencies } from './dependencies.ts';
import { keyAddress } from './key-address.ts';
import { organisation } from './organisation.ts';
import { type EndOfLookUp, rateLimit } from './rate-limit.ts';
import { rejectedRequest } from './rejected-request.ts';
import { type RouteScope, scope } from './scope.ts';

/**
 * The routes that need a key. The checks run in the documented order (docs/design/checks.md). The
 * first one that fails determines the response, and no later check runs.
 */

export interface LookUpChecks {
  readonly besideKey: BesideKey;
  readonly endOf: EndOfLookUp;
  readonly hasLogRow: (requestContext: RequestContext) => boolean;
}

const hasNoLogRow = () => false;

/** Returns the checks that identify the caller, and apply their limits. */
export function callerChecks(
  route: string,
  deps: CallerDependencies,
  { besideKey, endOf, hasLogRow = hasNoLogRow }: Partial<LookUpChecks> = {},
): Middleware[] {
  return [
    httpsOnly(),
    rejectedRequest(route, deps, hasLogRow),
    apiKey(deps, besideKey),
    keyAddress(deps),
    rateLimit(deps, endOf),
    organisation(),
  ];
}

/** Returns the chain of a route that needs a key. Every check and the route itself have a time limit (`endInTime`). */
export function keyedChain(
  route: ApiRoute,
  checks: readonly Middleware[],
  run: (requestContext: ApiContext, event: Parameters<Run>[1]) => Promise<unknown>,
  { clock }: Pick<CallerDependencies, 'clock'>,
  ofLookUp?: OfLookUp,
): LambdaHandler {
  return chain(
    apiFormat(route, { isKeyed: true, ...(ofLookUp && { ofLookUp }) }),
    checks.map((check) => endingInTime(check, clock.nowMs)),
    (requestContext, event) =>
      endInTime(requestContext, { name: route.name, run: () => run(requestContext, event) }, clock.nowMs()),
  );
}

/**
 * Returns the handler of a route that charges no credits. The key needs the scope `wanted`. With `any`, it needs no
 * scope, because every customer may read the data.
 */
export function keyedRoute(
  name: string,
  wanted: RouteScope | 'any',
  run: Run,
  deps: CallerDependencies = callerDependencies(),
): LambdaHandler {
  const ofScope = wanted === 'any' ? [] : [scope(wanted)];
  return keyedChain({ name }, [...callerChecks(name, deps), ...ofScope], run, deps);
}

/** A key that cannot exist: IDs of organisations have ten letters and digits, and hashes are hexadecimal. */
const NO_KEY: ApiKeyText = { env: 'live', organisationId: 'warm-up', hash: 'warm-up' };

/**
 * Warms up a route that needs a key: reads an account as the `api-key` middleware does, which opens the connection to
 * DynamoDB and compiles the code. `more` are further steps of the route. Never rejects.
 */
export function warmUpRoute(
  { accounts }: Pick<CallerDependencies, 'accounts'>,
  ...more: readonly WarmUpStep[]
): Promise<void> {
  return warmUp([() => accounts.readAccount(NO_KEY), ...more]);
}
