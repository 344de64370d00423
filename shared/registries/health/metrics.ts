import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { metrics } from '../../core/logger.ts';
import { type Attempt, mayBeBilled, wasNotSent } from '../ask-provider.ts';

/**
 * Publishes count, latency and possible billing of an attempt, once by provider and ID type and once for all of them
 * together. Found look-ups times the provider's price list are its cost. A look-up that was not sent, because the
 * request lacks something, has the outcome `not-sent`: it says nothing about the provider.
 */
export function reportLookUp(attempt: Attempt): void {
  const outcome = wasNotSent(attempt.result) ? 'not-sent' : attempt.result.kind;
  const total = { environment: attempt.env, outcome };
  publish({ ...total, provider: attempt.provider.name, idType: attempt.idType }, attempt);
  publish(total, attempt);
}

/** Each set of dimensions needs a line of its own: the library warns if two sets in one line share a dimension. */
function publish(
  dimensions: Readonly<Record<string, string>>,
  { result, startedMs, endedMs }: Attempt,
): void {
  metrics.addDimensions(dimensions);
  metrics.addMetric('lookUps', MetricUnit.Count, 1);
  metrics.addMetric('lookUpLatency', MetricUnit.Milliseconds, Math.round(endedMs - startedMs));
  metrics.addMetric('maybeBilled', MetricUnit.Count, mayBeBilled(result) ? 1 : 0);
  metrics.publishStoredMetrics();
}
