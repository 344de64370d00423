import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deletionOrder } from '../../clients/operator/delete-stage.ts';
import { destroyProgram } from '../../clients/operator/destroy-program.ts';
import type { AwsDouble } from '../support/aws-doubles.ts';
import { BASE_ENVIRONMENT, type ProgramResult, run } from '../support/programs.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { exitCodeOf, runInProcess } from './run-in-process.ts';
import { type Account, startAccount } from './stage-double.ts';

/** `npm run destroy` deletes the dev stage, in an account that also has prod and resources of others. */

const DEV = { service: 'identity-verification', stage: 'dev' };
const PROD = { service: 'identity-verification', stage: 'prod' };
const WALLETS = 'identity-dev-data-Wallets-1';
const RESTORED = 'identity-dev-data-Wallets-1-at-20261121T120000000Z';

function newAccount(): Account {
  return {
    stacks: [
      {
        name: 'identity-dev-data',
        tags: DEV,
        createdAt: '2026-11-01T10:00:00Z',
        isProtected: true,
        exports: ['identity-dev-data:Wallets'],
      },
      {
        name: 'identity-dev-routes',
        tags: DEV,
        createdAt: '2026-11-01T10:05:00Z',
        imports: ['identity-dev-data:Wallets', 'identity-dev-api:Api'],
      },
      // Newer than a stack that imports from it, as if an update of that stack had added the import.
      {
        name: 'identity-dev-api',
        tags: DEV,
        createdAt: '2026-11-01T10:10:00Z',
        exports: ['identity-dev-api:Api'],
        imports: ['identity-dev-data:Wallets'],
      },
      { name: 'identity-prod-data', tags: PROD, createdAt: '2026-11-01T09:00:00Z', isProtected: true },
      { name: 'identity-dev-experiment', tags: { owner: 'ada' }, createdAt: '2026-11-02T09:00:00Z' },
    ],
    tables: new Map([
      [WALLETS, { tags: DEV, isProtected: true }],
      [RESTORED, { tags: DEV, isProtected: true }],
      ['identity-dev-data-copy', { tags: {}, isProtected: false }],
      ['identity-prod-data-Wallets-1', { tags: PROD, isProtected: true }],
    ]),
    secrets: new Map([
      ['arn:dev-pepper', { tags: DEV }],
      ['arn:prod-pepper', { tags: PROD }],
      ['arn:another', { tags: {} }],
    ]),
    keys: new Map([
      ['dev-key', { tags: DEV }],
      ['prod-key', { tags: PROD }],
      ['key-of-others', { tags: { denied: 'yes' } }],
    ]),
    userPools: new Map([
      ['eu-west-1_Dev', { tags: DEV, isProtected: true }],
      ['eu-west-1_Prod', { tags: PROD, isProtected: true }],
    ]),
    logGroups: new Map([
      ['identity-dev-api-log-1', { tags: DEV }],
      ['identity-prod-api-log-1', { tags: PROD }],
    ]),
    changes: [],
  };
}

let account: Account;
let aws: AwsDouble;
beforeEach(async () => {
  account = newAccount();
  aws = await startAccount(account);
});
afterEach(() => aws.close());

const environment = () => ({
  ...BASE_ENVIRONMENT,
  AWS_ENDPOINT_URL: aws.url,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
  AWS_REGION: 'eu-west-1',
});

/** Runs the program in its own process, whose stdin is not a terminal. */
const destroyOnItsOwn = (...args: string[]): Promise<ProgramResult> =>
  run(process.execPath, ['clients/operator/destroy.ts', ...args], { env: environment() });

const program = exitCodeOf(destroyProgram);
/** Runs the program in this process. */
async function destroy(...args: string[]): Promise<ProgramResult> {
  const { code, stdout, stderr } = await runInProcess(args, { environment: environment(), program });
  return { code: Number(code), output: stdout + stderr };
}

const ALL_CHANGES = [
  'DeleteStack identity-dev-routes',
  'DeleteStack identity-dev-api',
  'UpdateTerminationProtection identity-dev-data',
  'DeleteStack identity-dev-data',
  `UpdateTable ${WALLETS}`,
  `UpdateTable ${RESTORED}`,
  `DeleteTable ${WALLETS}`,
  `DeleteTable ${RESTORED}`,
  'DeleteSecret arn:dev-pepper',
  'ScheduleKeyDeletion dev-key',
  'UpdateUserPool eu-west-1_Dev',
  'DeleteUserPool eu-west-1_Dev',
  'DeleteLogGroup identity-dev-api-log-1',
];

/** One change from each step. */
const INTERRUPTED = [
  'DeleteStack identity-dev-api',
  'DeleteStack identity-dev-data',
  `DeleteTable ${WALLETS}`,
  'DeleteSecret arn:dev-pepper',
  'ScheduleKeyDeletion dev-key',
  'DeleteUserPool eu-west-1_Dev',
];

/** Asserts that all resources without the tags of the stage remain unchanged. */
function expectOthersUntouched(): void {
  expect(account.stacks.filter(({ status }) => !status).map(({ name }) => name)).toEqual([
    'identity-prod-data',
    'identity-dev-experiment',
  ]);
  expect([...account.tables]).toEqual([
    ['identity-dev-data-copy', { tags: {}, isProtected: false }],
    ['identity-prod-data-Wallets-1', { tags: PROD, isProtected: true }],
  ]);
  for (const kept of [account.secrets.get('arn:prod-pepper'), account.keys.get('prod-key')])
    expect(kept).toEqual({ tags: PROD });
  expect([...account.userPools]).toEqual([['eu-west-1_Prod', { tags: PROD, isProtected: true }]]);
  expect([...account.logGroups.keys()]).toEqual(['identity-prod-api-log-1']);
}

