import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../../config.ts';
import { consoleName, GATEWAY_METRICS } from '../physical-names.ts';
import type { AlarmSpec } from './alarm.ts';
import { blockedRequests } from './edge-alarms.ts';
import { ServiceMetrics } from './service-metrics.ts';

/** SES reviews an account whose bounce rate is above 5%, and may stop its emails above 10%. */
const MOST_BOUNCES = 0.05;

/** The function that counts usage runs every hour. */
const OLDEST_USAGE_MS = 90 * 60_000;

/** Returns the metrics of the console, which are separate from those of the API. */
export const consoleMetrics = ({ stage }: Pick<StageConfig, 'stage'>) =>
  new ServiceMetrics(stage, consoleName(stage));

/** Returns the alarms on the account console, if the stage has one. */
export function consoleAlarms(config: StageConfig): AlarmSpec[] {
  if (!config.console) return [];
  const metrics = consoleMetrics(config);
  return [
    {
      name: 'console-faults',
      description:
        "Customers' members receive 500 SERVER_ERROR in the console, while their API requests are not affected. The code has a bug, the deployment is misconfigured, or DynamoDB or SES fails.",
      metric: metrics.own('faults', 'Sum'),
      threshold: 0,
    },
    {
      name: 'console-failures',
      description:
        "Customers' members receive a 5xx response from API Gateway in the console, while their API requests are not affected. A function of the console crashed, timed out, or could not be invoked.",
      metric: metrics.gateway(GATEWAY_METRICS.failed),
      threshold: 0,
    },
    {
      name: 'console-throttles',
      description:
        "Customers' members receive 429 in the console, or cannot sign in. All of them together exceed the limit of a route, or someone floods the sign-in.",
      metric: metrics.gateway(GATEWAY_METRICS.throttled),
      threshold: 0,
      periods: 2,
    },
    {
      name: 'sign-in-failures',
      description:
        "Customers' members cannot sign in to the console, or new ones cannot sign up. Cognito does not respond, or rejects the client of the console.",
      metric: metrics.own('failedSignIns', 'Sum'),
      threshold: 2,
    },
    {
      name: 'mail-bounces',
      description:
        "Customers' members may soon receive no invitations, alert emails, or emails for sign-up and password recovery. More than 5% of the account's emails cannot be delivered, and SES may stop all of them.",
      metric: new Metric({
        namespace: 'AWS/SES',
        metricName: 'Reputation.BounceRate',
        statistic: 'Maximum',
        period: Duration.hours(1),
      }),
      threshold: MOST_BOUNCES,
    },
    {
      name: 'sign-up-limit',
      description:
        'New customers who sign up receive no email until midnight UTC, unless they were invited. All emails of the day for sign-ups were sent, so someone may be signing up with many addresses.',
      metric: metrics.own('limitedSignUps', 'Sum', Duration.hours(1)),
      threshold: 0,
    },
    usageOverdue(metrics),
    ...(config.operations?.firewall ? [blocked(config)] : []),
  ];
}

function blocked({ stage }: StageConfig): AlarmSpec {
  return {
    name: 'console-firewall-blocks',
    description:
      "Customers' members receive 429 in the console if they share an address with the traffic that is blocked. The firewall of the console blocks addresses that send too many requests.",
    metric: blockedRequests(consoleName(stage)),
    threshold: 100,
  };
}

function usageOverdue(metrics: ServiceMetrics): AlarmSpec {
  return {
    name: 'usage-overdue',
    description:
      "Customers see outdated usage and balances in the console, while their requests, charges and statements are correct. For 3 hours, a wallet's usage was more than 90 minutes old, or the function roll-up-usage completed no run.",
    metric: metrics.own('oldestUsage', 'Maximum', Duration.hours(1)),
    threshold: OLDEST_USAGE_MS,
    periods: 3,
    firesWithoutData: true,
  };
}
