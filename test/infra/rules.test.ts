import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { AwsSolutionsChecks } from 'cdk-nag';
import { buildApp } from '../../infra/app.ts';
import { FUNCTION_NAMES } from '../../infra/routes.ts';
import { context } from './synthesis.ts';

/** Checks all stacks of prod against the AWS Solutions rules of cdk-nag. */

interface Exception {
  readonly rule: string;
  /** The path of the resource in the app. */
  readonly at: RegExp;
  readonly why: string;
}

/** Accepted violations and their reasons. The test fails if an exception is no longer needed. */
const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'AwsSolutions-APIG4',
    at: /^identity-prod-api\/Api\/Default\//,
    why: 'The functions check the API key with a consistent, uncached read, so that a revoked key is rejected at once (decision B4). An authoriser would add a call or a cache.',
  },
  {
    rule: 'AwsSolutions-COG4',
    at: /^identity-prod-api\/Api\/Default\//,
    why: 'Callers are servers with API keys. No users log in.',
  },
  {
    rule: 'AwsSolutions-APIG2',
    at: /^identity-prod-api\/Api\/Resource$/,
    why: 'The functions validate bodies and respond in the documented envelope and order of checks. API Gateway can check neither duplicate keys nor the limit of 4,096 bytes.',
  },
  {
    rule: 'AwsSolutions-APIG6',
    at: /^identity-prod-api\/Api\/DeploymentStage/,
    why: 'Execution logs contain paths, headers and bodies, and therefore API keys and identity data. The access log contains only selected fields.',
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    at: /^identity-prod-api\/Api\/CloudWatchRole\//,
    why: 'AWS requires this managed policy for the role with which API Gateway writes logs, one per account.',
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    at: /^identity-prod-api\/Rollout\//,
    why: "AWS's limited managed policy for CodeDeploy deployments of Lambda aliases.",
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    at: /^identity-prod-api\/[a-z-]+-role\/Resource$/,
    why: 'X-Ray has no resource-level permissions. Only its two write actions are allowed (test/infra/access.test.ts).',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/identity-prod-data/*]',
    at: /^identity-prod-access\/[a-z-]+-policy\/Resource$/,
    why: 'CloudFormation appends a random ID to the name of the data stack. The statement allows only to describe this stack.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'CloudWatch, X-Ray and the listed actions of Lambda, CodeDeploy and CloudWatch Logs have no permissions for a single stage. All of them only read, or stop a query.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:identity-prod-api-*:*]',
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'CloudFormation generates the names of the log groups. All of them belong to the API stack of the stage.',
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:identity-prod/*]',
    at: /^identity-prod-access\/diagnostics\/Resource$/,
    why: 'The CodeDeploy application has one deployment group for each function, whose names CloudFormation generates.',
  },
  {
    rule: 'AwsSolutions-SMG4',
    at: /^identity-prod-data\/(Pepper|SlipKey|SandboxKey|Registry-[a-z]+)\/Resource$/,
    why: 'The operator rotates secrets (docs/security.md): a pepper must keep its predecessor as long as log rows use it, and providers issue credentials manually.',
  },
];

test('the stacks follow the AWS Solutions rules, except for documented exceptions', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rules-'));
  const bundle = join(directory, 'bundle');
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'index.cjs'), '');
  const app = buildApp({
    outdir: join(directory, 'out'),
    context: context({ stage: 'prod' }),
    bundles: new Map(FUNCTION_NAMES.map((name) => [name, bundle])),
    builtinCloudFormationValidation: false,
  });
  app.synth();
  const { violations } = new AwsSolutionsChecks().validateScope(app);
  rmSync(directory, { recursive: true });
  const findings = violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, at: constructPath })),
  );
  const covers = ({ rule, at }: Exception, finding: { rule: string; at: string }) =>
    finding.rule === rule && at.test(finding.at);

  expect(findings.length).toBeGreaterThan(50);
  expect(findings.filter((finding) => !EXCEPTIONS.some((one) => covers(one, finding)))).toEqual([]);
  expect(EXCEPTIONS.filter((one) => !findings.some((finding) => covers(one, finding)))).toEqual([]);
  for (const { why } of EXCEPTIONS) expect(why.length).toBeGreaterThan(40);
}, 120_000);
