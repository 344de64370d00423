import { Duration } from 'aws-cdk-lib';
import type { AlarmSpec } from './alarm.ts';
import { atLeast, percentOf } from './metric-math.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/**
 * Half of the default time limit of a look-up. A request occupies an execution of its function for as long as its
 * look-up takes.
 */
const SLOW_LOOK_UP_MS = 10_000;
/** With fewer look-ups in 15 minutes, the percentile is not meaningful. */
const LEAST_LOOK_UPS = 50;

/** Returns the alarms on registry providers that do not respond, or respond slowly. */
export function registryAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  return [
    {
      name: 'registry-failures',
      pages: true,
      description:
        'Customers are served by the next provider, or receive 503 or 504 and are not charged. More than 10% of look-ups with live keys fail because a registry provider is unreachable or too slow.',
      metric: registryFailureRate(metrics),
      threshold: 10,
      periods: 2,
    },
    {
      name: 'registry-down',
      pages: true,
      description:
        'Customers are served by the next provider, or receive 503 or 504 and are not charged. A registry provider is down, or the function publish-events is not running.',
      metric: metrics.own('registriesDown', 'Maximum', Duration.minutes(1)),
      threshold: 0,
      // With fewer, a run that is late would fire it if CloudWatch has the next value late too.
      periods: 5,
      firesWithoutData: true,
    },
    {
      name: 'look-up-latency',
      description: `Customers wait a long time for look-ups, because a registry provider responds slowly. For 30 minutes, the 95th percentile of the latency of look-ups with live keys has been above ${SLOW_LOOK_UP_MS / 1000} s.`,
      metric: atLeast('look-ups, p95, ms', (statistic) => metrics.own('lookUpLatency', statistic), {
        statistic: 'p95',
        least: LEAST_LOOK_UPS,
        period: Duration.minutes(15),
      }),
      threshold: SLOW_LOOK_UP_MS,
      periods: 2,
    },
  ];
}

/** Returns the failure rate in percent, for live keys only, because test keys can make the sandbox simulate outages. */
function registryFailureRate(metrics: ServiceMetrics) {
  const failed = metrics.own('failedLookUps', 'Sum');
  return percentOf('failed look-ups, %', failed, metrics.own('failedLookUps', 'SampleCount'));
}
