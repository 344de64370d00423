import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { AwsSolutionsChecks } from 'cdk-nag';
import { buildApp } from '../../infra/app.ts';
import { FUNCTION_NAMES } from '../../infra/routes.ts';
import { context } from './synthesis.ts';

/** The AWS Solutions rules of cdk-nag over all stacks as they are deployed to production. */

interface Exception {
  readonly rule: string;
  /** Where in the app. */
  readonly at: RegExp;
  readonly why: string;
}

/** What we do otherwise than a rule says, and why. An exception that nothing needs any more fails the test. */
const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'AwsSolutions-APIG4',
    at: /^identity-prod-api\/Api\/Default\//,
    why: 'The functions check the API key themselves, strongly consistent and uncached, so that a revoked key is refused at once (decision B4); an authorizer would be one more call, or a cache.',
  },
  {
    rule: 'AwsSolutions-COG4',
    at: /^identity-prod-api\/Api\/Default\//,
    why: 'Callers are servers with API keys. There are no users to log in.',
  },
  {
    rule: 'AwsSolutions-APIG2',
    at: /^identity-prod-api\/Api\/Resource$/,
    why: 'Bodies are checked by the functions, which answer in the documented envelope and in the documented order of checks; API Gateway knows neither duplicate keys nor 4,096 bytes.',
  },
  {
    rule: 'AwsSolutions-APIG6',
    at: /^identity-prod-api\/Api\/DeploymentStage/,
    why: 'Execution logs of API Gateway hold paths, headers and bodies, and so keys and identity data. The access log has named, harmless fields instead.',
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    at: /^identity-prod-api\/Api\/CloudWatchRole\//,
    why: 'The one role of an account with which API Gateway writes any log, as AWS documents it.',
  },
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    at: /^identity-prod-api\/Rollout\//,
    why: "CodeDeploy's own policy for Lambda aliases, in its limited form.",
  },
  {
    rule: 'AwsSolutions-IAM5[Resource::*]',
    at: /^identity-prod-api\/[a-z-]+-role\/Resource$/,
    why: 'X-Ray knows no resources: its two writing actions, and nothing else, are allowed on all (test/infra/access.test.ts).',
  },
  {
    rule: 'AwsSolutions-SMG4',
    at: /^identity-prod-data\/(Pepper|SlipKey|SandboxKey|Registry-[a-z]+)\/Resource$/,
    why: "Rotation is the operator's act (docs/security.md): a pepper must keep its predecessor while log rows of it live, and providers hand out their credentials by hand.",
  },
];

test('the stacks keep the AWS Solutions rules, but for what is explained', () => {
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
  const explains = ({ rule, at }: Exception, finding: { rule: string; at: string }) =>
    finding.rule === rule && at.test(finding.at);

  expect(findings.length).toBeGreaterThan(50);
  expect(findings.filter((finding) => !EXCEPTIONS.some((one) => explains(one, finding)))).toEqual([]);
  expect(EXCEPTIONS.filter((one) => !findings.some((finding) => explains(one, finding)))).toEqual([]);
  for (const { why } of EXCEPTIONS) expect(why.length).toBeGreaterThan(40);
}, 120_000);
