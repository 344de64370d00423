import { GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../config.ts';
import { consoleMetrics } from './console-alarms.ts';
import { GATEWAY_METRICS } from './physical-names.ts';

/** The graphs of the dashboard. */

export function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8 });
}

/** The graphs of the account console. */
export function consoleGraphs(config: StageConfig): GraphWidget[] {
  const metrics = consoleMetrics(config);
  return [
    graph('Console: requests, and responses that API Gateway generated', [
      metrics.ofApi('Count', 'Sum'),
      metrics.ofApi('4XXError', 'Sum'),
      metrics.ofApi('5XXError', 'Sum'),
      metrics.gateway(GATEWAY_METRICS.throttled),
      metrics.gateway(GATEWAY_METRICS.failed),
    ]),
    graph('Console: failures and failed sign-ins', [
      metrics.own('faults', 'Sum'),
      metrics.own('failedSignIns', 'Sum'),
    ]),
    graph('Console: latency, ms', [metrics.ofApi('Latency', 'p50'), metrics.ofApi('Latency', 'p99')]),
  ];
}
