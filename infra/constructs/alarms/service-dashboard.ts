import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  type GraphWidget,
  type IAlarm,
  type IMetric,
  SearchExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { METRICS_NAMESPACE, type MetricName } from '../../../shared/core/metrics.ts';
import type { Stage, StageConfig } from '../../config.ts';
import { GATEWAY_METRICS, serviceName } from '../physical-names.ts';
import { alarmLists, consoleGraphs, graph } from './graphs.ts';
import type { ServiceMetrics } from './service-metrics.ts';

interface ServiceDashboardProps {
  readonly config: StageConfig;
  readonly metrics: ServiceMetrics;
  readonly alarms: readonly IAlarm[];
}

/** The dashboard of a stage: alarms, traffic, errors, latency, credits, holds, payments and the console. */
export class ServiceDashboard extends Dashboard {
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, { config, metrics, alarms }: ServiceDashboardProps) {
    const { stage } = config;
    super(scope, id, { dashboardName: serviceName(stage), defaultInterval: Duration.hours(12) });
    this.#stage = stage;
    for (const list of alarmLists(alarms)) this.addWidgets(list);
    this.addWidgets(...traffic(metrics));
    this.addWidgets(...latencies(metrics));
    this.addWidgets(
      graph('Share of results with a record, by provider and ID type', [this.#each('foundResults')]),
      graph('Credits charged, and failed look-ups that may be billed', [
        metrics.own('creditsCharged', 'Sum'),
        metrics.own('maybeBilled', 'Sum'),
      ]),
      graph('Holds: age of the oldest in ms, released, quarantined', [
        metrics.own('oldestHold', 'Maximum'),
        metrics.own('releasedHolds', 'Sum'),
        metrics.own('quarantinedHolds', 'Maximum'),
      ]),
      graph('Payments that a person must review', [metrics.own('paymentsToReview', 'Maximum')]),
    );
    if (config.console) this.addWidgets(...consoleGraphs(config));
  }

  /** Returns a line for each provider and ID type, including those that appear later. */
  #each(metricName: MetricName): IMetric {
    const schema = [METRICS_NAMESPACE, 'service', 'provider', 'idType'].map((name) => `"${name}"`).join(',');
    const query = `MetricName="${metricName}" "service"="${serviceName(this.#stage)}"`;
    return new SearchExpression({
      expression: `SEARCH('{${schema}} ${query}', 'Average', 300)`,
      label: metricName,
    });
  }
}

function traffic(metrics: ServiceMetrics): GraphWidget[] {
  return [
    graph('Requests, errors, and responses that API Gateway generated', [
      metrics.ofApi('Count', 'Sum'),
      metrics.ofApi('4XXError', 'Sum'),
      metrics.ofApi('5XXError', 'Sum'),
      metrics.gateway(GATEWAY_METRICS.throttled),
      metrics.gateway(GATEWAY_METRICS.failed),
    ]),
    graph('Look-ups, failures of providers, and providers that are down', [
      metrics.own('failedLookUps', 'SampleCount').with({ label: 'lookUps' }),
      metrics.own('failedLookUps', 'Sum'),
      metrics.own('registriesDown', 'Maximum'),
    ]),
    graph('Failures of the service', [
      metrics.own('failedRequests', 'Sum'),
      metrics.own('faults', 'Sum'),
      metrics.own('unavailableWallets', 'Sum'),
      metrics.own('unconfirmedCharges', 'Sum'),
      metrics.own('failedSecretRefreshes', 'Sum'),
      metrics.ofLambda('Throttles', 'Sum'),
    ]),
  ];
}

function latencies(metrics: ServiceMetrics): GraphWidget[] {
  return [
    graph('Latency of all requests, ms', [metrics.ofApi('Latency', 'p50'), metrics.ofApi('Latency', 'p99')]),
    graph('Latency of look-ups at providers, ms', [
      metrics.own('lookUpLatency', 'p50'),
      metrics.own('lookUpLatency', 'p95'),
    ]),
    graph('Our part of the latency, ms', [
      metrics.own('ownLatency', 'p50'),
      metrics.own('ownLatency', 'p95'),
    ]),
  ];
}