describe('destroy', () => {
  test('deletes each stack before the stacks that it imports from, then what they retain, and nothing else', async () => {
    const { code, output } = await destroyOnItsOwn('--stage', 'dev', '--yes', 'dev');

    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('CDKToolkit') });
    expect(account.changes.toSorted()).toEqual(ALL_CHANGES.toSorted());
    expect(account.changes.slice(0, 4)).toEqual(ALL_CHANGES.slice(0, 4));
    expect(account.secrets.get('arn:dev-pepper')?.scheduledDays).toBe(7);
    expect(account.keys.get('dev-key')?.scheduledDays).toBe(7);
    expectOthersUntouched();
    expect(output).toContain(
      'Not deleted, because they do not have the tags of the stage: identity-dev-experiment, identity-dev-data-copy\n',
    );
    expect(output).toMatch(/^stack {6}identity-dev-routes +now\nstack {6}identity-dev-api +now\n/m);
    expect(output).toContain('Deleted the dev stage in the account 123456789012 and the region eu-west-1.\n');
  });

  test('names every kind of resource that it leaves behind', async () => {
    const { output } = await destroy('--stage', 'dev', '--yes', 'dev');
    const [, remains = ''] = output.split('Not deleted, because they belong to the account');
    // infra/constructs/api/api-domain.ts retains certificates, and infra/stacks/delivery-stack.ts retains the identity
    // provider.
    for (const kept of ['role that API Gateway uses', 'CDKToolkit', 'identity provider', 'certificates'])
      expect(remains).toContain(kept);
  });

  test.each(isComplete ? INTERRUPTED : randomCases(INTERRUPTED, 2))(
    'continues after an interruption of %s',
    async (change) => {
      account.failsOnce = change;
      const interrupted = await destroy('--stage', 'dev', '--yes', 'dev');
      expect(interrupted).toEqual({ code: 1, output: expect.stringContaining(`${change} was interrupted`) });

      expect((await destroy('--stage', 'dev', '--yes', 'dev')).code).toBe(0);
      expect([...new Set(account.changes)].toSorted()).toEqual(ALL_CHANGES.toSorted());
      expectOthersUntouched();
    },
  );

  test('finds nothing after it has completed, and changes nothing', async () => {
    await destroy('--stage', 'dev', '--yes', 'dev');
    account.changes.length = 0;

    const { code, output } = await destroy('--stage', 'dev', '--yes', 'dev');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('Found no resources of the dev stage in the account 123456789012'),
    });
    expect(account.changes).toEqual([]);
  });

  test.each([
    ['prod', ['--stage', 'prod', '--yes', 'prod'], 'Only dev can be deleted with this command.'],
    ['staging', ['--stage', 'staging', '--yes', 'staging'], 'Only dev can be deleted with this command.'],
    ['local', ['--stage', 'local', '--yes', 'local'], 'Only dev can be deleted with this command.'],
    ['no stage', ['--yes', 'dev'], "required option '--stage <stage>' not specified"],
    [
      'a different confirmation',
      ['--stage', 'dev', '--yes', 'prod'],
      '`--yes` must repeat the name of the stage',
    ],
  ])('with %s, deletes nothing', async (_, args, message) => {
    expect(await destroy(...args)).toEqual({ code: 1, output: expect.stringContaining(message) });
    expect(account.changes).toEqual([]);
  });

  test('without confirmation and without a terminal, deletes nothing', async () => {
    expect(await destroyOnItsOwn('--stage', 'dev')).toEqual({
      code: 1,
      output: expect.stringContaining(
        'Delete the dev stage in the account 123456789012 and the region eu-west-1, with all of its data? ' +
          'Confirmation is required, but there is no terminal: pass `--yes dev`.',
      ),
    });
    expect(account.changes).toEqual([]);
  });

  test('does not wait for a deployment in progress, and names its stack', async () => {
    for (const stack of account.stacks)
      if (stack.name === 'identity-dev-api') stack.status = 'UPDATE_IN_PROGRESS';
    expect(await destroy('--stage', 'dev', '--yes', 'dev')).toEqual({
      code: 1,
      output: expect.stringContaining(
        'error: CloudFormation is working on identity-dev-api (UPDATE_IN_PROGRESS). Wait until it has finished, and run the command again. Nothing was deleted.',
      ),
    });
    expect(account.changes).toEqual([]);
  });

  test('prints the reason if CloudFormation cannot delete a stack', async () => {
    account.stacks.push({
      name: 'identity-dev-operations',
      tags: DEV,
      createdAt: '2026-11-03T10:00:00Z',
      failure: 'Event bus has rules',
    });
    expect(await destroy('--stage', 'dev', '--yes', 'dev')).toEqual({
      code: 1,
      output: expect.stringContaining(
        'The stack identity-dev-operations was not deleted: Events: Event bus has rules. Fix the cause, and run the command again to continue.',
      ),
    });
    expect(account.changes).toEqual(['DeleteStack identity-dev-operations']);
  });
});

test('stacks without imports are deleted newest first', () => {
  const stack = (name: string, createdMs: number) => ({
    ...{ id: name, name, createdMs, status: 'CREATE_COMPLETE' },
    ...{ isProtected: false, exports: [], imports: [] },
  });
  const order = deletionOrder([stack('data', 1), stack('access', 3), stack('api', 2)]);
  expect(order.map(({ name }) => name)).toEqual(['access', 'api', 'data']);
});
