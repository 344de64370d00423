import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { RegistryResult } from '../../shared/registries/port.ts';
import type { Stage } from '../config.ts';
import { functionNameOf, METRICS_NAMESPACE, serviceName } from './physical-names.ts';

type Statistic = 'Sum' | 'Maximum' | 'Minimum' | 'SampleCount' | 'p50' | 'p99';

/** Where each number comes from, for alarms and dashboard alike. Periods are 5 minutes where nothing else is said. */
export class ServiceMetrics {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** What the functions write themselves, by the service and the given dimensions. */
  own(metricName: string, statistic: Statistic, period = MINUTES_5, dimensions = {}): Metric {
    const dimensionsMap = { service: serviceName(this.#stage), ...dimensions };
    return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period });
  }

  /** Look-ups of live keys that ended so, at all providers together. */
  lookUps(outcome: RegistryResult['kind']): Metric {
    return this.own('lookUps', 'Sum', MINUTES_5, { environment: 'live', outcome });
  }

  /** What API Gateway answered in place of the functions, from its access log. */
  gateway(metricName: string): Metric {
    const namespace = `${METRICS_NAMESPACE}/${serviceName(this.#stage)}`;
    return new Metric({ namespace, metricName, statistic: 'Sum', period: MINUTES_5 });
  }

  /** What Lambda counts of one function, by its name in `infra/routes.ts`. */
  ofFunction(name: string, metricName: string, statistic: Statistic): Metric {
    const dimensionsMap = { FunctionName: functionNameOf(this.#stage, name) };
    return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period: MINUTES_5 });
  }

  /** What Lambda counts of the whole account in this region: all functions share its concurrency. */
  ofLambda(metricName: string, statistic: Statistic): Metric {
    return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: MINUTES_5 });
  }
}

export const MINUTES_5 = Duration.minutes(5);

/** What DynamoDB counts of one table, named physically. */
export function ofTable(TableName: string, metricName: string, more = {}, statistic: Statistic = 'Sum') {
  const dimensionsMap = { TableName, ...more };
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic, period: MINUTES_5 });
}

/** The sum of metrics, where no value counts as none; at most 10, since an alarm takes no more. `id` is one word. */
export function sumOf(id: string, metrics: readonly IMetric[], period = MINUTES_5): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label: id, period });
}

/** `100 * part / whole`, and 0 while the part is smaller than `least`: few calls make no rate. */
export function percentOf(label: string, part: IMetric, whole: IMetric, least: number): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(part, 0) < ${least}, 0, 100 * FILL(part, 0) / FILL(whole, 1))`,
    usingMetrics: { part, whole },
    label,
    period: MINUTES_5,
  });
}
