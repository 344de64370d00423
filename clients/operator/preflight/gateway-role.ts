import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { CLIENT_SETTINGS, call, callUnless } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/** The role that the fix creates. It belongs to the account, not to a stage. */
const NEW_ROLE = 'apigateway-cloudwatch-logs';
const TRUST = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
  ],
};

/**
 * Checks the role that API Gateway uses to write the access log. It is one setting for all APIs of the account in the
 * region. The API stack sets it, and a later deployment of any stack can replace it with a role that is deleted with
 * that stack. Without the role, requests work, but the access log and the alarms on it stop.
 */
export async function checkGatewayRole({ account, region, stacks, config }: World): Promise<Row[]> {
  const check = 'gateway role';
  const gateway = new APIGatewayClient({ ...CLIENT_SETTINGS, region });
  const { cloudwatchRoleArn } = await call('apigateway:GET', () => gateway.send(new GetAccountCommand()));
  const name = cloudwatchRoleArn?.split('/').at(-1);
  const problem = await problemOf(name, region);
  if (!problem) return [ok(check, `API Gateway writes logs with the role ${name}.`)];
  if (!(await stacks.describe('api')))
    return [
      notYet(
        check,
        `${problem} The deployment sets a new one.`,
        `npm run deploy -- -c stage=${config.stage}`,
      ),
    ];
  return [
    fault(
      check,
      `${problem} API Gateway writes no access log, and the alarms on it cannot fire.`,
      `aws iam create-role --role-name ${NEW_ROLE} --assume-role-policy-document '${JSON.stringify(TRUST)}'`,
      `aws iam attach-role-policy --role-name ${NEW_ROLE} --policy-arn arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`,
      `aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=arn:aws:iam::${account}:role/${NEW_ROLE} --region ${region}`,
    ),
  ];
}

async function problemOf(RoleName: string | undefined, region: string): Promise<string | undefined> {
  if (!RoleName) return 'API Gateway has no role for CloudWatch Logs in this account and region.';
  const iam = new IAMClient({ ...CLIENT_SETTINGS, region });
  const found = await callUnless(['NoSuchEntity', 'NoSuchEntityException'], 'iam:GetRole', () =>
    iam.send(new GetRoleCommand({ RoleName })),
  );
  if (!found) return `API Gateway's role for CloudWatch Logs, ${RoleName}, was deleted.`;
  const trust = decodeURIComponent(found.Role?.AssumeRolePolicyDocument ?? '');
  if (trust.includes('apigateway.amazonaws.com')) return undefined;
  return `API Gateway cannot assume its role for CloudWatch Logs: ${RoleName} does not trust it.`;
}
