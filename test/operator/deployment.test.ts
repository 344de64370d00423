import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AwsDouble, startCloudFormation, startSts } from '../support/aws-doubles.ts';
import { pinStages } from '../support/pin-stages.ts';
import { BASE_ENVIRONMENT } from '../support/programs.ts';
import { SETTINGS } from '../unit/payments/memory-payments.ts';
import { runAdmin } from './run-admin.ts';
import { runInProcess } from './run-in-process.ts';
import { startTestDeployment, type TestDeployment } from './test-deployment.ts';

let deployment: TestDeployment;
let cloudFormation: AwsDouble;
let sts: AwsDouble;
const FINANCE = 'arn:aws:sts::123456789012:assumed-role/identity-prod-finance/ada';
beforeAll(async () => {
  pinStages();
  deployment = await startTestDeployment();
  cloudFormation = await startCloudFormation({
    'identity-prod-data': {
      ApiKeysTable: deployment.tables.apiKeys,
      WalletsTable: deployment.tables.wallets,
      VerificationLogsTable: deployment.tables.verificationLogs,
      AuditTrailTable: deployment.tables.auditTrail,
      ApprovalsTable: deployment.tables.approvals,
      PaymentsTable: deployment.tables.payments,
      ConsoleTable: deployment.tables.console,
      SecondPersonAbove: '1000',
      LogRetentionDays: '365',
      Money: JSON.stringify(SETTINGS),
    },
    'identity-prod-operators': { OperatorsUrl: deployment.operatorsUrl },
  });
  sts = await startSts(() => FINANCE);
});
afterAll(async () => {
  await sts.close();
  await cloudFormation.close();
  await deployment.close();
});

const onStage = (stage: string, ...args: string[]) => {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_DYNAMODB } =
    deployment.environment;
  const variables = { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_DYNAMODB };
  const endpoints = {
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
    AWS_ENDPOINT_URL_STS: sts.url,
  };
  return runInProcess(['--stage', stage, ...args], {
    environment: {
      ...variables,
      ...deployment.credentialsOf(FINANCE),
      ...endpoints,
      USER: 'The CEO',
      LOGNAME: 'The CEO',
    },
  });
};

describe('--stage', () => {
  test('finds the tables by the outputs of the data stack', async () => {
    const { code, stdout, stderr } = await onStage('prod', '--json', 'org', 'create', 'Kainji Pay');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await deployment.operator.getOrganisation(id)).toMatchObject({ name: 'Kainji Pay' });
  });

  test('records the AWS caller of each change', async () => {
    const { stdout } = await onStage('prod', '--json', 'org', 'create', 'Kainji Pay');
    const { id } = JSON.parse(stdout) as { id: string };
    const trail = await onStage('prod', '--json', 'audit', '--org', id);
    expect(JSON.parse(trail.stdout)).toEqual([
      expect.objectContaining({ actor: FINANCE, action: 'org create', organisationId: id }),
    ]);
  });

  test('says so and exits with 1 if the stage was never deployed', async () => {
    expect(await onStage('staging', 'org', 'list')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The stack identity-staging-data does not exist in the account 123456789012 and the region eu-west-1. Deploy the stage first. If it is elsewhere, select a different AWS profile: AWS_PROFILE=<profile>.\n',
    });
  });

  test('rejects local, which is not a stage on AWS', async () => {
    expect((await onStage('local', 'org', 'list')).code).toBe(2);
  });
});

describe('--local', () => {
  test('reports that the service is not running', async () => {
    const environment = { LOCAL_SERVICE_FILE: '/nonexistent/service.json' };
    const run = await runInProcess(['--local', 'org', 'list'], { environment });
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The local service is not running: /nonexistent/service.json cannot be read. Start the service with `npm start`.\n',
    });
  });

  test('works whatever AWS and proxy settings the machine has', async () => {
    const { code, stderr } = await runAdmin(['--local', 'org', 'list'], {
      LOCAL_SERVICE_FILE: deployment.serviceFile,
      AWS_USE_FIPS_ENDPOINT: 'true',
      AWS_USE_DUALSTACK_ENDPOINT: 'true',
      AWS_PROFILE: 'missing',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('can be passed before or after the command', async () => {
    const environment = { LOCAL_SERVICE_FILE: deployment.serviceFile };
    const run = await runInProcess(['org', 'list', '--local'], { environment });
    expect(run.code).toBe(0);
  });
});

test.each([
  [
    'neither --local nor --stage',
    ['org', 'list'],
    '`--local` or `--stage <stage>` is required to select the service to work on.\n',
  ],
  [
    'both --local and --stage',
    ['--local', '--stage', 'prod', 'org', 'list'],
    expect.stringContaining('cannot be used with'),
  ],
])('%s is a usage error', async (_, args, stderr) => {
  const environment = { LOCAL_SERVICE_FILE: deployment.serviceFile };
  const run = await runInProcess(args, { environment });
  expect(run).toEqual({ code: 2, stdout: '', stderr });
});

test('--help lists groups of commands and the exit codes, and exits with 0', async () => {
  const { code, stdout } = await runAdmin(['--help'], {});
  expect(code).toBe(0);
  for (const text of ['org', 'service', 'key', 'wallet', 'registry', 'privacy', 'reconcile', 'Exit codes:'])
    expect(stdout).toContain(text);
});

test.each([
  ['its help', ['--help']],
  ['a result', ['--local', 'org', 'list']],
  ['a statement', ['--local', 'wallet', 'statement']],
])('closing the pipe of %s early, as `head` does, is not an error', async (_, args) => {
  const { id } = await deployment.operator.createOrganisation('Kainji Pay');
  const command = args.includes('statement') ? [...args, id] : args;
  const { code, stderr } = await runAdmin(
    command,
    { LOCAL_SERVICE_FILE: deployment.serviceFile },
    { reads: false },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Runs a shell command in which `admin` is the program. Returns the exit codes of the commands in its pipeline. */
function runPipe(command: string): Promise<{ readonly codes: string; readonly stderr: string }> {
  const program = `admin() { '${process.execPath}' clients/operator/main.ts --local "$@"; }`;
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--norc', '-c', `${program}; ${command} >/dev/null; echo "\${PIPESTATUS[@]}"`],
      { env: { ...BASE_ENVIRONMENT, LOCAL_SERVICE_FILE: deployment.serviceFile } },
      (_error, codes, stderr) => resolve({ codes: codes.trim(), stderr }),
    );
  });
}

test('in a shell, the exit code does not depend on whether the reader of a pipe stops early', async () => {
  const { id } = await deployment.operator.createOrganisation('Kainji Pay');
  for (const [command, code] of [
    ['--help', 0],
    ['org list', 0],
    [`wallet statement ${id}`, 0],
    [`wallet statement ${id} --format csv`, 0],
    ['org show aaaaaaaaaa 2>&1', 1],
    ['org nothing 2>&1', 2],
  ] as const)
    for (const reader of ['head -1', 'true'])
      expect([command, await runPipe(`admin ${command} | ${reader}`)]).toEqual([
        command,
        { codes: `${code} 0`, stderr: '' },
      ]);
});
