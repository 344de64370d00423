import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { prod } from '../../infra/stages/prod.ts';
import { outsideJest } from '../support/outside-jest.ts';
import { CONSOLE } from './console.ts';
import { BACKUP } from './expected-alarms.ts';
import type { Violation } from './violations.ts';

/** Checks all stacks of prod against the AWS Solutions rules of cdk-nag. */

const DELIVERY = { repository: 'acme/identity', identityProvider: 'create' } as const;

interface Exception {
  /** The name of the rule, or a pattern for names that differ only in the resource. */
  readonly rule: string | RegExp;
  /** The path of the resource in the app. */
  readonly at: RegExp;
  readonly why: string;
}

/** Accepted violations and their reasons. The test fails if an exception is no longer needed. */
const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'AwsSolutions-APIG2',
    at: /^identity-prod-(api\/Api|console\/Console|operators\/Operators)\/Resource$/,
    why: 'The functions validate bodies and respond in the documented envelope and order of checks. API Gateway can check neither duplicate keys nor the limit of 4,096 bytes.',
  },
  {
    rule: 'AwsSolutions-APIG6',
    at: /^identity-prod-(api\/Api|console\/Console|operators\/Operators)\/DeploymentStage/,
    why: 'Execution logs contain paths, headers and bodies, and therefore API keys and identity data. The access log contains only selected fields.',
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    at: /^identity-prod-api\/Api\/CloudWatchRole\//,
    why: 'AWS requires this managed policy for the role that API Gateway uses to write logs, one per account.',
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    at: /^identity-prod-api-functions\/Rollout\//,
    why: "AWS's limited managed policy for CodeDeploy deployments of Lambda aliases.",
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    at: /^identity-prod-backup\/Plan\/Tables\/Role\//,
    why: "AWS's managed policy for backups. The plan selects only the tables of the stage.",
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    at: /^identity-prod-api\/copy-audit-trail-role\/Resource$/,
    why: 'dynamodb:ListStreams has no resource-level permissions. Only this action is allowed (test/infra/access.test.ts).',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:(identity|configuration-set)\/\*\]$/,
    at: /^identity-prod-(console|operators)\/[a-z-]+-(role|policy)\/Resource$/,
    why: 'SES checks several resources for one email, depending on the account. The condition permits only emails from the address of the console.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:aws:cloudformation:eu-west-1:123456789012:stack\/identity-prod-(data|operators)\/\*\]$/,
    at: /^identity-prod-access\/[a-z-]+-policy\/Resource$/,
    why: 'CloudFormation appends a random ID to the names of the two stacks. The statement allows only describing them.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:aws:execute-api:.*\/GET\/operations\/\*\]$/,
    at: /^identity-prod-access\/[a-z-]+-policy\/Resource$/,
    why: 'The ID of a change in the background is part of the path. The function shows a change only to the person who made it.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::.*Arn[0-9A-F]+\/index\/\*\]$/,
    at: /^identity-prod-access\/break-glass-policy\/Resource$/,
    why: 'The role is for what no command can do. Each use sends a message to the alarm topic.',
  },
  {
    rule: 'AwsSolutions-APIG3',
    at: /^identity-prod-operators\/Operators\/DeploymentStage/,
    why: 'Callers must sign requests with the credentials of a role of this account, and API Gateway rejects all others.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'CloudWatch, X-Ray and the listed actions of Lambda, CodeDeploy and CloudWatch Logs have no permissions for a single stage. All of them only read, or stop a query or a deployment.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:aws:lambda:eu-west-1:123456789012:function:identity-prod-*]',
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'Positions in logs can be of any function and version of the stage. GetFunction only reads the code and the settings, which contain no secrets.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:aws:logs:eu-west-1:123456789012:log-group:identity-prod-(api|console)-\*:\*\]$/,
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'CloudFormation generates the names of the log groups. All of them belong to the API stack, the stack of its functions or the console stack of the stage.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:aws:codedeploy:eu-west-1:123456789012:deploymentgroup:identity-prod-api/*]',
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'The CodeDeploy application has one deployment group for each function. CloudFormation generates their names.',
  },
  ...[
    '*',
    'arn:aws:acm:eu-west-1:123456789012:certificate/*',
    'arn:aws:apigateway:eu-west-1::/domainnames/*',
    'arn:aws:cloudformation:eu-west-1:123456789012:stack/identity-prod-*/*',
    'arn:aws:cognito-idp:eu-west-1:123456789012:userpool/*',
    'arn:aws:dynamodb:eu-west-1:123456789012:table/identity-prod-data-*',
    'arn:<AWS::Partition>:route53:::hostedzone/*',
    'arn:aws:ses:eu-west-1:123456789012:configuration-set/*',
    'arn:aws:iam::123456789012:role/*',
    // The identity is the address of the sender, or its domain.
    'arn:aws:ses:eu-west-1:123456789012:identity/*',
    'arn:aws:sns:eu-west-1:123456789012:identity-prod-operations-*',
    'arn:aws:ssm:eu-west-1:123456789012:parameter/cdk-bootstrap/*',
  ].map((resource) => ({
    rule: `AwsSolutions-IAM5[Resource::${resource}]`,
    at: /^identity-prod-access\/preflight\/Resource$/,
    why: 'The preflight reads settings that belong to the whole account, and resources whose names CloudFormation generates. The policy grants no permission to change anything.',
  })),
  {
    rule: /^AwsSolutions-IAM5\[Resource::arn:aws:(lambda:eu-west-1:123456789012:function:identity-prod-[a-z-]+:\*|codedeploy:eu-west-1:123456789012:deploymentgroup:identity-prod-api\/\*)\]$/,
    at: /^identity-prod-api-functions\/check-new-version-role\/Resource$/,
    why: 'The function invokes each new version before it receives traffic. A policy that names the version would not yet be in effect: IAM takes seconds to apply a change.',
  },
  {
    rule: 'AwsSolutions-S1',
    at: /^identity-prod-data\/AuditArchive\/Resource$/,
    why: 'Nobody can change or delete an object, and the daily reconciliation compares all versions with the table. A log of requests would need another bucket.',
  },
  {
    rule: /^AwsSolutions-IAM5\[Resource::.*AuditArchive.*\/(audit|changed)\/\*\]$/,
    at: /^identity-prod-(api\/(copy-audit-trail|reconcile-wallets)-role|access\/reconciliation-policy)\/Resource$/,
    why: 'Each row of the audit trail is an object of its own. The statements allow no deletion, and no change to a version.',
  },
  {
    rule: 'AwsSolutions-COG1',
    at: /^identity-prod-data\/Members\/Resource$/,
    why: 'Passwords need at least 12 characters and a second factor. NIST SP 800-63B (3.1.1.2) forbids rules on classes of characters, which make people choose predictable passwords.',
  },
  {
    rule: 'AwsSolutions-COG8',
    at: /^identity-prod-data\/Members\/Resource$/,
    why: 'The Essentials tier has managed login and the required second factor. Plus adds threat protection, which matters for passwords alone, at several times the price.',
  },
  {
    rule: 'AwsSolutions-SMG4',
    at: /^identity-prod-data\/(Pepper|SlipKey|SandboxKey|WebhookKey|CardKey|TestKey|PaymentsKey|Registry-[a-z]+)\/Resource$/,
    why: 'The operator rotates secrets (docs/design/security.md): a pepper must keep its predecessor as long as log rows use it, the webhook secrets of all customers are derived from the webhook key, and providers and Paystack issue credentials manually.',
  },
];

test('the stacks follow the AWS Solutions rules, except for documented exceptions', () => {
  const { operations = { accountConcurrency: 1_000 } } = prod;
  const { violationsOf } = outsideJest<typeof import('./violations.ts')>(
    join(import.meta.dirname, 'violations.ts'),
  );
  const findings = violationsOf('prod', {
    changes: { ...CONSOLE, operations: { ...operations, delivery: DELIVERY, backup: BACKUP } },
  });
  const covers = ({ rule, at }: Exception, finding: Violation) =>
    (typeof rule === 'string' ? finding.rule === rule : rule.test(finding.rule)) && at.test(finding.at);

  expect(findings.length).toBeGreaterThan(35);
  expect(findings.filter((finding) => !EXCEPTIONS.some((one) => covers(one, finding)))).toEqual([]);
  expect(EXCEPTIONS.filter((one) => !findings.some((finding) => covers(one, finding)))).toEqual([]);
  for (const { why } of EXCEPTIONS) expect(why.length).toBeGreaterThan(40);
});
