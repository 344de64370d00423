import type { RequestContext } from '../../http/context.ts';
import { ownLatencyMs } from '../../http/request-metrics.ts';
import type { RequestCourse } from '../../ledger/rows/log-entry.ts';
import { decisiveAttempt, wasNotSent } from '../../registries/ask-provider.ts';

/**
 * Returns the course of a request for its log row: the failed providers and three durations, which add up to
 * `latencyMs`.
 */
export function courseOf({ attempts, ledgerMs }: RequestContext, latencyMs: number): RequestCourse {
  const decisive = decisiveAttempt(attempts);
  const failed = attempts.filter((attempt) => attempt !== decisive && !wasNotSent(attempt.result));
  const ownMs = ownLatencyMs(latencyMs, attempts);
  const ofLedgerMs = Math.min(ownMs, Math.round(ledgerMs));
  return {
    ...(failed.length > 0 && { failedProviders: failed.map(({ provider }) => provider.name) }),
    registryMs: Math.max(0, latencyMs - ownMs),
    ledgerMs: ofLedgerMs,
    checksMs: ownMs - ofLedgerMs,
  };
}
