import type { RequestContext } from '../../http/context.ts';
import { ownLatencyMs } from '../../http/report-request.ts';
import type { RequestCourse } from '../../ledger/rows/log-entry.ts';
import { decisiveAttempt, wasNotSent } from '../../registries/ask-provider.ts';
import { creditOf } from './credit.ts';
import { attempts as attemptsOf } from './values.ts';

/**
 * Returns the course of a request for its log row: the failed providers and three durations, which add up to
 * `latencyMs`.
 */
export function courseOf(requestContext: RequestContext, latencyMs: number): RequestCourse {
  const attempts = attemptsOf.find(requestContext) ?? [];
  const { ledgerMs } = creditOf(requestContext);
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
