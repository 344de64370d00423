import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { StageConfig } from '../config.ts';
import { mailStatement } from './console-access.ts';
import { mailIdentityArn } from './member-pool.ts';
import { OPERATOR_PROFILES, type OperatorRole } from './operator-profiles.ts';

/** Returns the permissions of an operator role, except those for tables and secrets. */
export function operatorStatements(stack: Stack, config: StageConfig, name: OperatorRole): PolicyStatement[] {
  return [...exports(stack, config, name), ...mail(stack, config, name)];
}

/** `month close --all` stores the month's reports in a bucket. The role can neither read nor list the bucket. */
function exports(stack: Stack, { money }: StageConfig, name: OperatorRole): PolicyStatement[] {
  if (name !== 'finance' || !money?.exportBucket) return [];
  const reports = `arn:${stack.partition}:s3:::${money.exportBucket}/reports/*`;
  const ownAccount = { StringEquals: { 'aws:ResourceAccount': stack.account } };
  return [new PolicyStatement({ actions: ['s3:PutObject'], resources: [reports], conditions: ownAccount })];
}

/** `member invite` sends an email. */
function mail(stack: Stack, { console: config }: StageConfig, name: OperatorRole): PolicyStatement[] {
  if (!config || !OPERATOR_PROFILES[name].sendsMail) return [];
  return [mailStatement(config, mailIdentityArn(stack, config.mailFrom))];
}
