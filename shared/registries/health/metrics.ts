import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { metrics } from '../../core/logger.ts';
import { isWasted } from '../ask-provider.ts';
import type { LookUpNews } from './recorder.ts';

/**
 * For each provider that was asked: how long it took, what came of it, and whether it may have billed us for nothing.
 * Times the provider's price list, the look-ups that were found are its cost.
 */
export function reportLookUp(news: LookUpNews): void {
  const { place, idType, answer } = news;
  const whole = { environment: place.env, outcome: answer.kind };
  report({ ...whole, provider: place.provider, idType }, news);
  // And of all providers and types together, for those who watch the whole.
  report(whole, news);
}

/** A line of its own for each set of dimensions: in one line the library warns of names that stand in both. */
function report(
  dimensions: Readonly<Record<string, string>>,
  { answer, startedMs, endedMs }: LookUpNews,
): void {
  metrics.addDimensions(dimensions);
  metrics.addMetric('lookUps', MetricUnit.Count, 1);
  metrics.addMetric('lookUpLatency', MetricUnit.Milliseconds, Math.round(endedMs - startedMs));
  metrics.addMetric('maybeBilled', MetricUnit.Count, isWasted(answer) ? 1 : 0);
  metrics.publishStoredMetrics();
}
