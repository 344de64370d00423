import { Duration } from 'aws-cdk-lib';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { displayNameOf } from '../../../shared/registries/providers/catalogue.ts';
import type { LiveRouting } from '../../config.ts';
import type { AlarmSpec } from './alarm.ts';
import { shareOf } from './metric-math.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/**
 * For providers that change their responses: two for each provider and ID type, on results only. docs/operate/deploy.md
 * explains the thresholds.
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
/** Otherwise, the share is not meaningful. */
const LEAST_RESULTS = 50;
/**
 * Of two periods. One API key cannot cause that many without a record: about 280 in 30 minutes, 100 of them at once and
 * then one every 10 seconds (contract F2).
 */
const LEAST_RESULTS_FOUND_SHARE = 150;

function failedShare(provider: string, idType: IdType, metrics: ServiceMetrics): AlarmSpec {
  const name = displayNameOf(provider);
  return {
    name: `failed-share-${provider}-${idType.toLowerCase()}`,
    pages: true,
    description: `Customers receive verification errors and are not charged, because more than 20% of the ${idType} results of ${name} are errors or cannot be used. Run "registry test ${provider}" first: the responses of the provider have probably changed.`,
    metric: shareOf(
      'failed, % of results',
      (statistic) => metrics.own('failedResults', statistic, PERIOD, { provider, idType }),
      { least: LEAST_RESULTS, otherwise: 0, period: PERIOD },
    ),
    threshold: 20,
    periods: 2,
    runbook: 'failed-share',
  };
}

function foundShare(provider: string, idType: IdType, metrics: ServiceMetrics): AlarmSpec {
  const name = displayNameOf(provider);
  return {
    name: `found-share-${provider}-${idType.toLowerCase()}`,
    pages: true,
    description: `Customers may receive "not found" errors for numbers that exist, because ${name} finds a record for less than 20% of ${idType} numbers. Run "registry test ${provider}" first: the source or the responses of the provider have probably changed.`,
    metric: shareOf(
      'found, % of results',
      (statistic) => metrics.own('foundResults', statistic, PERIOD, { provider, idType }),
      { least: LEAST_RESULTS_FOUND_SHARE, otherwise: 100, period: PERIOD },
    ),
    threshold: 20,
    periods: 2,
    firesBelow: true,
    runbook: 'found-share',
  };
}
