import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  MathExpression,
  SearchExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { GATEWAY_METRICS, METRICS_NAMESPACE, serviceName } from './physical-names.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export interface ServiceDashboardProps {
  readonly stage: Stage;
  readonly metrics: ServiceMetrics;
  readonly alarms: readonly IAlarm[];
}

const LOOK_UP_DIMENSIONS = ['provider', 'environment', 'idType', 'outcome'] as const;

/** One screen for one stage: alarms, traffic, errors, latency, credits and holds. */
export class ServiceDashboard extends Dashboard {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, { stage, metrics, alarms }: ServiceDashboardProps) {
    super(scope, id, { dashboardName: serviceName(stage), defaultInterval: Duration.hours(12) });
    this.#stage = stage;
    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 }));
    this.addWidgets(
      graph('Responses by route and code', [
        this.#each('responses', ['route', 'code'], 'Sum'),
        metrics.gateway(GATEWAY_METRICS.throttled),
        metrics.gateway(GATEWAY_METRICS.failed),
      ]),
      graph('Look-ups by outcome', [this.#each('lookUps', LOOK_UP_DIMENSIONS, 'Sum')]),
      graph('Errors', [
        metrics.own('faults', 'Sum'),
        metrics.own('unavailableWallets', 'Sum'),
        metrics.own('unconfirmedCharges', 'Sum'),
        metrics.own('registriesDown', 'Maximum'),
        metrics.ofLambda('Throttles', 'Sum'),
      ]),
    );
    this.addWidgets(
      graph('Latency of all responses, ms', [metrics.own('latency', 'p50'), metrics.own('latency', 'p99')]),
      graph('Latency of look-ups, p99, ms', [this.#each('lookUpLatency', LOOK_UP_DIMENSIONS, 'p99')]),
      graph('Latency without look-ups, mean, ms', [this.#ownLatency(metrics)]),
    );
    this.addWidgets(
      graph('Credits charged, and failed look-ups that may be billed', [
        metrics.own('creditsCharged', 'Sum'),
        this.#each('maybeBilled', LOOK_UP_DIMENSIONS, 'Sum'),
      ]),
      graph('Holds released and quarantined', [
        metrics.own('releasedHolds', 'Sum'),
        metrics.own('quarantinedHolds', 'Maximum'),
      ]),
      graph('Oldest hold, ms', [metrics.own('oldestHold', 'Maximum')]),
    );
  }

  /** The mean time per response that is not spent on look-ups. */
  #ownLatency(metrics: ServiceMetrics): IMetric {
    const lookUps = this.#search('lookUpLatency', ['environment', 'outcome'], 'Sum');
    return new MathExpression({
      expression: `(total - FILL(SUM(${lookUps}), 0)) / responses`,
      usingMetrics: { total: metrics.own('latency', 'Sum'), responses: metrics.own('responses', 'Sum') },
      label: 'without look-ups',
    });
  }

  /** One line for each combination of these dimensions, including combinations that appear later. */
  #each(metricName: string, dimensions: readonly string[], statistic: string): IMetric {
    return new SearchExpression({
      expression: this.#search(metricName, dimensions, statistic),
      label: metricName,
    });
  }

  #search(metricName: string, dimensions: readonly string[], statistic: string): string {
    const schema = [METRICS_NAMESPACE, 'service', ...dimensions].map((name) => `"${name}"`).join(',');
    const query = `MetricName="${metricName}" "service"="${serviceName(this.#stage)}"`;
    return `SEARCH('{${schema}} ${query}', '${statistic}', 300)`;
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8 });
}
