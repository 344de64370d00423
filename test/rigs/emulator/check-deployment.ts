import assert from 'node:assert/strict';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { marshall } from '@aws-sdk/util-dynamodb';
import { shardKey } from '../../../shared/core/keys.ts';
import type { Change } from './assemblies.ts';
import { checkRestore } from './check-restore.ts';
import type { Emulator } from './emulator.ts';
import { type Version, versionOf } from './lambda-versions.ts';
import { booksOf, makeOrganisation, reconcile } from './operate.ts';
import { type Stacks, stacksOf } from './stacks.ts';

export interface Deployment extends Emulator {
  /** The synthesized app of prod. */
  readonly first: string;
  /** Synthesizes it with a change, under a name of its own. */
  readonly change: (name: string, change: Change) => Promise<string>;
  readonly say: (message: string) => void;
}

const DATA = 'identity-prod-data';
const OTHERS = ['identity-prod-operations', 'identity-prod-api'];

/** Create, again, operate, update, restore, delete: throws at the first thing that is not as it should be. */
export async function checkDeployment(deployment: Deployment): Promise<void> {
  const stacks = stacksOf(deployment);
  await checkCreation(deployment, stacks);
  const early = await makeOrganisation(deployment, 'Bank of the First Version');
  await checkBooks(deployment, early);
  deployment.say('the operator makes an organisation, a key and credit, and the books agree');

  await checkUpdate(deployment, stacks);
  await checkBooks(deployment, early);
  const late = await makeOrganisation(deployment, 'Bank of the Second Version');
  await checkBooks(deployment, late);
  deployment.say('the tables hold what they held, and the operator goes on');

  const ownTable = await stacks.outputOf(DATA, 'WalletsTable');
  const { switched, restoredTables } = await checkRestore(deployment, stacks, late);
  await checkDeletion(deployment, stacks, switched, async (client) => {
    assert.equal(await availableIn(client, ownTable, late), 999);
    assert.equal(await availableIn(client, restoredTables.Wallets, late), 32);
  });
}

async function checkCreation({ first, passedOver, say }: Deployment, stacks: Stacks): Promise<void> {
  await stacks.bootstrap();
  await stacks.deploy(first);
  for (const stack of [DATA, ...OTHERS]) {
    assert.equal(await stacks.stateOf(stack), 'CREATE_COMPLETE');
    say(`${stack} is created with ${await stacks.countResources(stack)} resources`);
  }
  assert.deepEqual(passedOver(), []);
  const again = await stacks.deploy(first);
  assert.equal(again.match(/\(no changes\)/g)?.length, 3, again);
  say('a second deployment changes nothing');
}

async function checkBooks(emulator: Emulator, organisation: string): Promise<void> {
  const books = { available: 25, closingBalance: 25, references: ['first'] };
  assert.deepEqual(await booksOf(emulator, organisation), books);
  const { code, output } = await reconcile(emulator);
  assert.equal(code, 0, output);
}

/** Another memory size for all functions, and another code for one. */
async function checkUpdate(deployment: Deployment, stacks: Stacks): Promise<void> {
  const both = async (): Promise<(Version | undefined)[]> => [
    await versionOf(deployment, 'nin-basic', 'live'),
    await versionOf(deployment, 'health', 'live'),
  ];
  const [codeBefore, sameBefore] = await both();
  assert.deepEqual([codeBefore?.Version, codeBefore?.MemorySize], ['1', 512]);
  const change = { settings: { functionMemoryMb: 1_024 }, changedFunction: 'nin-basic' };
  await stacks.deploy(await deployment.change('changed', change));
  assert.equal(await stacks.stateOf('identity-prod-api'), 'UPDATE_COMPLETE');
  const [codeAfter, sameAfter] = await both();
  assert.deepEqual([codeAfter?.Version, codeAfter?.MemorySize], ['2', 1_024]);
  assert.deepEqual([sameAfter?.Version, sameAfter?.MemorySize], ['2', 1_024]);
  assert.notEqual(codeAfter?.CodeSha256, codeBefore?.CodeSha256);
  assert.equal(sameAfter?.CodeSha256, sameBefore?.CodeSha256);
  assert.equal(await versionOf(deployment, 'nin-basic', '1'), undefined);
  deployment.say('an update publishes a version of the new code and memory, and the alias serves it');
}

async function checkDeletion(
  deployment: Deployment,
  stacks: Stacks,
  assembly: string,
  checkRows: (client: DynamoDBClient) => Promise<void>,
): Promise<void> {
  const { settings, say } = deployment;
  const secrets = new SecretsManagerClient(settings);
  const SecretId = await stacks.outputOf(DATA, 'PepperSecret');
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  assert.match(SecretString ?? '', /^\{"current": ?"\w{64}"\}$/);

  const refused = await stacks.destroy(assembly, DATA);
  assert.notEqual(refused.code, 0);
  assert.match(refused.output, /TerminationProtection is enabled/);
  assert.match((await stacks.stateOf(DATA)) ?? '', /_COMPLETE$/);
  say('the data stack refuses to be deleted');
  await stacks.liftProtection(DATA);
  for (const stack of [...OTHERS, DATA]) {
    const { code, output } = await stacks.destroy(assembly, stack);
    assert.equal(code, 0, output);
    await assert.rejects(stacks.stateOf(stack), /does not exist/);
  }
  assert.equal(await versionOf(deployment, 'nin-basic', 'live'), undefined);
  await checkRows(new DynamoDBClient(settings));
  assert.equal((await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString, SecretString);
  say(
    'all stacks are deleted, the protected one once that is lifted; tables and secrets keep what they hold',
  );
}

async function availableIn(client: DynamoDBClient, TableName: string, organisationId: string) {
  const Key = marshall(shardKey({ env: 'live', organisationId }, 0));
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }));
  return Number(Item?.['available']?.N);
}
