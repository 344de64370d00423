import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../../config.ts';
import { DELIVER_WEBHOOK } from '../../console-routes.ts';
import { failedWebhooksName, webhookQueueName } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';
import { consoleMetrics } from './console-alarms.ts';
import { MINUTES_5 } from './service-metrics.ts';
import { functionErrors } from './traffic-alarms.ts';

/**
 * SQS does not count messages that were received about three times. A failed delivery waits 5 s, 5 minutes and then 30:
 * it is received for the third time within 6 minutes, and for the fourth within 40.
 */
const OLDEST_MESSAGE_SECONDS = 3_600;
/** Half of what SQS allows, with messages that wait for their next attempt. */
const MOST_IN_FLIGHT = 60_000;
/** An endpoint that is down for 3 days causes a few. More probably mean a fault of the service. */
const MOST_FAILED_DELIVERIES = 10;

/** By the name of the queue. */
export function ofQueue(QueueName: string, metricName: string): Metric {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName,
    dimensionsMap: { QueueName },
    statistic: 'Maximum',
    period: MINUTES_5,
  });
}

/** Of a stage with a console. */
export function webhookAlarms(config: StageConfig): AlarmSpec[] {
  if (!config.console) return [];
  const { stage } = config;
  const metrics = consoleMetrics(config);
  return [
    {
      name: 'webhook-queue-age',
      description:
        'Customers receive webhooks late. A message has waited for more than an hour, because deliver-webhook is not running or its concurrency is too low.',
      metric: ofQueue(webhookQueueName(stage), 'ApproximateAgeOfOldestMessage'),
      threshold: OLDEST_MESSAGE_SECONDS,
    },
    {
      name: 'webhook-dead-letters',
      description:
        'A customer has not received a webhook, and the console may still show it as pending. A message failed five times because of an error of ours, or waited 1,000 times, and is in the dead-letter queue.',
      metric: ofQueue(failedWebhooksName(stage), 'ApproximateNumberOfMessagesVisible'),
      threshold: 0,
    },
    {
      name: 'webhook-messages-unhandled',
      description:
        'Customers receive webhooks late. For 10 minutes, deliver-webhook has failed to process messages, because the code has a bug, a row is damaged, or DynamoDB or Secrets Manager fails.',
      metric: metrics.own('unhandledMessages', 'Sum'),
      threshold: 0,
      periods: 2,
    },
    {
      name: 'failed-deliveries',
      description: `Customers have not received webhooks, which show as failed in the console. In an hour, the last attempt of more than ${MOST_FAILED_DELIVERIES} deliveries failed, because customers' endpoints or our outgoing connections do not work.`,
      metric: metrics.own('failedDeliveries', 'Sum', Duration.hours(1)),
      threshold: MOST_FAILED_DELIVERIES,
    },
    {
      name: 'webhooks-in-flight',
      description:
        'Customers are not affected yet. More than 60,000 webhooks are being delivered or are waiting for their next attempt, and at 120,000, SQS returns no more messages.',
      metric: ofQueue(webhookQueueName(stage), 'ApproximateNumberOfMessagesNotVisible'),
      threshold: MOST_IN_FLIGHT,
    },
    functionErrors(DELIVER_WEBHOOK.name, metrics),
  ];
}
