import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CloudFormationClient, DeleteStackCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Row } from '../../../clients/operator/preflight/rows.ts';
import { signedFetch } from '../../../clients/operator/signed-fetch.ts';
import { CONSOLE_SETTINGS } from '../../infra/console.ts';
import { run } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Deployment } from './check-deployment.ts';
import type { Stacks } from './stacks.ts';

const DATA = 'identity-prod-data';

/**
 * Deploys prod before SES has verified the email domain of the console: the data stack fails. Cleans up as the preflight
 * says, and lets SES verify the domain.
 */
export async function checkFirstFailure(deployment: Deployment, stacks: Stacks): Promise<void> {
  await assert.rejects(stacks.deploy(deployment.first));
  assert.equal(await stacks.stateOf(DATA), 'ROLLBACK_COMPLETE');
  const left = await tablesOf(deployment);
  assert.ok(left.length > 0);

  await stacks.liftProtection(DATA);
  await new CloudFormationClient(deployment.settings).send(new DeleteStackCommand({ StackName: DATA }));
  const found = await orphans(deployment);
  assert.equal(found.state, 'finding');
  for (const table of left) assert.ok(found.finding.includes(table), found.finding);
  assert.deepEqual(await tablesOf(deployment), left);
  assert.match((await orphans(deployment, '--delete-orphans')).finding, /^Deleted/);
  assert.deepEqual(await tablesOf(deployment), []);
  deployment.say(`a first data stack fails, and its ${left.length} empty tables are found and deleted`);
  await verifyDomain(deployment);
}

/** Without an SDK client, because nothing else needs one for SES. */
async function verifyDomain({ settings }: Deployment): Promise<void> {
  const form = { Action: 'VerifyDomainIdentity', Domain: CONSOLE_SETTINGS.domain.hostedZone.name };
  const response = await signedFetch(
    {
      method: 'POST',
      url: new URL(settings.endpoint),
      service: 'ses',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ ...form, Version: '2010-12-01' })),
    },
    new DynamoDBClient(settings).config,
  );
  assert.ok(response.ok, await response.text());
}

async function orphans({ environment }: Deployment, ...options: string[]): Promise<Row> {
  const program = [join(ROOT, 'clients/operator/preflight.ts'), '--stage', 'prod', '--json', ...options];
  const { output } = await run(process.execPath, program, { cwd: ROOT, env: environment });
  const rows = JSON.parse(output.slice(output.indexOf('['))) as Row[];
  const row = rows.find(({ check }) => check === 'orphans');
  if (!row) throw new Error(`The preflight did not check for orphans: ${output}`);
  return row;
}

async function tablesOf({ settings }: Deployment): Promise<string[]> {
  const { TableNames = [] } = await new DynamoDBClient(settings).send(new ListTablesCommand({}));
  return TableNames;
}
