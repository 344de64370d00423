import { AlarmStatusWidget, GraphWidget, type IAlarm, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../../config.ts';
import { failedWebhooksName, GATEWAY_METRICS, webhookQueueName } from '../physical-names.ts';
import { consoleMetrics } from './console-alarms.ts';
import { ofQueue } from './webhook-alarms.ts';

/** Widgets of the dashboard: graphs, and lists of alarms. */

export function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8 });
}

/** The maximum number of alarms that CloudWatch shows in one list. */
const ALARMS_IN_A_LIST = 100;

/** Returns widgets that show the states of these alarms, in one or more lists. */
export function alarmLists(alarms: readonly IAlarm[]): AlarmStatusWidget[] {
  const lists: AlarmStatusWidget[] = [];
  for (let first = 0; first < alarms.length; first += ALARMS_IN_A_LIST) {
    const listed = alarms.slice(first, first + ALARMS_IN_A_LIST);
    lists.push(new AlarmStatusWidget({ title: 'Alarms', alarms: listed, width: 24, height: 4 }));
  }
  return lists;
}

/** Returns the graphs of the account console. */
export function consoleGraphs(config: StageConfig): GraphWidget[] {
  const metrics = consoleMetrics(config);
  return [
    graph('Console: requests, errors, and responses that API Gateway generated', [
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
    ...webhookGraphs(config),
    graph('Console: latency, ms', [metrics.ofApi('Latency', 'p50'), metrics.ofApi('Latency', 'p99')]),
  ];
}

function webhookGraphs(config: StageConfig): GraphWidget[] {
  const [queue, failed] = [webhookQueueName(config.stage), failedWebhooksName(config.stage)];
  const metrics = consoleMetrics(config);
  return [
    graph('Webhooks: messages that are due, in flight, and in the dead-letter queue', [
      ofQueue(queue, 'ApproximateNumberOfMessagesVisible'),
      ofQueue(queue, 'ApproximateNumberOfMessagesNotVisible'),
      ofQueue(failed, 'ApproximateNumberOfMessagesVisible').with({ label: 'dead letters' }),
    ]),
    graph('Webhooks: failed deliveries and unhandled messages', [
      metrics.own('failedDeliveries', 'Sum'),
      metrics.own('unhandledMessages', 'Sum'),
    ]),
  ];
}
