import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { RegistryResult } from '../../shared/registries/port.ts';
import type { Stage } from '../config.ts';
import { functionNameOf, METRICS_NAMESPACE, serviceName } from './physical-names.ts';

type Statistic = 'Sum' | 'Maximum' | 'Minimum' | 'SampleCount' | 'p50' | 'p99';

/** The metrics that alarms and the dashboard use. The default period is 5 minutes. */
export class ServiceMetrics {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** A metric that the functions write, with the dimension `service` and the given ones. */
  own(metricName: string, statistic: Statistic, period = MINUTES_5, dimensions = {}): Metric {
    const dimensionsMap = { service: serviceName(this.#stage), ...dimensions };
    return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period });
  }

  /** The number of look-ups with live keys that had this outcome, over all providers. */
  lookUps(outcome: RegistryResult['kind']): Metric {
    return this.own('lookUps', 'Sum', MINUTES_5, { environment: 'live', outcome });
  }

  /** A metric that is filtered from the access log of API Gateway. */
  gateway(metricName: string): Metric {
    const namespace = `${METRICS_NAMESPACE}/${serviceName(this.#stage)}`;
    return new Metric({ namespace, metricName, statistic: 'Sum', period: MINUTES_5 });
  }

  /** Lambda's own metric of one function, which is named as in `infra/routes.ts`. */
  ofFunction(name: string, metricName: string, statistic: Statistic, period = MINUTES_5): Metric {
    const dimensionsMap = { FunctionName: functionNameOf(this.#stage, name) };
    return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period });
  }

  /** Lambda's own metric of the account in this region, whose concurrency all functions share. */
  ofLambda(metricName: string, statistic: Statistic): Metric {
    return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: MINUTES_5 });
  }
}

export const MINUTES_5 = Duration.minutes(5);

/** DynamoDB's own metric of one table, by its physical name. */
export function ofTable(TableName: string, metricName: string, more = {}, statistic: Statistic = 'Sum') {
  const dimensionsMap = { TableName, ...more };
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic, period: MINUTES_5 });
}

/** The sum of at most 10 metrics (CloudWatch's limit for an alarm). Missing data counts as 0. `id` is one word. */
export function sumOf(id: string, metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${id}${index}`, metric]));
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label: id, period: MINUTES_5 });
}

/** `100 * part / whole`, or 0 if `part` is below `least`, because a few calls do not make a meaningful rate. */
export function percentOf(label: string, part: IMetric, whole: IMetric, least: number): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(part, 0) < ${least}, 0, 100 * FILL(part, 0) / FILL(whole, 1))`,
    usingMetrics: { part, whole },
    label,
    period: MINUTES_5,
  });
}
