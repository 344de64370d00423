import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../shared/core/errors.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import type { Middleware, RequestContext, RouteContext } from '../../shared/http/context.ts';
import { required } from '../../shared/http/context.ts';
import type { VerificationDependencies } from '../../shared/http/dependencies.ts';
import { idempotency } from '../../shared/http/middleware/idempotency.ts';
import { wallet } from '../../shared/http/middleware/wallet.ts';
import { instanceMemory, type LedgerTables, type LedgerTools } from '../../shared/ledger/dependencies.ts';
import { registryDeadlineMs } from '../../shared/ledger/operation.ts';
import type { VerificationResult } from '../../shared/verifications/result.ts';

/** One request as it reaches the money part of a chain: every check before it has passed. */
export interface LedgerRequest {
  readonly wallet: WalletId;
  readonly shards: number;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestedAtMs: number;
  readonly number: string;
  readonly cost: number;
  readonly key?: string;
  /** What the registry will do. */
  readonly registry: {
    readonly latencyMs: number;
    readonly outcome: VerificationResult['kind'] | 'throws';
  };
}

export interface LedgerAnswer {
  readonly code: string;
  readonly hasData: boolean;
  readonly isReplay: boolean;
  readonly creditsCharged: number;
}

/** What an instance runs in: a simulated process, or this one. */
export interface Host {
  readonly tools: LedgerTools;
  run<T>(act: () => T): T;
}

export type RunRequest = (request: LedgerRequest) => Promise<LedgerAnswer>;

/** The event carries its request, so that the registry knows what to do. */
type SimulatedEvent = APIGatewayProxyEvent & { readonly request: LedgerRequest };

const ROUTE = 'nin-basic';
const PROVIDER = { name: 'sandbox', displayName: 'Sandbox' };

/** A function instance with its own memory: the real middlewares of the money, in the chain's own order. */
export function functionInstance(host: Host, tables: LedgerTables): RunRequest {
  const deps = {
    ledger: tables,
    log: tables.log,
    memory: instanceMemory(),
    tools: host.tools,
    registries: { serves: () => true, availability: () => ({ kind: 'available' }) },
    pepper: async () => ({ current: 'pepper of a simulation' }),
    registryTimeoutMs: 20_000,
  } as unknown as VerificationDependencies;
  const engine = middy<SimulatedEvent, unknown, Error, RouteContext>()
    .use(answer())
    .use(idempotency(ROUTE, deps))
    .use(wallet(deps))
    .handler(({ request }) => askRegistry(request, host));
  return (request) => {
    const event = { request, multiValueHeaders: request.key ? { 'Idempotency-Key': [request.key] } : {} };
    const context = { requestContext: exchangeOf(request) } as unknown as RouteContext;
    return host.run(() => engine(event as unknown as SimulatedEvent, context)) as Promise<LedgerAnswer>;
  };
}

function exchangeOf({ wallet, cost, number, ...request }: LedgerRequest): RequestContext {
  const { operationId, requestId, requestedAtMs } = request;
  return {
    requestId,
    operationId,
    requestedAtMs,
    errorStyle: 'dedicated',
    idType: 'NIN',
    headers: {},
    creditsCharged: 0,
    provider: '',
    caller: {
      env: wallet.env,
      organisation: { id: wallet.organisationId, walletShards: request.shards },
    } as unknown as NonNullable<RequestContext['caller']>,
    command: { idType: 'NIN', number, service: ROUTE } as unknown as NonNullable<RequestContext['command']>,
    operation: {
      id: operationId,
      wallet,
      requestId,
      service: ROUTE,
      cost,
      keyLabel: 'simulation',
      numberTag: `tag-${number}`,
      requestedAtMs,
    },
  };
}

/** Waits as the registry would, or until the request's own deadline. */
async function askRegistry(
  { registry, requestedAtMs }: LedgerRequest,
  { tools }: Host,
): Promise<VerificationResult> {
  const deadlineMs = registryDeadlineMs(requestedAtMs, tools.nowMs(), 20_000);
  const leftMs = Math.max(0, deadlineMs - tools.nowMs());
  await tools.pause(Math.min(leftMs, registry.latencyMs));
  if (registry.latencyMs > leftMs) return { kind: 'timeout', provider: PROVIDER, detail: 'deadline' };
  if (registry.outcome === 'throws') throw new Error('A fault in the handler.');
  if (registry.outcome !== 'found') return { kind: registry.outcome, provider: PROVIDER, detail: '' };
  return { kind: 'found', provider: PROVIDER, content: { type: 'json', data: { nin: 'of the record' } } };
}

/** In the place of the envelope: what the client learns, in a few fields. */
function answer(): Middleware {
  return {
    after: async (request) => {
      const { requestContext } = request.context;
      const outcome = required(request.response as VerificationResult | undefined, 'outcome');
      const hasData = outcome.kind === 'found';
      request.response = published(requestContext, hasData ? 'VERIFIED' : outcome.kind, hasData);
    },
    onError: async (request) => {
      const { requestContext } = request.context;
      requestContext.creditsCharged = 0;
      const code = request.error instanceof ServiceError ? request.error.code : 'SERVER_ERROR';
      request.response = published(requestContext, code, false);
    },
  };
}

function published(requestContext: RequestContext, code: string, hasData: boolean): LedgerAnswer {
  const { creditsCharged, replayOf } = requestContext;
  return { code, hasData, isReplay: replayOf !== undefined, creditsCharged };
}
