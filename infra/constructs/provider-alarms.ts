import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { displayNameOf } from '../../shared/registries/providers/catalogue.ts';
import type { LiveRouting } from '../config.ts';
import type { AlarmSpec } from './alarm.ts';
import { type ServiceMetrics, sumOf } from './service-metrics.ts';

/**
 * Alarms on providers that change their responses: two for each provider and ID type of the routing. They count
 * results only: other alarms fire for a provider that does not respond. docs/operations.md explains the thresholds.
 */
export function providerAlarms(routing: LiveRouting, metrics: ServiceMetrics): AlarmSpec[] {
  return ID_TYPES.flatMap((idType) =>
    [...new Set(routing[idType])].flatMap((provider) => [
      failedShare(provider, idType, metrics),
      foundShare(provider, idType, metrics),
    ]),
  );
}

const PERIOD = Duration.minutes(15);
/** Fewer results in a period do not make a meaningful share. */
const LEAST_RESULTS = 50;
/**
 * In two periods, more than the look-ups without a record that one API key can cause. These are about 240 in 30 minutes:
 * 60 at once, then one every 10 seconds (decision F2).
 */
const LEAST_RESULTS_FOUND_SHARE = 150;

function failedShare(provider: string, idType: IdType, metrics: ServiceMetrics): AlarmSpec {
  const name = displayNameOf(provider);
  return {
    name: `failed-share-${provider}-${idType.toLowerCase()}`,
    description: `Customers receive verification errors and are not charged, because more than 20% of the ${idType} results of ${name} are errors or cannot be used. Run "registry test ${provider}" first: the responses of the provider have probably changed.`,
    metric: shareOf('failed', LEAST_RESULTS, 0, resultsOf(provider, idType, metrics)),
    threshold: 20,
    periods: 2,
    section: 'failed-share',
  };
}

function foundShare(provider: string, idType: IdType, metrics: ServiceMetrics): AlarmSpec {
  const name = displayNameOf(provider);
  return {
    name: `found-share-${provider}-${idType.toLowerCase()}`,
    description: `Customers may receive "not found" errors for numbers that exist, because ${name} finds a record for less than 20% of ${idType} numbers. Run "registry test ${provider}" first: the source or the responses of the provider have probably changed.`,
    metric: shareOf('found', LEAST_RESULTS_FOUND_SHARE, 100, resultsOf(provider, idType, metrics)),
    threshold: 20,
    periods: 2,
    firesBelow: true,
    section: 'found-share',
  };
}

const RESULTS = ['found', 'not-found', 'failed'] as const;
type Results = Readonly<Record<(typeof RESULTS)[number], IMetric>>;

function resultsOf(provider: string, idType: IdType, metrics: ServiceMetrics): Results {
  const of = (outcome: (typeof RESULTS)[number]) =>
    metrics.own('lookUps', 'Sum', PERIOD, { provider, environment: 'live', idType, outcome });
  return { found: of('found'), 'not-found': of('not-found'), failed: of('failed') };
}

/** The share of one outcome in all results, in percent, or `otherwise` if there are fewer than `least` results. */
function shareOf(
  outcome: 'failed' | 'found',
  least: number,
  otherwise: number,
  results: Results,
): MathExpression {
  return new MathExpression({
    expression: `IF(results < ${least}, ${otherwise}, 100 * FILL(part, 0) / results)`,
    usingMetrics: {
      part: results[outcome],
      results: sumOf(
        'result',
        RESULTS.map((one) => results[one]),
      ),
    },
    label: `${outcome}, % of results`,
    period: PERIOD,
  });
}
