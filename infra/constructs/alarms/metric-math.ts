import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { MINUTES_5, type Statistic } from './service-metrics.ts';

/** Expressions over metrics, for alarms. Each metric that an alarm reads is billed. */

/**
 * Returns the sum of at most 10 metrics (CloudWatch's limit for an alarm). Missing data counts as 0. The IDs of the
 * metrics begin with `id`, so it must be a lower-case word.
 */
export function sumOf(id: string, metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label: id, period: MINUTES_5 });
}

/** Returns a statistic of a metric, or 0 if there are fewer than `least` values. */
export function atLeast(
  label: string,
  metricOf: (statistic: Statistic) => IMetric,
  { statistic, least, period }: { statistic: Statistic; least: number; period: Duration },
): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(count, 0) < ${least}, 0, FILL(value, 0))`,
    usingMetrics: { value: metricOf(statistic), count: metricOf('SampleCount') },
    label,
    period,
  });
}

/** Returns the mean of a metric that is 1 or 0, in percent, or `otherwise` if there are fewer than `least` values. */
export function shareOf(
  label: string,
  metricOf: (statistic: 'Average' | 'SampleCount') => IMetric,
  { least, otherwise, period }: { least: number; otherwise: number; period: Duration },
): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(count, 0) < ${least}, ${otherwise}, 100 * FILL(share, 0))`,
    usingMetrics: { share: metricOf('Average'), count: metricOf('SampleCount') },
    label,
    period,
  });
}

/** The rate of fewer calls is not meaningful. */
const LEAST_PART = 10;

/** Returns `100 * part / whole`, or 0 if `part` is below 10. */
export function percentOf(label: string, part: IMetric, whole: IMetric): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(part, 0) < ${LEAST_PART}, 0, 100 * FILL(part, 0) / FILL(whole, 1))`,
    usingMetrics: { part, whole },
    label,
    period: MINUTES_5,
  });
}
