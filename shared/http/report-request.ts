import { logger } from '../core/logger.ts';
import { type Attempt, mayBeBilled, wasNotSent } from '../registries/ask-provider.ts';
import type { RequestContext } from './context.ts';
import { ownLatencyMs, publishRequestMetrics } from './request-metrics.ts';

/**
 * Logs a request with a fixed set of harmless fields: no body, number, person's name, key or path (rule 13 of
 * docs/architecture.md). Also publishes its metrics.
 */
export function reportRequest(
  route: string,
  requestContext: RequestContext,
  status: number,
  creditsCharged: number,
): void {
  const { knownCaller, code, provider, attempts, detail, credit } = requestContext;
  const latencyMs = Math.round(Date.now() - requestContext.requestedAtMs);
  const numbers = { status, creditsCharged, latencyMs, ownLatencyMs: ownLatencyMs(latencyMs, attempts) };
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
    own_latency_ms: numbers.ownLatencyMs,
    ...(knownCaller && {
      organisation: knownCaller.organisation.id,
      env: knownCaller.env,
      key_label: knownCaller.key.label,
    }),
    ...(provider && { provider }),
    ...(requestContext.maybeBilled && { maybe_billed: true }),
    ...(attempts.length > 0 && { look_ups: attempts.map(lookUpOf) }),
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
  publishRequestMetrics(route, requestContext, numbers);
}

/** Returns one attempt for a log line. A look-up that was not sent has the outcome `not-sent`. */
export function lookUpOf({ provider, result, startedMs, endedMs }: Attempt) {
  return {
    provider: provider.name,
    outcome: wasNotSent(result) ? 'not-sent' : result.kind,
    latency_ms: Math.round(endedMs - startedMs),
    ...(result.kind !== 'found' && { detail: result.detail }),
    ...(mayBeBilled(result) && { maybe_billed: true }),
  };
}
