import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import { type IRole, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '../../config.ts';
import { INVOKED_BY_API } from '../../routes.ts';
import {
  failedSchedulesName,
  failedWebhooksName,
  functionNameOf,
  operatorRoleName,
  rolloutName,
  webhookQueueName,
} from '../physical-names.ts';

/** These actions are allowed for the whole account. Most of them do not support resource-level permissions. */
const ACCOUNT_WIDE = [
  'backup:ListBackupJobs',
  'backup:ListCopyJobs',
  'cloudwatch:DescribeAlarms',
  'cloudwatch:GetDashboard',
  'cloudwatch:GetMetricData',
  'cloudwatch:ListDashboards',
  'cloudwatch:ListMetrics',
  'codedeploy:ListDeployments',
  // A statement with an ARN would never allow it (Service Authorization Reference).
  'codedeploy:StopDeployment',
  'lambda:GetAccountSettings',
  'lambda:ListEventSourceMappings',
  'logs:DescribeLogGroups',
  'logs:GetQueryResults',
  'logs:StopQuery',
  'xray:BatchGetTraces',
  'xray:GetTraceSummaries',
];

/** The functions that engineers run again when they follow a runbook: those that do the same whatever the event is. */
const INVOKED = ['reconcile-wallets', 'roll-up-usage'];

const MOVE_MESSAGES = [
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
  'sqs:ListMessageMoveTasks',
  'sqs:ReceiveMessage',
  'sqs:StartMessageMoveTask',
];

/**
 * The permissions that the runbooks in docs/operate/runbooks need in addition to those for the `admin` CLI: alarms,
 * metrics, logs and traces, failed schedules and webhooks, rollouts, earlier versions, and runs of some functions.
 * They include no access to tables or to the values of secrets.
 */
export class DiagnosticsPolicy extends ManagedPolicy {
  constructor(scope: Construct, id: string, stage: Stage, role: IRole) {
    const arnOf = (service: string, resource: string, resourceName: string) =>
      Arn.format(
        { service, resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME },
        Stack.of(scope),
      );
    const queue = (name: string) => Arn.format({ service: 'sqs', resource: name }, Stack.of(scope));
    const allow = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });
    // `api` is also the beginning of the name of the stack of functions.
    const logGroups = ['api', 'console'].map((part) =>
      arnOf('logs', 'log-group', `identity-${stage}-${part}-*:*`),
    );
    super(scope, id, {
      managedPolicyName: `${operatorRoleName(stage, 'engineer')}-diagnostics`,
      description: 'Reads alarms, metrics, logs and traces, and acts on failed schedules and rollouts',
      roles: [role],
      statements: [
        allow(ACCOUNT_WIDE, '*'),
        allow(['logs:FilterLogEvents', 'logs:GetLogEvents', 'logs:StartQuery'], ...logGroups),
        allow(
          ['lambda:InvokeFunction'],
          ...INVOKED.map((name) => arnOf('lambda', 'function', functionNameOf(stage, name))),
        ),
        // With the list of lines that `npm run where` reads.
        allow(['lambda:GetFunction'], arnOf('lambda', 'function', `identity-${stage}-*`)),
        allow(['sqs:GetQueueUrl', 'sqs:PurgeQueue', 'sqs:ReceiveMessage'], queue(failedSchedulesName(stage))),
        // Messages in the dead-letter queue are moved back to the webhook queue.
        allow(
          ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
          queue(webhookQueueName(stage)),
        ),
        allow(MOVE_MESSAGES, queue(failedWebhooksName(stage))),
        allow(
          ['lambda:GetAlias', 'lambda:ListVersionsByFunction', 'lambda:UpdateAlias'],
          ...INVOKED_BY_API.map(({ name }) => arnOf('lambda', 'function', functionNameOf(stage, name))),
        ),
        allow(
          ['codedeploy:GetDeployment'],
          arnOf('codedeploy', 'deploymentgroup', `${rolloutName(stage)}/*`),
        ),
      ],
    });
  }
}
