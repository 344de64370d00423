import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Caller } from '../../shared/accounts/middleware/caller.ts';
import { caller } from '../../shared/accounts/middleware/caller.ts';
import type { Clock } from '../../shared/core/clock.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { REFRESH_INTERVAL_MS, type Secret } from '../../shared/core/secrets.ts';
import { registryDeadlineMs } from '../../shared/core/time-budget.ts';
import { ApiContext, type RouteContext } from '../../shared/http/context.ts';
import { endingInTime } from '../../shared/http/end-in-time.ts';
import { instanceMemory, type LedgerTables } from '../../shared/ledger/dependencies.ts';
import { ALWAYS_CLOSED } from '../../shared/registries/breaker.ts';
import { creditOf } from '../../shared/verifications/middleware/credit.ts';
import type { VerificationDependencies } from '../../shared/verifications/middleware/dependencies.ts';
import { idempotency } from '../../shared/verifications/middleware/idempotency.ts';
import { command, lookUpOperation, rowsOfLookUp } from '../../shared/verifications/middleware/values.ts';
import { wallet } from '../../shared/verifications/middleware/wallet.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import type { VerificationResult } from '../../shared/verifications/result.ts';
import { isVerification } from '../../shared/verifications/result.ts';

export interface LedgerRequest {
  readonly wallet: WalletId;
  readonly shards: number;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestedAtMs: number;
  readonly number: string;
  readonly cost: number;
  readonly key?: string;
  readonly registry: {
    readonly latencyMs: number;
    /** How long the process is busy after the result arrives, for example during garbage collection. */
    readonly stallMs?: number;
    readonly outcome: VerificationResult['kind'] | 'throws';
  };
}

export interface LedgerResponse {
  readonly code: string;
  readonly hasData: boolean;
  readonly isReplay: boolean;
  readonly creditsCharged: number;
}

export interface ProcessHost {
  readonly clock: Clock;
  run<T>(action: () => T): T;
}

export type RunRequest = (request: LedgerRequest) => Promise<LedgerResponse>;

/** The event contains its request, which says how the registry responds. */
type SimulatedEvent = APIGatewayProxyEvent & { readonly request: LedgerRequest };

const ROUTE = 'nin-basic';
const PROVIDER = { name: 'sandbox', displayName: 'Sandbox' };

/** Creates a function instance with its own memory: the real middleware that claims, reserves and settles. */
export function functionInstance(
  host: ProcessHost,
  tables: LedgerTables,
  storedPepper: () => Secret,
): RunRequest {
  const peppers = cachedPepper(storedPepper, host.clock);
  const deps = {
    ledger: tables,
    log: tables.log,
    memory: instanceMemory(),
    clock: host.clock,
    registries: { serves: () => true, availability: () => ({ kind: 'available' }) },
    ...peppers,
    registryTimeoutMs: 20_000,
    publishSoon: async () => undefined,
    lowBalanceCredits: 0,
  } as unknown as VerificationDependencies;
  const engine = middy<SimulatedEvent, unknown, Error, RouteContext<ApiContext>>()
    .use(endingInTime(idempotency(ROUTE, deps), host.clock.nowMs))
    .use(endingInTime(wallet(deps), host.clock.nowMs))
    .handler(({ request }) => callRegistry(request, host));
  return (request) => host.run(async () => respond(engine, request, await peppers.pepper()));
}

/**
 * Returns the cache of a function instance (shared/core/secrets.ts), which keeps a secret for at most 15 minutes. It
 * refreshes at most once a second.
 */
function cachedPepper(stored: () => Secret, clock: Clock) {
  let cached = { value: stored(), fetchedMs: clock.nowMs() };
  const fetch = () => {
    cached = { value: stored(), fetchedMs: clock.nowMs() };
    return cached.value;
  };
  const ageMs = () => clock.nowMs() - cached.fetchedMs;
  return {
    pepper: async () => (ageMs() < 15 * 60_000 ? cached.value : fetch()),
    refreshPepper: async () => (ageMs() < REFRESH_INTERVAL_MS ? undefined : fetch()),
  };
}

type Engine = (event: SimulatedEvent, context: RouteContext<ApiContext>) => Promise<unknown>;

/** Runs the chain. Returns what the client would read from the envelope. */
async function respond(engine: Engine, request: LedgerRequest, pepper: Secret): Promise<LedgerResponse> {
  const event = { request, multiValueHeaders: request.key ? { 'Idempotency-Key': [request.key] } : {} };
  const requestContext = contextOf(request, pepper);
  const outcome = await engine(
    event as unknown as SimulatedEvent,
    {
      requestContext,
    } as unknown as RouteContext<ApiContext>,
  ).catch((error: unknown) => error);
  const { state: credit } = creditOf(requestContext);
  if (isVerification(outcome)) {
    const { kind } = outcome;
    const hasData = kind === 'found';
    const isReplay = credit.kind === 'settled' && credit.replayOf !== undefined;
    const creditsCharged = credit.kind === 'settled' ? credit.creditsCharged : 0;
    return { code: hasData ? 'VERIFIED' : kind, hasData, isReplay, creditsCharged };
  }
  const code = outcome instanceof ServiceError ? outcome.code : 'SERVER_ERROR';
  const isReplay = credit.kind === 'replay' || (credit.kind === 'settled' && credit.replayOf !== undefined);
  return { code, hasData: false, isReplay, creditsCharged: 0 };
}

function contextOf({ wallet, cost, number, ...request }: LedgerRequest, pepper: Secret): ApiContext {
  const { operationId, requestId, requestedAtMs } = request;
  const context = new ApiContext({
    requestId,
    operationId,
    requestedAtMs,
    errorStyle: 'dedicated',
    idType: 'NIN',
    headers: {},
  });
  caller.set(context, {
    env: wallet.env,
    organisation: { id: wallet.organisationId, walletShards: request.shards },
  } as unknown as Caller);
  rowsOfLookUp.set(context, { testTraffic: {}, registryStates: () => ALWAYS_CLOSED });
  const details = { consent: 'CONS-1', reason: 'opening', reference: 'customer-4711' };
  command.set(context, {
    idType: 'NIN',
    number,
    numberField: 'nin',
    service: ROUTE,
    needsPhoto: false,
    ...details,
  });
  const tags = numberTags(pepper, wallet, 'NIN', number);
  const operation = {
    id: operationId,
    wallet,
    requestId,
    service: ROUTE,
    cost,
    keyLabel: 'simulation',
    numberTag: tags[0],
    requestedAtMs,
    ...details,
  };
  lookUpOperation.set(context, { operation, numberTags: tags, pepper });
  return context;
}

/** Returns the planned result after the registry's latency, or a timeout at the request's deadline. */
async function callRegistry(
  { registry, requestedAtMs }: LedgerRequest,
  { clock }: ProcessHost,
): Promise<VerificationResult> {
  const deadlineMs = registryDeadlineMs(requestedAtMs, clock.nowMs(), 20_000);
  const leftMs = Math.max(0, deadlineMs - clock.nowMs());
  await clock.pause(Math.min(leftMs, registry.latencyMs));
  if (registry.latencyMs > leftMs) return { kind: 'timeout', provider: PROVIDER, detail: 'deadline' };
  if (registry.outcome === 'throws') throw new Error('An error in the handler.');
  if (registry.stallMs) await clock.pause(registry.stallMs);
  if (registry.outcome !== 'found') return { kind: registry.outcome, provider: PROVIDER, detail: '' };
  return { kind: 'found', provider: PROVIDER, content: { type: 'json', data: { nin: '70123456789' } } };
}
