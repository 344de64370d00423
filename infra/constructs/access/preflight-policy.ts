import { Arn, ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { type IRole, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '../../config.ts';
import { operatorRoleName, serviceName } from '../physical-names.ts';

/** These actions do not support resource-level permissions. */
const ACCOUNT_WIDE = [
  'cloudformation:ListStacks',
  'iam:ListOpenIDConnectProviders',
  'lambda:GetAccountSettings',
  'ses:GetAccount',
  'servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota',
];

/**
 * The permissions of `npm run preflight`, except those for the secrets of providers. They permit no changes: requests
 * for a higher quota (`--request-quota`) need an administrator of the account.
 */
export class PreflightPolicy extends ManagedPolicy {
  /** `paymentsSecret` is an ARN. */
  constructor(scope: Construct, id: string, stage: Stage, role: IRole, paymentsSecret: string) {
    const arnOf = (service: string, resource: string, resourceName: string) =>
      Arn.format({ service, resource, resourceName }, Stack.of(scope));
    // ARNs of API Gateway resources contain no account ID, and the path at their end starts with a slash.
    const gateway = (path: string) =>
      Arn.format(
        { service: 'apigateway', account: '', resource: path, arnFormat: ArnFormat.NO_RESOURCE_NAME },
        Stack.of(scope),
      );
    const allow = (action: string, ...resources: string[]) =>
      new PolicyStatement({ actions: [action], resources });
    super(scope, id, {
      managedPolicyName: `${operatorRoleName(stage, 'engineer')}-preflight`,
      // CloudFormation would replace the policy if this changed, and cannot, because of its name.
      description: 'Reads what the preflight checks: quotas, stacks, certificates, subscriptions and users',
      roles: [role],
      statements: [
        new PolicyStatement({ actions: ACCOUNT_WIDE, resources: ['*'] }),
        allow('acm:DescribeCertificate', arnOf('acm', 'certificate', '*')),
        allow('apigateway:GET', gateway('/account'), gateway('/domainnames/*')),
        new PolicyStatement({
          actions: [
            'cloudformation:DescribeStacks',
            'cloudformation:GetTemplate',
            'cloudformation:ListStackResources',
          ],
          resources: [arnOf('cloudformation', 'stack', `${serviceName(stage)}-*/*`)],
        }),
        // What an earlier data stack has left.
        allow('cognito-idp:DescribeUserPool', arnOf('cognito-idp', 'userpool', '*')),
        allow('dynamodb:DescribeTable', arnOf('dynamodb', 'table', `${serviceName(stage)}-data-*`)),
        new PolicyStatement({
          actions: ['route53:GetHostedZone', 'route53:ListResourceRecordSets'],
          resources: [`arn:${Aws.PARTITION}:route53:::hostedzone/*`],
        }),
        // Shows whether a value was ever stored, but not the value.
        allow('secretsmanager:ListSecretVersionIds', paymentsSecret),
        allow('ses:GetConfigurationSet', arnOf('ses', 'configuration-set', '*')),
        allow('ses:GetEmailIdentity', arnOf('ses', 'identity', '*')),
        allow(
          'iam:GetRole',
          Arn.format({ service: 'iam', region: '', resource: 'role', resourceName: '*' }, Stack.of(scope)),
        ),
        allow(
          'sns:ListSubscriptionsByTopic',
          Arn.format({ service: 'sns', resource: `${serviceName(stage)}-operations-*` }, Stack.of(scope)),
        ),
        allow('ssm:GetParameter', arnOf('ssm', 'parameter', 'cdk-bootstrap/*')),
      ],
    });
  }
}
