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

/** One screen for one stage: what rings, who calls, what they get, how long it takes, and what happens to credits. */
export class ServiceDashboard extends Dashboard {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, { stage, metrics, alarms }: ServiceDashboardProps) {
    super(scope, id, { dashboardName: serviceName(stage), defaultInterval: Duration.hours(12) });
    this.#stage = stage;
    this.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 4 }));
    this.addWidgets(
      graph('Traffic, answers', [
        this.#each('responses', ['route', 'code'], 'Sum'),
        metrics.gateway(GATEWAY_METRICS.throttled),
        metrics.gateway(GATEWAY_METRICS.failed),
      ]),
      graph('Outcomes of look-ups', [
        this.#each('lookUps', ['provider', 'environment', 'idType', 'outcome'], 'Sum'),
      ]),
      graph('Trouble', [
        metrics.own('faults', 'Sum'),
        metrics.own('unavailableWallets', 'Sum'),
        metrics.own('unconfirmedCharges', 'Sum'),
        metrics.own('registriesDown', 'Maximum'),
        metrics.ofLambda('Throttles', 'Sum'),
      ]),
    );
    this.addWidgets(
      graph('Latency of all answers, ms', [metrics.own('latency', 'p50'), metrics.own('latency', 'p99')]),
      graph('Latency of registries, p99, ms', [
        this.#each('lookUpLatency', ['provider', 'environment', 'idType', 'outcome'], 'p99'),
      ]),
      graph('Our part of the latency, mean, ms', [this.#ownLatency(metrics)]),
    );
    this.addWidgets(
      graph('Credits', [
        metrics.own('creditsCharged', 'Sum'),
        this.#each('maybeBilled', ['provider', 'environment', 'idType', 'outcome'], 'Sum'),
      ]),
      graph('Holds', [metrics.own('releasedHolds', 'Sum'), metrics.own('quarantinedHolds', 'Maximum')]),
      graph('Oldest hold, ms', [metrics.own('oldestHold', 'Maximum')]),
    );
  }

  /** What is left of the time of all answers without that of look-ups, by the answers. */
  #ownLatency(metrics: ServiceMetrics): IMetric {
    const asked = this.#search('lookUpLatency', ['environment', 'outcome'], 'Sum');
    return new MathExpression({
      expression: `(total - FILL(SUM(${asked}), 0)) / answers`,
      usingMetrics: { total: metrics.own('latency', 'Sum'), answers: metrics.own('responses', 'Sum') },
      label: 'without registries',
    });
  }

  /** One line for each combination of these dimensions, those that come later included. */
  #each(metricName: string, dimensions: readonly string[], statistic: string): IMetric {
    return new SearchExpression({
      expression: this.#search(metricName, dimensions, statistic),
      label: metricName,
    });
  }

  #search(metricName: string, dimensions: readonly string[], statistic: string): string {
    const schema = [METRICS_NAMESPACE, 'service', ...dimensions].map((name) => `"${name}"`).join(',');
    const asked = `MetricName="${metricName}" "service"="${serviceName(this.#stage)}"`;
    return `SEARCH('{${schema}} ${asked}', '${statistic}', 300)`;
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8 });
}
