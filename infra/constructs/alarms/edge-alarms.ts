import { Aws, Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig, TrafficHours } from '../../config.ts';
import { serviceName } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';
import { MINUTES_5, type ServiceMetrics } from './service-metrics.ts';

/** Returns the alarms that fire if the firewall blocks requests, or if no requests arrive. */
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

/**
 * Returns the metric of requests that any rule of the firewall blocked. The dimension `WebACL` is the metric name of
 * the firewall in the template.
 */
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
 * Returns the alarm on a lack of requests. It counts requests with live keys and failed requests without an accepted
 * key, so that health checks do not hide a lack of customer requests. The metric of the sweeper, which runs every
 * minute, serves as the clock. Outside the hours with expected traffic, the value is 1, so the alarm does not fire.
 */
function noTraffic(
  { fromHourUtc, toHourUtc, weekdaysOnly, quietMinutes = 30 }: TrafficHours,
  metrics: ServiceMetrics,
): AlarmSpec {
  const day = weekdaysOnly ? ' AND DAY(clock) < 6' : '';
  const hours = `HOUR(clock) >= ${fromHourUtc} AND HOUR(clock) < ${toHourUtc}${day}`;
  return {
    name: 'no-traffic',
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
