import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { MINUTES_5, type Statistic } from './service-metrics.ts';

/** Each metric that an alarm reads is billed. */

/** At most 10 metrics (CloudWatch's limit). Missing data counts as 0. `id` is a lower-case word. */
export function sumOf(id: string, metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label: id, period: MINUTES_5 });
}

/** 0 if there are fewer than `least` values. */
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

/** In percent, or `otherwise` if there are fewer than `least` values. */
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

/** 0 if `part` is below 10. */
export function percentOf(label: string, part: IMetric, whole: IMetric): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(part, 0) < ${LEAST_PART}, 0, 100 * FILL(part, 0) / FILL(whole, 1))`,
    usingMetrics: { part, whole },
    label,
    period: MINUTES_5,
  });
}
