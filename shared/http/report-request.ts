import { setting } from '../core/config.ts';
import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import { logger } from '../core/logger.ts';
import { type MetricGroup, type MetricValues, onlyAboveZero, publishMetrics } from '../core/metrics.ts';
import type { LookUpLine, RequestContext, RequestLine } from './context.ts';

/** The metrics' dimensions never identify customers. */
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
    ...(line.isColdStart && { cold: true }),
    ...(Object.keys(line.steps).length > 0 && { steps_ms: line.steps }),
    ...(line.replayOf && { replay_of: line.replayOf }),
    ...(line.detail && { detail: line.detail }),
    ...(line.isWalletUnavailable && { wallet_unavailable: true }),
    ...(line.newNetwork && { new_network: line.newNetwork }),
    ...(line.organisationOfBadKey && { organisation_of_bad_key: line.organisationOfBadKey }),
  };
  if (status >= 500 || line.code === 'SERVER_ERROR' || line.isSignInFault) logger.error('request', fields);
  else logger.info('request', fields);
  const faults = faultsOf(line);
  // A rollout monitors it.
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

/** Without waiting for providers. Look-ups never overlap. */
export function ownLatencyMs(
  latencyMs: number,
  lookUpTimes: readonly Pick<LookUpLine, 'startedMs' | 'endedMs'>[],
): number {
  const waitedMs = lookUpTimes.reduce((sum, { startedMs, endedMs }) => sum + (endedMs - startedMs), 0);
  return Math.max(0, Math.round(latencyMs - waitedMs));
}

/**
 * docs/operate/slo.md counts every request with a live key, and failed ones without an accepted key. A 5xx response fails
 * unless a registry or Paystack is the cause.
 */
function objectives(line: RequestLine, status: number, ownMs: number): MetricValues {
  const isFailed = status >= 500 && !line.isProviderUnavailable;
  if (line.env === 'test' || (line.env === undefined && !isFailed)) return {};
  // Drawing a slip takes longer than everything else.
  const isTimed = line.lookUps.length > 0 && line.service !== 'nin-slip';
  return { failedRequests: isFailed ? 1 : 0, ...(isTimed && { ownLatency: ownMs }) };
}

/** A test key can request a fault from the sandbox (contract G1), which must not page anyone. */
function faultsOf({ env, code, isWalletUnavailable }: RequestLine): MetricValues {
  return onlyAboveZero({
    faults: code === 'SERVER_ERROR' && env !== 'test' ? 1 : 0,
    // The same 503 as for a registry, but the service's own fault.
    unavailableWallets: isWalletUnavailable ? 1 : 0,
    unconfirmedCharges: isChargeUnknown(code) && env !== 'test' ? 1 : 0,
  });
}

const isFailure = ({ outcome }: LookUpLine) => outcome === 'unreachable' || outcome === 'timeout';
const wasSent = ({ outcome }: LookUpLine) => outcome !== 'not-sent';

/** With a live key, over all providers. Look-ups that were not sent say nothing about their provider. */
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
 * If a provider responded. Its cost is found results times its price. Any result ends the look-up, so a request has at
 * most one.
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

const REJECTED_KEY = new Set(['INVALID_API_KEY', 'AUTH_FAILURE']);

function signsOfAbuse({ code, detail, newNetwork, changesNetworks, env }: RequestLine): MetricValues {
  return onlyAboveZero({
    rejectedKeys: REJECTED_KEY.has(code) ? 1 : 0,
    rejectedWebhooks: code === 'INVALID_SIGNATURE' ? 1 : 0,
    guessLimited: detail.startsWith('guess-limit') ? 1 : 0,
    newNetworks: newNetwork && !changesNetworks && env !== 'test' ? 1 : 0,
  });
}
