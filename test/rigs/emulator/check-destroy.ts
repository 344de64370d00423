import assert from 'node:assert/strict';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Deployment } from './check-deployment.ts';
import type { Stacks } from './stacks.ts';

/** Deploys dev next to prod and destroys it. Prod must not change, and nothing of dev may remain. */
export async function checkDestroy(deployment: Deployment, stacks: Stacks): Promise<void> {
  const before = await namesIn(deployment);
  await stacks.deploy(deployment.dev);
  const added = (await namesIn(deployment)).filter((name) => !before.includes(name));
  assert.equal(added.filter((name) => name.startsWith('stack identity-dev-')).length, 6);
  assert.equal(added.filter((name) => name.startsWith('table ')).length, 7);
  assert.ok(added.some((name) => name.startsWith('secret ')));

  // The stacks that `npm run destroy` names.
  const { code, output } = await stacks.destroy(deployment.dev, 'identity-dev-*');
  assert.equal(code, 0, output);
  assert.deepEqual(await namesIn(deployment), before);
  deployment.say(
    `a dev stage beside prod is destroyed with its ${added.length} resources; prod keeps its own`,
  );
}

async function namesIn({ settings }: Deployment): Promise<string[]> {
  const { Stacks = [] } = await new CloudFormationClient(settings).send(new DescribeStacksCommand());
  const { TableNames = [] } = await new DynamoDBClient(settings).send(new ListTablesCommand());
  const { SecretList = [] } = await new SecretsManagerClient(settings).send(new ListSecretsCommand());
  return [
    ...Stacks.map(({ StackName }) => `stack ${StackName}`),
    ...TableNames.map((name) => `table ${name}`),
    ...SecretList.map(({ ARN }) => `secret ${ARN}`),
  ].sort();
}
