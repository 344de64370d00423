import { Duration } from 'aws-cdk-lib';
import { AlarmRule, AlarmState, CompositeAlarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { GATEWAY_METRICS } from '../physical-names.ts';
import { type AlarmSpec, type AlarmStage, addAlarm, alarmTexts } from './alarm.ts';
import { atLeast } from './metric-math.ts';
import type { ServiceMetrics } from './service-metrics.ts';

/**
 * Objectives: docs/operate/slo.md. Windows and burn rates: Google SRE workbook, chapter 5
 * (https://sre.google/workbook/alerting-on-slos/). A burn rate of 1 uses up the budget in 30 days.
 */

/** In percent, in 30 days. */
const BUDGET_PERCENT = 0.1;
const OWN_LATENCY_P95_MS = 150;
/** With fewer, a few cold starts would determine the 95th percentile. */
const LEAST_TIMED = 200;
/** One failure among a hundred requests at night must not fire. */
const LEAST_FAILED = 5;

/** Both windows of a pair must exceed its rate. */
const PAIRS = [
  { rate: 14.4, long: ['1h', Duration.hours(1)], short: ['5m', Duration.minutes(5)] },
  { rate: 6, long: ['6h', Duration.hours(6)], short: ['30m', Duration.minutes(30)] },
] as const;

export function sloAlarms(metrics: ServiceMetrics): AlarmSpec[] {
  const quarter = Duration.minutes(15);
  return [
    {
      // CloudWatch compares each period, here a day, separately.
      name: 'slo-budget',
      description:
        'Some customers receive 5xx responses from this service. On each of the last three days, more requests failed than the objective permits.',
      metric: failedShare(metrics, Duration.days(1), LEAST_FAILED),
      threshold: BUDGET_PERCENT,
      periods: 3,
    },
    {
      name: 'own-latency',
      description: `Customers wait longer for look-ups because of this service, not because of a registry provider. For 45 minutes, the 95th percentile of our part of the latency has been above ${OWN_LATENCY_P95_MS} ms.`,
      metric: atLeast(
        'our part of the latency, p95, ms',
        (statistic) => metrics.own('ownLatency', statistic),
        { statistic: 'p95', least: LEAST_TIMED, period: quarter },
      ),
      threshold: OWN_LATENCY_P95_MS,
      periods: 3,
    },
  ];
}

/** Adds `slo-burn` and the alarms of its windows, which send no notifications. */
export function addBurnAlarm(scope: Construct, config: AlarmStage, metrics: ServiceMetrics): CompositeAlarm {
  const burning = ([window, period]: readonly [string, Duration], rate: number, least: number) => {
    const alarm = addAlarm(scope, config, {
      name: `slo-burn-${window}`,
      description: `Customers receive 5xx responses from this service. It measures a window of ${window} for slo-burn, which sends the notifications.`,
      metric: failedShare(metrics, period, least),
      threshold: rate * BUDGET_PERCENT,
      runbook: 'slo-burn',
    });
    return AlarmRule.fromAlarm(alarm, AlarmState.ALARM);
  };
  const description =
    'Customers receive 5xx responses from this service. At this rate, the 30-day error budget lasts at most 5 days.';
  const { alarmName, alarmDescription } = alarmTexts(config, { name: 'slo-burn', description });
  return new CompositeAlarm(scope, 'slo-burn', {
    compositeAlarmName: alarmName,
    alarmDescription,
    alarmRule: AlarmRule.anyOf(
      ...PAIRS.map(({ rate, long, short }) =>
        AlarmRule.allOf(burning(long, rate, LEAST_FAILED), burning(short, rate, 1)),
      ),
    ),
  });
}

/** In percent; 0 if fewer than `least` failed. No function has counted API Gateway's own 5xx responses. */
function failedShare(metrics: ServiceMetrics, period: Duration, least: number): MathExpression {
  const failures = '(FILL(failed, 0) + FILL(gateway, 0))';
  return new MathExpression({
    expression: `IF(${failures} < ${least}, 0, 100 * ${failures} / (FILL(requests, 1) + FILL(gateway, 0)))`,
    usingMetrics: {
      failed: metrics.own('failedRequests', 'Sum'),
      requests: metrics.own('failedRequests', 'SampleCount'),
      gateway: metrics.gateway(GATEWAY_METRICS.failed),
    },
    label: 'failed requests, %',
    period,
  });
}
