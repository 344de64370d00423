import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../shared/core/errors.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { type Caller, RequestContext, type RouteContext } from '../../shared/http/context.ts';
import type { VerificationDependencies } from '../../shared/http/dependencies.ts';
import { idempotency } from '../../shared/http/middleware/idempotency.ts';
import { wallet } from '../../shared/http/middleware/wallet.ts';
import { type ChainResponse, isVerification } from '../../shared/http/result.ts';
import { instanceMemory, type LedgerTables, type LedgerTools } from '../../shared/ledger/dependencies.ts';
import { registryDeadlineMs } from '../../shared/ledger/operation.ts';
import type { VerificationResult } from '../../shared/verifications/result.ts';

/** One request that has passed every check before the idempotency key. */
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

export interface LedgerResponse {
  readonly code: string;
  readonly hasData: boolean;
  readonly isReplay: boolean;
  readonly creditsCharged: number;
}

/** The process that an instance runs in: a simulated one, or this one. */
export interface Host {
  readonly tools: LedgerTools;
  run<T>(act: () => T): T;
}

export type RunRequest = (request: LedgerRequest) => Promise<LedgerResponse>;

/** The event carries its request, so that the registry knows what to do. */
type SimulatedEvent = APIGatewayProxyEvent & { readonly request: LedgerRequest };

const ROUTE = 'nin-basic';
const PROVIDER = { name: 'sandbox', displayName: 'Sandbox' };

/** A function instance with its own memory: the real middlewares that claim, reserve and settle, in the chain's order. */
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
  const engine = middy<SimulatedEvent, ChainResponse, Error, RouteContext>()
    .use(idempotency(ROUTE, deps))
    .use(wallet(deps))
    .handler(({ request }) => callRegistry(request, host));
  return (request) => host.run(() => respond(engine, request));
}

type Engine = (event: SimulatedEvent, context: RouteContext) => Promise<ChainResponse>;

/** Runs the chain, and returns what the client learns in place of the envelope. */
async function respond(engine: Engine, request: LedgerRequest): Promise<LedgerResponse> {
  const event = { request, multiValueHeaders: request.key ? { 'Idempotency-Key': [request.key] } : {} };
  const requestContext = contextOf(request);
  const outcome = await engine(
    event as unknown as SimulatedEvent,
    {
      requestContext,
    } as unknown as RouteContext,
  ).catch((error: unknown) => error);
  const { credit } = requestContext;
  if (isVerification(outcome as ChainResponse)) {
    const { kind } = outcome as VerificationResult;
    const hasData = kind === 'found';
    const isReplay = credit.kind === 'settled' && credit.replayOf !== undefined;
    const creditsCharged = credit.kind === 'settled' ? credit.creditsCharged : 0;
    return { code: hasData ? 'VERIFIED' : kind, hasData, isReplay, creditsCharged };
  }
  const code = outcome instanceof ServiceError ? outcome.code : 'SERVER_ERROR';
  const isReplay = credit.kind === 'replay' || (credit.kind === 'settled' && credit.replayOf !== undefined);
  return { code, hasData: false, isReplay, creditsCharged: 0 };
}

function contextOf({ wallet, cost, number, ...request }: LedgerRequest): RequestContext {
  const { operationId, requestId, requestedAtMs } = request;
  const context = new RequestContext({
    requestId,
    operationId,
    requestedAtMs,
    errorStyle: 'dedicated',
    idType: 'NIN',
    headers: {},
  });
  context.caller = {
    env: wallet.env,
    organisation: { id: wallet.organisationId, walletShards: request.shards },
  } as unknown as Caller;
  context.command = { idType: 'NIN', number, service: ROUTE, needsPhoto: false };
  context.operation = {
    id: operationId,
    wallet,
    requestId,
    service: ROUTE,
    cost,
    keyLabel: 'simulation',
    numberTag: `tag-${number}`,
    requestedAtMs,
  };
  return context;
}

/** Waits as the registry would, or until the request's own deadline. */
async function callRegistry(
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
