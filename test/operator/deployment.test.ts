import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runAdmin, startTestDeployment, type TestDeployment } from './run-admin.ts';

let deployment: TestDeployment;
let cloudFormation: CloudFormation;
beforeAll(async () => {
  deployment = await startTestDeployment();
  cloudFormation = await startCloudFormation('identity-prod-data', {
    ApiKeysTable: deployment.tables.apiKeys,
    WalletsTable: deployment.tables.wallets,
    VerificationLogsTable: deployment.tables.verificationLogs,
  });
});
afterAll(async () => {
  await cloudFormation.close();
  await deployment.close();
});

const onStage = (stage: string, ...args: string[]) => {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_DYNAMODB } =
    deployment.environment;
  const variables = { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_DYNAMODB };
  return runAdmin(['--stage', stage, ...args], {
    ...(variables as Record<string, string>),
    AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
  });
};

describe('--stage', () => {
  test('finds the tables by the outputs of the data stack', async () => {
    const { code, stdout, stderr } = await onStage('prod', '--json', 'org', 'create', 'Kainji Pay');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await deployment.operator.getOrganisation(id)).toMatchObject({ name: 'Kainji Pay' });
  });

  test('prints one sentence and exits with 1 if the stage was never deployed', async () => {
    expect(await onStage('staging', 'org', 'list')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Stack with id identity-staging-data does not exist\n',
    });
  });

  test('rejects local, which is not a stage on AWS', async () => {
    expect((await onStage('local', 'org', 'list')).code).toBe(2);
  });
});

describe('--local', () => {
  test('reports that the service is not running', async () => {
    const run = await runAdmin(['--local', 'org', 'list'], {
      LOCAL_SERVICE_FILE: '/nonexistent/service.json',
    });
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The local service is not running: /nonexistent/service.json cannot be read. Start the service with `npm start`.\n',
    });
  });

  test('can be passed before or after the command', async () => {
    const run = await runAdmin(['org', 'list', '--local'], { LOCAL_SERVICE_FILE: deployment.serviceFile });
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
])('%s is wrong usage', async (_, args, stderr) => {
  const run = await runAdmin(args, { LOCAL_SERVICE_FILE: deployment.serviceFile });
  expect(run).toEqual({ code: 2, stdout: '', stderr });
});

test('--help lists every group of commands and the exit codes, and exits with 0', async () => {
  const { code, stdout } = await runAdmin(['--help'], {});
  expect(code).toBe(0);
  for (const text of ['org', 'service', 'key', 'wallet', 'registry', 'privacy', 'reconcile', 'Exit codes:'])
    expect(stdout).toContain(text);
});

test.each([
  ['its help', ['--help']],
  ['a result', ['--local', 'org', 'list']],
  ['a statement', ['--local', 'wallet', 'statement']],
])('a reader that closes the pipe of %s early, as `head` does, is not an error', async (_, args) => {
  const { id } = await deployment.operator.createOrganisation('Kainji Pay');
  const command = args.includes('statement') ? [...args, id] : args;
  const { code, stderr } = await runAdmin(
    command,
    { LOCAL_SERVICE_FILE: deployment.serviceFile },
    { reads: false },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Runs a shell command in which `admin` is the program. Returns the exit codes of the commands of its pipe. */
function runPipe(command: string): Promise<{ readonly codes: string; readonly stderr: string }> {
  const program = `admin() { '${process.execPath}' clients/operator/main.ts --local "$@"; }`;
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--norc', '-c', `${program}; ${command} >/dev/null; echo "\${PIPESTATUS[@]}"`],
      { env: { PATH: process.env['PATH'], LOCAL_SERVICE_FILE: deployment.serviceFile } },
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
}, 60_000);

interface CloudFormation {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a test double of CloudFormation that describes one stack in the AWS Query protocol. */
async function startCloudFormation(
  stackName: string,
  outputs: Readonly<Record<string, string>>,
): Promise<CloudFormation> {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.once('end', () => {
      const requested = new URLSearchParams(body).get('StackName') ?? '';
      const [status, xml] =
        requested === stackName ? [200, described(stackName, outputs)] : [400, missing(requested)];
      response.writeHead(status, { 'Content-Type': 'text/xml' }).end(xml);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function described(stackName: string, outputs: Readonly<Record<string, string>>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackName>${stackName}</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></DescribeStacksResponse>`;
}

function missing(stackName: string): string {
  return `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${stackName} does not exist</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
}
