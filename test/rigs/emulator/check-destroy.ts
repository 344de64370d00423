import assert from 'node:assert/strict';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Deployment } from './check-deployment.ts';
import { destroyDev } from './operate.ts';
import type { Stacks } from './stacks.ts';

/** Deploys dev next to prod and destroys it. Prod must not change, and nothing of dev may remain. */
export async function checkDestroy(deployment: Deployment, stacks: Stacks): Promise<void> {
  const before = await namesIn(deployment);
  await stacks.deploy(deployment.dev);
  const added = (await namesIn(deployment)).filter((name) => !before.includes(name));
  assert.equal(added.filter((name) => name.startsWith('stack identity-dev-')).length, 4);
  assert.equal(added.filter((name) => name.startsWith('table ')).length, 7);
  for (const kind of ['secret', 'log group']) assert.ok(added.some((name) => name.startsWith(kind)));

  const { code, output } = await destroyDev(deployment);
  assert.equal(code, 0, output);
  assert.deepEqual(await namesIn(deployment), before);
  const again = await destroyDev(deployment);
  assert.equal(again.code, 0, again.output);
  assert.match(again.output, /^Found no resources of the dev stage in the account 123456789012/m);
  deployment.say(
    `a dev stage beside prod is destroyed with its ${added.length} resources; prod keeps its own`,
  );
}

/**
 * Returns the stacks, tables, secrets and log groups in the account. A secret whose deletion is scheduled is not
 * listed.
 */
async function namesIn({ settings }: Deployment): Promise<string[]> {
  const { Stacks = [] } = await new CloudFormationClient(settings).send(new DescribeStacksCommand());
  const { TableNames = [] } = await new DynamoDBClient(settings).send(new ListTablesCommand());
  const { SecretList = [] } = await new SecretsManagerClient(settings).send(new ListSecretsCommand());
  const logGroups: (string | undefined)[] = [];
  for await (const page of paginateDescribeLogGroups({ client: new CloudWatchLogsClient(settings) }, {}))
    logGroups.push(...(page.logGroups ?? []).map(({ logGroupName }) => logGroupName));
  return [
    ...Stacks.map(({ StackName }) => `stack ${StackName}`),
    ...TableNames.map((name) => `table ${name}`),
    ...SecretList.map(({ ARN }) => `secret ${ARN}`),
    ...logGroups.map((name) => `log group ${name}`),
  ].sort();
}
