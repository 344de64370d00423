import { Aws, Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig, TrafficHours } from '../../config.ts';
import { serviceName } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';
import { MINUTES_5, type ServiceMetrics } from './service-metrics.ts';

/** If the firewall blocks requests, or none arrive. */
export function edgeAlarms({ stage, operations }: StageConfig, metrics: ServiceMetrics): AlarmSpec[] {
  const { firewall, trafficHours } = operations ?? {};
  return [
    ...(firewall
      ? [
          {
            name: 'firewall-blocks',
            description:
              'Customers receive 429 if they share an address with the traffic that is blocked. The firewall blocks addresses that send too many requests.',
            metric: blockedRequests(serviceName(stage)),
            threshold: 100,
          },
        ]
      : []),
    ...(trafficHours ? [noTraffic(trafficHours, metrics)] : []),
  ];
}

/** `WebACL` is the metric name of the firewall. */
export function blockedRequests(WebACL: string): Metric {
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL, Rule: 'ALL', Region: Aws.REGION },
    statistic: 'Sum',
    period: MINUTES_5,
  });
}

/**
 * Counts requests with live keys and failed ones without an accepted key, so that health checks do not hide a lack of
 * customers. The sweeper's metric, each minute, is the clock; outside the hours, the value is 1.
 */
function noTraffic(
  { fromHourUtc, toHourUtc, weekdaysOnly, quietMinutes = 30 }: TrafficHours,
  metrics: ServiceMetrics,
): AlarmSpec {
  const day = weekdaysOnly ? ' AND DAY(clock) < 6' : '';
  const hours = `HOUR(clock) >= ${fromHourUtc} AND HOUR(clock) < ${toHourUtc}${day}`;
  return {
    name: 'no-traffic',
    pages: true,
    description: `Customers may be unable to reach the service at all. For ${quietMinutes} minutes, no request with a live key has arrived, although the stage expects traffic at this hour.`,
    metric: new MathExpression({
      expression: `IF(${hours}, FILL(requests, 0), 1)`,
      usingMetrics: {
        clock: metrics.own('oldestHold', 'SampleCount'),
        requests: metrics.own('failedRequests', 'SampleCount'),
      },
      label: 'requests with live keys',
      period: Duration.minutes(quietMinutes),
    }),
    threshold: 1,
    firesBelow: true,
  };
}
