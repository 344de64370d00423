import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { restoreProgram } from '../../clients/operator/restore-program.ts';
import { type AwsDouble, startAwsDouble } from '../support/aws-doubles.ts';
import { PINNED, pinStages } from '../support/pin-stages.ts';
import { BASE_ENVIRONMENT, type ProgramResult, run } from '../support/programs.ts';
import { exitCodeOf, runInProcess } from './run-in-process.ts';

/** The operator's programs work only in the account and region of the stage, and explain missing credentials. */

const directory = mkdtempSync(join(tmpdir(), 'profile-'));
const configFile = join(directory, 'config');

interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Runs the program in this process. Returns its exit code. */
  readonly program?: (args: readonly string[]) => Promise<number>;
}

const ADMIN: Program = { file: 'clients/operator/main.ts', args: ['org', 'list'] };
const RESTORE: Program = {
  file: 'clients/operator/restore.ts',
  args: ['--to', '2026-11-21T12:00:00Z'],
  program: exitCodeOf(restoreProgram),
};
/** The region and the service of each request that AWS received, from its signature. */
let requests: string[];
let account: string;
let isExpired: boolean;
let aws: AwsDouble;
beforeAll(async () => {
  writeFileSync(configFile, '[profile elsewhere]\nregion = us-east-1\n[profile right]\nregion = eu-west-1\n');
  aws = await startAwsDouble(({ body, scope }) => {
    requests.push(scope);
    const type = 'text/xml';
    if (isExpired)
      return { status: 403, type, body: failure('ExpiredToken', 'The security token is expired') };
    if (body.includes('GetCallerIdentity')) return { type, body: identity(account) };
    return { status: 400, type, body: failure('ValidationError', 'reached CloudFormation') };
  });
});
beforeEach(() => {
  [requests, account, isExpired] = [[], '123456789012', false];
});
afterAll(async () => {
  await aws.close();
  rmSync(directory, { recursive: true });
});

function identity(of: string): string {
  return `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::${of}:user/ada</Arn><UserId>AIDACKCEVSQ6C2EXAMPLE</UserId><Account>${of}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;
}

function failure(code: string, message: string): string {
  return `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
}

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'example' };

type Variables = Readonly<Record<string, string>>;

/** Environment variables without this machine's AWS settings. */
const environment = (variables: Variables) => ({
  ...BASE_ENVIRONMENT,
  HOME: directory,
  AWS_CONFIG_FILE: configFile,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_ENDPOINT_URL: aws.url,
  ...variables,
});

/** Runs one of the operator's programs in this process. */
async function runOn(program: Program, stage: string, variables: Variables): Promise<ProgramResult> {
  const { code, stdout, stderr } = await runInProcess(['--stage', stage, ...program.args], {
    ...program,
    environment: environment(variables),
  });
  return { code: Number(code), output: stdout + stderr };
}

/** Runs a program in its own process, in which staging and prod have an account and a region. */
const runOnItsOwn: typeof runOn = ({ file, args }, stage, variables) =>
  run(process.execPath, [file, '--stage', stage, ...args], { env: environment({ ...PINNED, ...variables }) });

async function expectRejected(ran: Promise<ProgramResult>, message: string): Promise<void> {
  const { code, output } = await ran;
  expect({ code, output: output.replace(/^error: /, '') }).toEqual({ code: 1, output: `${message}\n` });
}

const BOTH = [
  ['admin', ADMIN],
  ['restore', RESTORE],
] as const;

// These tests run before staging and prod get an account and a region in this process.
describe.each(BOTH)('%s', (_, program) => {
  test.each(['staging', 'prod'])('rejects %s if its file sets no account or region', async (stage) => {
    await expectRejected(
      runOn(program, stage, { ...CREDENTIALS, AWS_REGION: 'eu-west-1' }),
      `infra/stages/${stage}.ts does not set account or region. Add the AWS account and region of the stage, for example account: '123456789012', region: 'eu-west-1' (docs/operate/deploy.md, "Account and region").`,
    );
    expect(requests).toEqual([]);
  });
});

describe.each(BOTH)('%s', (_name, program) => {
  beforeAll(() => pinStages());

  test('rejects credentials of another account before it reads anything else', async () => {
    account = '210987654321';
    await expectRejected(
      runOnItsOwn(program, 'prod', CREDENTIALS),
      'The prod stage is in the AWS account 123456789012 (infra/stages/prod.ts), but your credentials belong to the account 210987654321. Select a profile for the account 123456789012: AWS_PROFILE=<profile>. Nothing was read or changed.',
    );
    expect(requests).toEqual(['eu-west-1/sts']);
  });

  test.each([
    ['AWS_REGION', { AWS_REGION: 'us-east-1' }],
    ['a profile', { AWS_PROFILE: 'elsewhere' }],
  ])('rejects a different region, selected by %s, before it sends anything', async (_, selection) => {
    await expectRejected(
      runOn(program, 'prod', { ...CREDENTIALS, ...selection }),
      'The prod stage is in the AWS region eu-west-1 (infra/stages/prod.ts), but AWS_REGION or your profile selects us-east-1. Select a profile for eu-west-1 (AWS_PROFILE=<profile>), or set AWS_REGION=eu-west-1. Nothing was read or changed.',
    );
    expect(requests).toEqual([]);
  });

  test.each([
    ['no region', {}],
    ['the right region', { AWS_REGION: 'eu-west-1' }],
  ])('works in the region of the stage if %s is selected', async (_, selection) => {
    const { output } = await runOn(program, 'prod', { ...CREDENTIALS, ...selection });
    expect(output).toContain('reached CloudFormation');
    expect(requests).toEqual(['eu-west-1/sts', 'eu-west-1/cloudformation']);
  });

  test('says how to select a region for a stage whose file sets none', async () => {
    await expectRejected(
      runOn(program, 'dev', CREDENTIALS),
      'No AWS region is selected. Select a profile that has a region (AWS_PROFILE=<profile>), add a region to your profile (`aws configure`), or set region in infra/stages/dev.ts. Nothing was read or changed.',
    );
    expect(requests).toEqual([]);
  });

  test('uses the region of the profile for a stage whose file sets none', async () => {
    const { output } = await runOn(program, 'dev', { ...CREDENTIALS, AWS_REGION: 'af-south-1' });
    expect(output).toContain('reached CloudFormation');
    expect(requests).toEqual(['af-south-1/sts', 'af-south-1/cloudformation']);
  });

  test('says how to select credentials', async () => {
    await expectRejected(
      runOn(program, 'prod', {}),
      'No AWS credentials were found. Select a profile (AWS_PROFILE=<profile>; `aws configure list-profiles` lists yours), sign in (`aws sso login`), or add a profile (`aws configure`).',
    );
  });

  test('says that credentials have expired', async () => {
    isExpired = true;
    await expectRejected(
      runOn(program, 'prod', CREDENTIALS),
      'Your AWS credentials have expired. Sign in again, for example with `aws sso login`, or assume the role again.',
    );
  });
});
