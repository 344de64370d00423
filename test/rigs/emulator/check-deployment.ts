import assert from 'node:assert/strict';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { StageConfig } from '../../../infra/config.ts';
import { shardKey } from '../../../shared/core/keys.ts';
import type { Change } from './assemblies.ts';
import { checkCopies } from './check-copies.ts';
import { checkDestroy } from './check-destroy.ts';
import { checkFirstFailure } from './check-first-failure.ts';
import { checkFirstRun } from './check-first-run.ts';
import { checkRestore } from './check-restore.ts';
import { checkSettings } from './check-settings.ts';
import type { Emulator } from './emulator.ts';
import { type Version, versionOf } from './lambda-versions.ts';
import { createOrganisation, reconcile, viewWallet } from './operate.ts';
import { type Stacks, stacksOf } from './stacks.ts';

export interface Deployment extends Emulator {
  /** Directory of the synthesised app of prod. */
  readonly first: string;
  /** Directory of the synthesised app of dev. */
  readonly dev: string;
  /** Synthesises prod with a change, under another name. Returns the directory. */
  readonly change: (name: string, change: Change) => Promise<string>;
  readonly say: (message: string) => void;
}

const DATA = 'identity-prod-data';
const OTHERS = ['access', 'operations', 'operators', 'console', 'webhooks', 'api', 'api-functions'].map(
  (part) => `identity-prod-${part}`,
);

/**
 * Creates, redeploys, uses, updates, deletes and recovers the stacks, and restores their tables. Throws at the first
 * failure.
 */
export async function checkDeployment(deployment: Deployment): Promise<void> {
  const stacks = stacksOf(deployment);
  await stacks.bootstrap();
  await checkFirstFailure(deployment, stacks);
  await checkCreation(deployment, stacks);
  await checkCopies(deployment, stacks);
  await checkFirstRun(deployment);
  await checkDestroy(deployment, stacks);
  const early = await createOrganisation(deployment, 'Bank of the First Version');
  await checkWallet(deployment, early);
  deployment.say(
    'an organisation, a key and credits are created, and the reconciliation finds no difference',
  );

  await checkUpdate(deployment, stacks);
  await checkWallet(deployment, early);
  const late = await createOrganisation(deployment, 'Bank of the Second Version');
  await checkWallet(deployment, late);
  deployment.say("the tables keep their rows, and the operator's commands work");

  const ownTable = await stacks.outputOf(DATA, 'WalletsTable');
  const { switched, restoredTables } = await checkRestore(deployment, stacks, late);
  await checkSettings(deployment, stacks, { restoredTables });
  const pepper = await checkDeletion(deployment, stacks, switched, async (client) => {
    assert.equal(await availableIn(client, ownTable, late), 999);
    assert.equal(await availableIn(client, restoredTables.Wallets, late), 32);
  });
  await checkRecovery(deployment, stacks, restoredTables, { pepper, organisation: late });
}

async function checkCreation({ first, say }: Deployment, stacks: Stacks): Promise<void> {
  await stacks.deploy(first);
  for (const stack of [DATA, ...OTHERS]) {
    assert.equal(await stacks.stateOf(stack), 'CREATE_COMPLETE');
    say(`${stack} is created with ${await stacks.countResources(stack)} resources`);
  }
  const again = await stacks.deploy(first);
  assert.equal(again.match(/\(no changes\)/g)?.length, OTHERS.length + 1, again);
  say('a second deployment changes nothing');
}

async function checkWallet(emulator: Emulator, organisation: string): Promise<void> {
  const expected = { available: 25, closingBalance: 25, references: [`first-${organisation}`] };
  assert.deepEqual(await viewWallet(emulator, organisation), expected);
  const { code, output } = await reconcile(emulator);
  assert.equal(code, 0, output);
}

