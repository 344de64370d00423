import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { registryMetrics } from '../core/logger.ts';
import { isWasted } from './ask-provider.ts';
import type { LookUpNews } from './provider-notes.ts';

/**
 * One metric line for each provider that was asked: how long it took, what came of it, and whether it may have billed
 * us for nothing. Times the provider's price list, the look-ups that were found are its cost.
 */
export function reportLookUp({ place, idType, answer, startedMs, endedMs }: LookUpNews): void {
  registryMetrics.addDimensions({
    provider: place.provider,
    environment: place.env,
    idType,
    outcome: answer.kind,
  });
  // And of all providers and types together, for those who watch the whole.
  registryMetrics.addDimensions({ environment: place.env, outcome: answer.kind });
  registryMetrics.addMetric('lookUps', MetricUnit.Count, 1);
  registryMetrics.addMetric('lookUpLatency', MetricUnit.Milliseconds, Math.round(endedMs - startedMs));
  registryMetrics.addMetric('maybeBilled', MetricUnit.Count, isWasted(answer) ? 1 : 0);
  registryMetrics.publishStoredMetrics();
}
