import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { CATALOGUE, type ErrorCode } from '../core/errors.ts';
import { logger, metrics } from '../core/logger.ts';
import type { RequestContext } from './context.ts';

export function isChargeUnknown(code: string): boolean {
  return Object.hasOwn(CATALOGUE, code) && CATALOGUE[code as ErrorCode].charged === 'unknown';
}

/** Logs named, harmless fields only: no body, number, person's name, key or path (rule 13 of docs/architecture.md). */
export function reportRequest(
  route: string,
  requestContext: RequestContext,
  status: number,
  creditsCharged: number,
): void {
  const { knownCaller, code, provider, failedProviders, detail, credit } = requestContext;
  const latencyMs = Math.round(Date.now() - requestContext.requestedAtMs);
  const replayOf =
    credit.kind === 'replay' ? credit.of : credit.kind === 'settled' ? credit.replayOf : undefined;
  const line = {
    route,
    request_id: requestContext.requestId,
    operation_id: requestContext.operationId,
    status,
    code,
    credits_charged: creditsCharged,
    latency_ms: latencyMs,
    ...(knownCaller && {
      organisation: knownCaller.organisation.id,
      env: knownCaller.env,
      key_label: knownCaller.key.label,
    }),
    ...(provider && { provider }),
    ...(requestContext.maybeBilled && { maybe_billed: true }),
    ...(failedProviders.length > 0 && { failed_providers: failedProviders }),
    ...(replayOf && { replay_of: replayOf.operationId }),
    ...(detail && { detail }),
    ...(requestContext.isWalletUnavailable && { wallet_unavailable: true }),
    ...(requestContext.newNetwork && { new_network: requestContext.newNetwork }),
    ...(requestContext.organisationOfBadKey && {
      organisation_of_bad_key: requestContext.organisationOfBadKey,
    }),
  };
  if (status >= 500) logger.error('request', line);
  else logger.info('request', line);
  addMetrics(route, requestContext, { latencyMs, creditsCharged });
  metrics.publishStoredMetrics();
}

/** Each metric of a request. Their dimensions never identify customers. */
function addMetrics(
  route: string,
  { knownCaller, code, detail, newNetwork, isWalletUnavailable }: RequestContext,
  numbers: { readonly latencyMs: number; readonly creditsCharged: number },
): void {
  // Each metric is published by route and code, and once for the whole stage.
  metrics.addDimensions({ route, code }).addDimensions({});
  metrics.addMetric('responses', MetricUnit.Count, 1);
  metrics.addMetric('latency', MetricUnit.Milliseconds, numbers.latencyMs);
  metrics.addMetric('creditsCharged', MetricUnit.Count, numbers.creditsCharged);
  if (isChargeUnknown(code)) metrics.addMetric('unconfirmedCharges', MetricUnit.Count, 1);
  // Callers get 503 as for a registry, but the fault is ours.
  if (isWalletUnavailable) metrics.addMetric('unavailableWallets', MetricUnit.Count, 1);
  // A test key can ask the sandbox for a fault (decision G1), which must not page anyone.
  if (code === 'SERVER_ERROR' && knownCaller?.env !== 'test')
    metrics.addMetric('faults', MetricUnit.Count, 1);
  const isLive = knownCaller?.env !== 'test';
  if (REJECTED_KEY.has(code)) metrics.addMetric('rejectedKeys', MetricUnit.Count, 1);
  if (detail.startsWith('guess-limit')) metrics.addMetric('guessLimited', MetricUnit.Count, 1);
  if (newNetwork && isLive) metrics.addMetric('newNetworks', MetricUnit.Count, 1);
}

/** The codes of a key that is missing, not valid or not allowed here. */
const REJECTED_KEY = new Set(['INVALID_API_KEY', 'AUTH_FAILURE']);
