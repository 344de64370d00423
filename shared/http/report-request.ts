import { setting } from '../core/config.ts';
import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import { logger } from '../core/logger.ts';
import { type MetricGroup, type MetricValues, onlyAboveZero, publishMetrics } from '../core/metrics.ts';
import type { LookUpLine, RequestContext, RequestLine } from './context.ts';

/** Writes the log line of a request, and publishes its metrics, whose dimensions never identify customers. */
export function reportRequest(
  route: string,
  { requestId, requestedAtMs, line }: RequestContext,
  status: number,
): void {
  const latencyMs = Math.round(Date.now() - requestedAtMs);
  const ownMs = ownLatencyMs(latencyMs, line.lookUps);
  const fields = {
    route,
    request_id: requestId,
    ...(line.operationId && {
      operation_id: line.operationId,
      credits_charged: line.creditsCharged,
      own_latency_ms: ownMs,
    }),
    status,
    code: line.code,
    latency_ms: latencyMs,
    ...(line.organisation && { organisation: line.organisation }),
    ...(line.env && { env: line.env, key_label: line.keyLabel }),
    ...(line.provider && { provider: line.provider }),
    ...(line.maybeBilled && { maybe_billed: true }),
    ...(line.lookUps.length > 0 && { look_ups: line.lookUps.map(shownLookUp) }),
    ...(line.replayOf && { replay_of: line.replayOf }),
    ...(line.detail && { detail: line.detail }),
    ...(line.isWalletUnavailable && { wallet_unavailable: true }),
    ...(line.newNetwork && { new_network: line.newNetwork }),
    ...(line.organisationOfBadKey && { organisation_of_bad_key: line.organisationOfBadKey }),
  };
  if (status >= 500 || line.code === 'SERVER_ERROR' || line.isSignInFault) logger.error('request', fields);
  else logger.info('request', fields);
  const faults = faultsOf(line);
  // A rollout monitors the faults of the new version.
  const ofVersion = {
    values: onlyAboveZero({ versionFaults: Object.keys(faults).length > 0 ? 1 : 0 }),
    dimensions: { route, version: setting('AWS_LAMBDA_FUNCTION_VERSION') },
  };
  const ofStage = {
    ...(line.operationId && { ...objectives(line, status, ownMs), ...lookUps(line), ...signsOfAbuse(line) }),
    ...onlyAboveZero({ failedSignIns: line.isSignInFault ? 1 : 0 }),
    ...faults,
  };
  publishMetrics({ values: ofStage }, ofVersion, ...resultOfProvider(line));
}

/** Returns one attempt for a log line. */
export function shownLookUp({ provider, outcome, startedMs, endedMs, detail, maybeBilled }: LookUpLine) {
  return {
    provider,
    outcome,
    latency_ms: Math.round(endedMs - startedMs),
    ...(detail !== undefined && { detail }),
    ...(maybeBilled && { maybe_billed: true }),
  };
}

export function isChargeUnknown(code: string): boolean {
  return Object.hasOwn(CATALOGUE, code) && CATALOGUE[code as ErrorCode].charged === 'unknown';
}

/**
 * Returns the latency, excluding the time spent waiting for providers. Look-ups never overlap: a second provider is
 * asked after the first has failed, and enquiries at several banks are one look-up.
 */
export function ownLatencyMs(
  latencyMs: number,
  lookUpTimes: readonly Pick<LookUpLine, 'startedMs' | 'endedMs'>[],
): number {
  const waitedMs = lookUpTimes.reduce((sum, { startedMs, endedMs }) => sum + (endedMs - startedMs), 0);
  return Math.max(0, Math.round(latencyMs - waitedMs));
}

/**
 * Returns the metrics of the requests that the objectives in docs/operate/slo.md count: every request with a live key, and
 * failed requests without an accepted key. A request fails if its response is 5xx and neither a registry nor Paystack
 * is the cause.
 */
function objectives(line: RequestLine, status: number, ownMs: number): MetricValues {
  const isFailed = status >= 500 && !line.isProviderUnavailable;
  if (line.env === 'test' || (line.env === undefined && !isFailed)) return {};
  // Drawing a slip takes longer than everything else in a request, so slips have no objective for their latency.
  const isTimed = line.lookUps.length > 0 && line.service !== 'nin-slip';
  return { failedRequests: isFailed ? 1 : 0, ...(isTimed && { ownLatency: ownMs }) };
}

/**
 * Returns the faults of the service. A test key can request a fault from the sandbox (contract G1), which must not page
 * anyone.
 */
function faultsOf({ env, code, isWalletUnavailable }: RequestLine): MetricValues {
  return onlyAboveZero({
    faults: code === 'SERVER_ERROR' && env !== 'test' ? 1 : 0,
    // Callers get the same 503 as for a registry, but the fault is the service's own.
    unavailableWallets: isWalletUnavailable ? 1 : 0,
    unconfirmedCharges: isChargeUnknown(code) ? 1 : 0,
  });
}

const isFailure = ({ outcome }: LookUpLine) => outcome === 'unreachable' || outcome === 'timeout';
const wasSent = ({ outcome }: LookUpLine) => outcome !== 'not-sent';

/**
 * Returns the credits, and the metrics of the look-ups with a live key, over all providers. Look-ups that were not sent
 * say nothing about their provider.
 */
function lookUps({ lookUps: all, env, creditsCharged }: RequestLine): MetricValues {
  const charged = onlyAboveZero({ creditsCharged });
  const sent = all.filter(wasSent);
  if (sent.length === 0 || env !== 'live') return charged;
  return {
    lookUpLatency: sent.map(({ startedMs, endedMs }) => Math.round(endedMs - startedMs)),
    failedLookUps: sent.map((one) => (isFailure(one) ? 1 : 0)),
    ...onlyAboveZero({ maybeBilled: sent.filter((one) => one.maybeBilled).length }),
    ...charged,
  };
}

/**
 * Returns the metrics of the result, if a provider responded. A provider's cost is its found results times its price.
 * At most one look-up of a request has a result, because any result ends the look-up.
 */
function resultOfProvider({ lookUps: all, env }: RequestLine): MetricGroup[] {
  const last = all.findLast(wasSent);
  if (!last || isFailure(last) || env !== 'live') return [];
  const { provider, idType, outcome } = last;
  const values = {
    foundResults: outcome === 'found' ? 1 : 0,
    failedResults: outcome === 'failed' ? 1 : 0,
  };
  return [{ values, dimensions: { provider, idType } }];
}

/** The error codes for a key that is missing, invalid or not allowed for the request. */
const REJECTED_KEY = new Set(['INVALID_API_KEY', 'AUTH_FAILURE']);

function signsOfAbuse({ code, detail, newNetwork, env }: RequestLine): MetricValues {
  return onlyAboveZero({
    rejectedKeys: REJECTED_KEY.has(code) ? 1 : 0,
    rejectedWebhooks: code === 'INVALID_SIGNATURE' ? 1 : 0,
    guessLimited: detail.startsWith('guess-limit') ? 1 : 0,
    newNetworks: newNetwork && env !== 'test' ? 1 : 0,
  });
}