/** Deploys a different memory size for all functions, and different code for one. */
async function checkUpdate(deployment: Deployment, stacks: Stacks): Promise<void> {
  const both = async (): Promise<(Version | undefined)[]> => [
    await versionOf(deployment, 'api-nin-basic', 'live'),
    await versionOf(deployment, 'api-health', 'live'),
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
  assert.equal((await versionOf(deployment, 'api-nin-basic', '1'))?.CodeSha256, codeBefore?.CodeSha256);
  deployment.say('an update publishes a version of the new code and memory, and the alias serves it');
  await checkDeployNow(deployment, stacks, codeAfter?.CodeSha256);
}

/** Goes back to the first code without a rollout, and then continues with the second as usual. */
async function checkDeployNow(deployment: Deployment, stacks: Stacks, code: string | undefined) {
  const changed = { settings: { functionMemoryMb: 1_024 }, changedFunction: 'nin-basic' };
  const { changedFunction: _, ...repaired } = changed;
  const deployed = async (name: string, change: Change) => {
    await stacks.deploy(await deployment.change(name, change));
    return versionOf(deployment, 'api-nin-basic', 'live');
  };
  const now = await deployed('now', { ...repaired, deployNow: true });
  assert.equal(now?.Version, '3');
  assert.notEqual(now.CodeSha256, code);
  const usual = await deployed('usual', changed);
  assert.deepEqual([usual?.Version, usual?.CodeSha256], ['4', code]);
  deployment.say('a deployment with deployNow serves a new version, and the next one uses the rollout again');
}

async function checkDeletion(
  deployment: Deployment,
  stacks: Stacks,
  assembly: string,
  checkRows: (client: DynamoDBClient) => Promise<void>,
): Promise<string | undefined> {
  const { settings, say } = deployment;
  const secrets = new SecretsManagerClient(settings);
  const SecretId = await stacks.outputOf(DATA, 'PepperSecret');
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  assert.match(SecretString ?? '', /^\{"current": ?"\w{64}"\}$/);

  const refused = await stacks.destroy(assembly, DATA);
  assert.notEqual(refused.code, 0);
  assert.match(refused.output, /TerminationProtection is enabled/);
  assert.match((await stacks.stateOf(DATA)) ?? '', /_COMPLETE$/);
  say('the data stack cannot be deleted while it is protected');
  await stacks.liftProtection(DATA);
  for (const stack of [...OTHERS, DATA]) {
    const { code, output } = await stacks.destroy(assembly, stack);
    assert.equal(code, 0, output);
    await assert.rejects(stacks.stateOf(stack), /does not exist/);
  }
  assert.equal(await versionOf(deployment, 'api-nin-basic', 'live'), undefined);
  await checkRows(new DynamoDBClient(settings));
  assert.equal((await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString, SecretString);
  say('all stacks are deleted, once the protection is removed; tables and secrets remain');
  return SecretString;
}

/** Deploys a new data stack that uses the tables of the deleted one (docs/operate/data-stack-deleted.md). */
async function checkRecovery(
  deployment: Deployment,
  stacks: Stacks,
  restoredTables: NonNullable<StageConfig['restoredTables']>,
  { pepper, organisation }: { readonly pepper: string | undefined; readonly organisation: string },
): Promise<void> {
  await stacks.deploy(await deployment.change('recovered', { settings: { restoredTables } }));
  const secrets = new SecretsManagerClient(deployment.settings);
  const SecretId = await stacks.outputOf(DATA, 'PepperSecret');
  assert.notEqual((await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString, pepper);
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: pepper }));
  assert.equal(await stacks.outputOf(DATA, 'WalletsTable'), restoredTables.Wallets);
  assert.equal((await viewWallet(deployment, organisation)).available, 32);
  const { code, output } = await reconcile(deployment);
  assert.equal(code, 0, output);
  deployment.say("a new data stack uses the tables of the deleted one, and the operator's commands work");
}

async function availableIn(client: DynamoDBClient, TableName: string, organisationId: string) {
  const Key = marshall(shardKey({ env: 'live', organisationId }, 0));
  const { Item } = await client.send(new GetItemCommand({ TableName, Key }));
  return Number(Item?.['available']?.N);
}
