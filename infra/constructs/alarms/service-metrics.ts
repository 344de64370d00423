import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS_NAMESPACE, type MetricName } from '../../../shared/core/metrics.ts';
import type { Stage } from '../../config.ts';
import { functionNameOf, LIVE_ALIAS, serviceName } from '../physical-names.ts';

export type Statistic = 'Sum' | 'Average' | 'Maximum' | 'Minimum' | 'SampleCount' | 'p50' | 'p95' | 'p99';

/** The default period is 5 minutes. */
export class ServiceMetrics {
  readonly #stage: Stage;
  readonly #title: string;

  /** `title` names the service in its metrics, and its REST API. @default the title of the API */
  constructor(stage: Stage, title = serviceName(stage)) {
    this.#stage = stage;
    this.#title = title;
  }

  /** With the dimension `service` and the given ones. */
  own(metricName: MetricName, statistic: Statistic, period = MINUTES_5, dimensions = {}): Metric {
    const dimensionsMap = { service: this.#title, ...dimensions };
    return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period });
  }

  /** From the access log of API Gateway. */
  gateway(metricName: string): Metric {
    const namespace = `${METRICS_NAMESPACE}/${this.#title}`;
    return new Metric({ namespace, metricName, statistic: 'Sum', period: MINUTES_5 });
  }

  /** Not billed. */
  ofApi(metricName: 'Count' | '4XXError' | '5XXError' | 'Latency', statistic: Statistic): Metric {
    const dimensionsMap = { ApiName: this.#title };
    return new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      dimensionsMap,
      statistic,
      period: MINUTES_5,
    });
  }

  /** `name` lacks the prefix of the stage. */
  ofFunction(name: string, metricName: string, statistic: Statistic): Metric {
    const dimensionsMap = { FunctionName: functionNameOf(this.#stage, name) };
    return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period: MINUTES_5 });
  }

  /** Only requests that the alias `live` sent to the version. */
  ofVersion(name: string, version: string, metricName: string, statistic: Statistic): Metric {
    const FunctionName = functionNameOf(this.#stage, name);
    const dimensionsMap = {
      FunctionName,
      Resource: `${FunctionName}:${LIVE_ALIAS}`,
      ExecutedVersion: version,
    };
    return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, statistic, period: MINUTES_5 });
  }

  /** All functions share the account's concurrency. */
  ofLambda(metricName: string, statistic: Statistic): Metric {
    return new Metric({ namespace: 'AWS/Lambda', metricName, statistic, period: MINUTES_5 });
  }
}

export const MINUTES_5 = Duration.minutes(5);

/** By its physical name. */
export function ofTable(TableName: string, metricName: string, more = {}, statistic: Statistic = 'Sum') {
  const dimensionsMap = { TableName, ...more };
  return new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic, period: MINUTES_5 });
}
