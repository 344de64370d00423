import assert from 'node:assert/strict';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { mustRun, run } from '../support/programs.ts';
import type { Emulator } from './emulator.ts';

export interface Deployment extends Emulator {
  /** The synthesized app, and the same with a change. */
  readonly first: string;
  readonly changed: string;
  readonly say: (words: string) => void;
}

const ROOT = join(import.meta.dirname, '../..');
const STACKS = ['identity-prod-data', 'identity-prod-api', 'identity-prod-operations'];

/** Create, again, operate, update, delete: throws at the first thing that is not as it should be. */
export async function checkDeployment(deployment: Deployment): Promise<void> {
  const { environment, account, region, first, changed, say } = deployment;
  const options = { cwd: ROOT, env: environment };
  const client = new CloudFormationClient({
    endpoint: environment['AWS_ENDPOINT_URL'] ?? '',
    region,
    credentials: { accessKeyId: 'made-up', secretAccessKey: 'made-up' },
  });
  // Direct: moto loses the outputs of stacks that are made through a change set.
  const deploy = (assembly: string) =>
    mustRun(
      'cdk',
      ['deploy', '--all', '--app', assembly, '--method', 'direct', '--require-approval', 'never'],
      options,
    );
  const stateOf = async (StackName: string) => {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0]?.StackStatus;
  };

  await mustRun('cdk', ['bootstrap', `aws://${account}/${region}`], options);
  await deploy(first);
  for (const StackName of STACKS) {
    assert.equal(await stateOf(StackName), 'CREATE_COMPLETE');
    const { StackResourceSummaries = [] } = await client.send(new ListStackResourcesCommand({ StackName }));
    say(`${StackName} is created with ${StackResourceSummaries.length} resources`);
  }
  assert.deepEqual(deployment.passedOver(), []);

  const again = await deploy(first);
  assert.equal(again.match(/\(no changes\)/g)?.length, STACKS.length, again);
  say('a second deployment changes nothing');

  const organisation = await operate(deployment);
  say('the operator makes an organisation, a key and credit, and the books agree');

  await deploy(changed);
  assert.equal(await stateOf('identity-prod-api'), 'UPDATE_COMPLETE');
  assert.equal(await balanceOf(deployment, organisation), 25);
  say('an update leaves what the tables hold');

  const destroy = (stack: string) =>
    run('cdk', ['destroy', stack, '--app', changed, '--force', '--exclusively'], options);
  const refused = await destroy('identity-prod-data');
  assert.notEqual(refused.code, 0);
  assert.match(refused.words, /TerminationProtection is enabled/);
  say('the data stack refuses to be deleted');
  for (const stack of ['identity-prod-operations', 'identity-prod-api']) {
    const { code, words } = await destroy(stack);
    assert.equal(code, 0, words);
    await assert.rejects(stateOf(stack), /does not exist/);
  }
  assert.equal(await balanceOf(deployment, organisation), 25);
  say('API and operations are deleted, and the tables keep what they hold');
}

async function admin<T>({ environment }: Emulator, ...args: string[]): Promise<T> {
  const program = [join(ROOT, 'infra/admin/main.ts'), '--stage', 'prod', '--json', ...args];
  return JSON.parse(await mustRun(process.execPath, program, { cwd: ROOT, env: environment })) as T;
}

/** The new organisation's id. */
async function operate(emulator: Emulator): Promise<string> {
  const { id } = await admin<{ id: string }>(emulator, 'org', 'create', 'Emulated Bank');
  await admin(emulator, 'org', 'approve', id);
  await admin(emulator, 'service', 'enable', id, 'NIN');
  await admin(emulator, 'wallet', 'top-up', id, '25', '--env', 'live', '--reference', 'first');
  const made = await admin<object>(emulator, 'key', 'create', id, '--env', 'live', '--label', 'till');
  assert.match(JSON.stringify(made), /idv_live_/);
  assert.equal(await balanceOf(emulator, id), 25);
  const { differences } = await admin<{ differences: unknown[] }>(emulator, 'reconcile');
  assert.deepEqual(differences, []);
  return id;
}

async function balanceOf(emulator: Emulator, organisation: string): Promise<number> {
  const { wallets } = await admin<{ wallets: { available: number }[] }>(
    emulator,
    ...['wallet', 'balance', organisation, '--env', 'live'],
  );
  return wallets[0]?.available ?? Number.NaN;
}
