import { setting } from '../core/config.ts';
import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import { type MetricGroup, type MetricValues, onlyAboveZero, publishMetrics } from '../core/metrics.ts';
import { type Attempt, decisiveAttempt, mayBeBilled, wasNotSent } from '../registries/ask-provider.ts';
import type { RequestContext } from './context.ts';

/** The measurements of one completed request. Times are in milliseconds. */
export interface RequestNumbers {
  readonly status: number;
  readonly creditsCharged: number;
  readonly latencyMs: number;
  /** The latency, excluding the time spent waiting for providers. */
  readonly ownLatencyMs: number;
}

export function isChargeUnknown(code: string): boolean {
  return Object.hasOwn(CATALOGUE, code) && CATALOGUE[code as ErrorCode].charged === 'unknown';
}

/**
 * Returns the latency, excluding the time spent waiting for providers. Attempts never overlap: a second provider is
 * asked after the first has failed, and enquiries at several banks are one attempt.
 */
export function ownLatencyMs(latencyMs: number, attempts: readonly Attempt[]): number {
  const waitedMs = attempts.reduce((sum, { startedMs, endedMs }) => sum + (endedMs - startedMs), 0);
  return Math.max(0, Math.round(latencyMs - waitedMs));
}

/** Publishes all metrics of a request in one line. Their dimensions never identify customers. */
export function publishRequestMetrics(
  route: string,
  requestContext: RequestContext,
  numbers: RequestNumbers,
): void {
  const faults = faultsOf(requestContext);
  const ofStage = {
    ...objectives(requestContext, numbers),
    ...lookUps(requestContext),
    ...onlyAboveZero({ creditsCharged: numbers.creditsCharged }),
    ...signsOfAbuse(requestContext),
    ...faults,
  };
  // A rollout monitors the faults of the new version.
  const ofVersion = {
    values: onlyAboveZero({ versionFaults: Object.keys(faults).length > 0 ? 1 : 0 }),
    dimensions: { route, version: setting('AWS_LAMBDA_FUNCTION_VERSION') },
  };
  publishMetrics({ values: ofStage }, ofVersion, ...resultOfProvider(requestContext));
}

/**
 * Returns the metrics of the requests that the objectives in docs/slo.md count: every request with a live key, and
 * failed requests without an accepted key. A request fails if its response is 5xx and neither a registry nor Paystack
 * is the cause.
 */
function objectives(
  requestContext: RequestContext,
  { status, ownLatencyMs: ms }: RequestNumbers,
): MetricValues {
  const { knownCaller, attempts, isProviderUnavailable } = requestContext;
  const isFailed = status >= 500 && !isProviderUnavailable;
  if (knownCaller?.env === 'test' || (!knownCaller && !isFailed)) return {};
  // Drawing a slip takes longer than everything else in a request, so slips have no objective for their latency.
  const isTimed = attempts.length > 0 && requestContext.command.service !== 'nin-slip';
  return { failedRequests: isFailed ? 1 : 0, ...(isTimed && { ownLatency: ms }) };
}

/**
 * Returns the faults of the service. A test key can request a fault from the sandbox (decision G1), which must not page
 * anyone.
 */
function faultsOf({ knownCaller, code, isWalletUnavailable }: RequestContext): MetricValues {
  return onlyAboveZero({
    faults: code === 'SERVER_ERROR' && knownCaller?.env !== 'test' ? 1 : 0,
    // Callers get the same 503 as for a registry, but the fault is the service's own.
    unavailableWallets: isWalletUnavailable ? 1 : 0,
    unconfirmedCharges: isChargeUnknown(code) ? 1 : 0,
  });
}

/**
 * Returns the metrics of the look-ups with a live key, over all providers. Attempts that were not sent say nothing
 * about their provider.
 */
function lookUps({ attempts, knownCaller }: RequestContext): MetricValues {
  const sent = attempts.filter(({ result }) => !wasNotSent(result));
  if (sent.length === 0 || knownCaller?.env !== 'live') return {};
  return {
    lookUpLatency: sent.map(({ startedMs, endedMs }) => Math.round(endedMs - startedMs)),
    failedLookUps: sent.map(({ result: { kind } }) => (kind === 'unreachable' || kind === 'timeout' ? 1 : 0)),
    ...onlyAboveZero({ maybeBilled: sent.filter(({ result }) => mayBeBilled(result)).length }),
  };
}

/**
 * Returns the metrics of the result, if a provider responded. A provider's cost is its found results times its price.
 * At most one attempt of a request has a result, because any result ends the look-up.
 */
function resultOfProvider({ attempts, knownCaller }: RequestContext): MetricGroup[] {
  const decisive = decisiveAttempt(attempts);
  if (!decisive || wasNotSent(decisive.result) || knownCaller?.env !== 'live') return [];
  const { provider, idType, result } = decisive;
  if (result.kind === 'unreachable' || result.kind === 'timeout') return [];
  const values = {
    foundResults: result.kind === 'found' ? 1 : 0,
    failedResults: result.kind === 'failed' ? 1 : 0,
  };
  return [{ values, dimensions: { provider: provider.name, idType } }];
}

/** The error codes for a key that is missing, invalid or not allowed for the request. */
const REJECTED_KEY = new Set(['INVALID_API_KEY', 'AUTH_FAILURE']);

function signsOfAbuse({ code, detail, newNetwork, knownCaller }: RequestContext): MetricValues {
  return onlyAboveZero({
    rejectedKeys: REJECTED_KEY.has(code) ? 1 : 0,
    rejectedWebhooks: code === 'INVALID_SIGNATURE' ? 1 : 0,
    guessLimited: detail.startsWith('guess-limit') ? 1 : 0,
    newNetworks: newNetwork && knownCaller?.env !== 'test' ? 1 : 0,
  });
}
