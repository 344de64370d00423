import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Row } from '../../clients/operator/preflight/rows.ts';
import type { StageConfig } from '../../infra/config.ts';
import { keylessTotal } from '../../infra/constructs/console/console-limits.ts';
import { CONSOLE_SETTINGS } from '../infra/console.ts';
import {
  type AccountDouble,
  AwsError,
  CERTIFICATE,
  certificate,
  deniedBy,
  describeProd,
  FAILED_STACK,
  failedStacksXml,
  PREFLIGHT_ACTIONS,
  REGION,
  startAccount,
  subscriptionXml,
} from '../support/account-double.ts';
import { PINNED } from '../support/pin-stages.ts';
import { answer, FAULTS, NO_EMAIL, NOT_DEPLOYED, surroundingsOf } from '../support/preflight-faults.ts';
import { prodConfig } from '../support/preflight-stage.ts';
import { rowsOf, runPreflight } from '../support/run-preflight.ts';

/** `npm run preflight` against a test double for an AWS account: what it finds, what it prints, and what it sends. */

const PAGE = new URL('../../docs/operate/preflight.md', import.meta.url);
const PROD = ['--stage', 'prod'] as const;
const REQUEST = 'servicequotas RequestServiceQuotaIncrease';

/** The further operations that an option permits. */
const WITH_OPTION: Readonly<Record<string, readonly string[]>> = {
  '--request-quota': [REQUEST],
  '--delete-orphans': ['dynamodb Scan'],
};

let aws: AccountDouble;
beforeAll(async () => {
  aws = await startAccount();
});
beforeEach(() => aws.reset());
afterAll(() => aws.close());

const called = () => aws.calls.map(({ operation }) => operation);
const states = (rows: readonly Row[]) => Object.fromEntries(rows.map(({ check, state }) => [check, state]));
const findings = (rows: readonly Row[]) => rows.filter(({ state }) => state === 'finding');

/** Returns a row of the table in docs/operate/preflight.md. Commands are in code font, and remarks are sentences. */
function pageRow(name: string, { check, finding, fix }: Row): string {
  const lines = fix.map((line) => (line.startsWith('# ') ? line.slice(2) : `\`${line}\``));
  return `| ${name} | ${check} | ${finding} | ${lines.join('<br>')} |`;
}

const TABLE = /(?<=\| fault \| check \| finding \| what to do \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)*/;

describe('the preflight finds each fault in docs/operate/preflight.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  const documented = (page.match(TABLE)?.[0] ?? '').trim().split('\n');
  const found: string[] = [];
  // UPDATE=1 writes the table. Review its diff.
  afterAll(() => {
    if (process.env['UPDATE'] === '1')
      writeFileSync(
        PAGE,
        page.replace(TABLE, () => found.map((row) => `${row}\n`).join('')),
      );
  });

  test('and the page lists no others', () => {
    const names = documented.map((row) => row.split(' | ')[0]?.slice(2));
    expect(names).toEqual(FAULTS.map(([name]) => name));
  });

  test.each(FAULTS)('%s', async (name, check, answers, differences = {}) => {
    const { options = [] } = differences;
    answer(aws.operations, answers);
    const rows = await rowsOf(aws.url, surroundingsOf(differences), ...options);
    const [row, ...more] = findings(rows);
    expect(more).toEqual([]);
    if (!row) throw new Error('There is no finding.');
    expect(row.check).toBe(check);
    expect(row.fix.length).toBeGreaterThan(0);
    found.push(pageRow(name, row));
    const ofTheRole = ['sts GetCallerIdentity', ...Object.keys(PREFLIGHT_ACTIONS)];
    const others = called().filter((operation) => !ofTheRole.includes(operation));
    expect(new Set(others)).toEqual(new Set(options.flatMap((option) => WITH_OPTION[option] ?? [])));
    expect(documented).toContain(pageRow(name, row));
  });
});

describe('a healthy account', () => {
  test('has no findings, and the exit code is 0', async () => {
    const { code, stdout, stderr } = await runPreflight(aws.url, PROD, { width: 80 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('No findings.\n');
    expect(stdout).not.toContain('What to do');
    const rows = await rowsOf(aws.url);
    expect(new Set(Object.values(states(rows)))).toEqual(new Set(['ok']));
  });

  test('is only read', async () => {
    await runPreflight(aws.url, PROD);
    for (const operation of called()) expect(operation).toMatch(/ (Get|Describe|List)/);
  });

  test('is read in the region of the stage', async () => {
    await runPreflight(aws.url, PROD);
    expect(new Set(aws.calls.map(({ region }) => region))).toEqual(new Set([REGION]));
  });

  test('with a console has no findings either, and its domain, stack and emails are checked', async () => {
    const domain = { name: 'console.example.com', certificateArn: CERTIFICATE };
    const config = prodConfig({ console: { ...CONSOLE_SETTINGS, domain } });
    const rows = await rowsOf(aws.url, { configOf: () => config });
    expect(findings(rows)).toEqual([]);
    const found = rows.map(({ check, finding }) => `${check}: ${finding}`);
    expect(found).toContain('console mail: SES sends emails from console@example.com.');
    expect(found).toContain('dns: console.example.com points to API Gateway.');
    expect(found).toContain('stacks: All 8 stacks are deployed.');
    expect(aws.calls.find(({ operation }) => operation === 'ses GetEmailIdentity')?.parameters).toEqual({
      identity: 'example.com',
    });
  });

  test.each(['ses GetAccount', 'ses GetEmailIdentity'])(
    'without permission for %s, which only a console needs, has a finding',
    async (operation) => {
      const domain = { name: 'console.example.com', certificateArn: CERTIFICATE };
      const config = prodConfig({ console: { ...CONSOLE_SETTINGS, domain } });
      aws.operations[operation] = () => deniedBy(operation);
      const [row, ...others] = findings(await rowsOf(aws.url, { configOf: () => config }));
      expect(others).toEqual([]);
      expect(row?.finding).toBe(
        `Not checked: your credentials do not allow ${PREFLIGHT_ACTIONS[operation]}.`,
      );
    },
  );

  test('may reserve no concurrency on purpose', async () => {
    const config = prodConfig({ reservedConcurrency: {} }, { accountConcurrency: 10 });
    const rows = await rowsOf(aws.url, { configOf: () => config });
    expect(states(rows)).toMatchObject({ 'lambda quota': 'ok' });
  });

  test('may have a wildcard certificate', async () => {
    aws.operations['acm DescribeCertificate'] = () =>
      certificate({ SubjectAlternativeNames: ['*.example.com'] });
    expect(states(await rowsOf(aws.url))).toMatchObject({ certificate: 'ok' });
  });

  test('may have subscribers other than alarmEmail, on any page of the list', async () => {
    aws.operations['sns ListSubscriptionsByTopic'] = ({ NextToken }) =>
      NextToken === undefined
        ? `<Subscriptions>${subscriptionXml('a@example.com', 'PendingConfirmation')}</Subscriptions><NextToken>2</NextToken>`
        : `<Subscriptions>${subscriptionXml('b@example.com')}</Subscriptions>`;
    const rows = await rowsOf(aws.url, surroundingsOf(NO_EMAIL));
    expect(states(rows)).toMatchObject({ alarms: 'ok' });
  });
});

test('ticketEmail must confirm its own subscription', async () => {
  const { operations = { accountConcurrency: 1_000 } } = prodConfig();
  const config = { operations: { ...operations, ticketEmail: 'tickets@example.com' } };
  const rows = await rowsOf(aws.url, surroundingsOf({ config }));
  expect(findings(rows).map(({ finding }) => finding)).toEqual([
    'tickets@example.com has not confirmed its subscription to the alarms, so no alarm is sent to this address.',
  ]);
});

describe('before the first deployment', () => {
  test('nothing that the deployment creates is a finding, and the exit code is 0', async () => {
    answer(aws.operations, NOT_DEPLOYED);
    const rows = await rowsOf(aws.url);
    expect(findings(rows)).toEqual([]);
    const waiting = rows.filter(({ state }) => state === 'not yet');
    expect(waiting.map(({ check }) => check)).toEqual([
      'gateway role',
      'stacks',
      'secret prembly',
      'secret dojah',
      'test key',
      'payments',
      'alarms',
      'dns',
    ]);
    for (const { fix } of waiting) expect(fix).toEqual(['npm run deploy -- -c stage=prod']);
    const { code, stdout } = await runPreflight(aws.url, PROD, { width: 80 });
    expect(code).toBe(0);
    expect(stdout).toContain('No findings. 8 checks are waiting for the deployment');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Not deployed yet: identity-prod-data, identity-prod-api-functions, identity-prod-api,',
    );
  });

  test('a certificate that the stack creates is not a finding', async () => {
    answer(aws.operations, NOT_DEPLOYED);
    const domain = { name: 'api.example.com', hostedZone: { id: 'Z0123456789EXAMPLE', name: 'example.com' } };
    const rows = await rowsOf(aws.url, { configOf: () => prodConfig({}, { domain }) });
    expect(states(rows)).toMatchObject({ certificate: 'not yet' });
    expect(findings(rows)).toEqual([]);
  });

  test('a fault of the account is a finding', async () => {
    answer(aws.operations, NOT_DEPLOYED);
    aws.operations['ssm GetParameter'] = () => new AwsError('ParameterNotFound', '');
    const { code } = await runPreflight(aws.url, PROD);
    expect(code).toBe(1);
  });
});

test('a deployment in progress is not a finding', async () => {
  aws.operations['cloudformation DescribeStacks'] = ({ StackName }) =>
    describeProd(String(StackName), 'UPDATE_IN_PROGRESS');
  const rows = await rowsOf(aws.url);
  expect(findings(rows)).toEqual([]);
  expect(states(rows)).toMatchObject({ stacks: 'not yet' });
});

describe('an increase for a quota that is too low', () => {
  beforeEach(() => {
    aws.operations['lambda GetAccountSettings'] = () => ({ AccountLimit: { ConcurrentExecutions: 10 } });
    const account = aws.operations['apigateway GetAccount']?.({}) as object;
    const throttleSettings = { rateLimit: 500, burstLimit: 5_000 };
    aws.operations['apigateway GetAccount'] = () => ({ ...account, throttleSettings });
  });

  test('is not requested without --request-quota', async () => {
    expect(findings(await rowsOf(aws.url)).map(({ check }) => check)).toEqual([
      'lambda quota',
      'gateway quota',
    ]);
    expect(called()).not.toContain(REQUEST);
  });

  test('is requested with --request-quota, and the quota remains a finding until AWS has raised it', async () => {
    const { code } = await runPreflight(aws.url, [...PROD, '--request-quota']);
    expect(code).toBe(1);
    expect(
      aws.calls.filter(({ operation }) => operation === REQUEST).map(({ parameters }) => parameters),
    ).toEqual([
      { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384', DesiredValue: 1_000 },
      {
        ServiceCode: 'apigateway',
        QuotaCode: 'L-8A5B8E43',
        DesiredValue: 1_000 + keylessTotal(prodConfig()).rateLimit,
      },
    ]);
  });

  test.each(['PENDING', 'CASE_OPENED'])('is not requested again while a request is %s', async (Status) => {
    aws.operations['servicequotas ListRequestedServiceQuotaChangeHistoryByQuota'] = () => ({
      RequestedQuotas: [{ Id: 'open', DesiredValue: 1_000, Status, Created: 1_760_000_000 }],
    });
    const rows = await rowsOf(aws.url, {}, '--request-quota');
    expect(called()).not.toContain(REQUEST);
    for (const { finding, fix } of findings(rows)) {
      expect(finding).toContain(`An increase to 1,000 was requested on 2025-10-09 (${Status}).`);
      expect(fix.join()).toContain('--request-id open');
    }
  });

  test('is requested again after a refusal', async () => {
    aws.operations['servicequotas ListRequestedServiceQuotaChangeHistoryByQuota'] = () => ({
      RequestedQuotas: [{ Id: 'old', DesiredValue: 1_000, Status: 'DENIED', Created: 1_760_000_000 }],
    });
    await rowsOf(aws.url, {}, '--request-quota');
    expect(called()).toContain(REQUEST);
  });

  test('is a finding with the reason if AWS refuses it', async () => {
    aws.operations[REQUEST] = () => new AwsError('QuotaExceededException', 'Too many open requests.');
    const [row] = findings(await rowsOf(aws.url, {}, '--request-quota'));
    expect(row?.finding).toContain('Too many open requests.');
  });
});

describe('what a failed first deployment has left', () => {
  const deletions = () => called().filter((operation) => /Update|Delete/.test(operation));
  beforeEach(() => answer(aws.operations, { 'cloudformation ListStacks': failedStacksXml() }));

  test('is deleted with --delete-orphans if all of it is empty', async () => {
    const rows = await rowsOf(aws.url, {}, '--delete-orphans');
    expect(findings(rows)).toEqual([]);
    expect(rows.find(({ check }) => check === 'orphans')?.finding).toBe(
      'Deleted, because all were empty: identity-prod-data-WalletsOld, eu-west-1_Old.',
    );
    expect(deletions()).toEqual([
      'dynamodb UpdateTable',
      'dynamodb DeleteTable',
      'cognito-idp UpdateUserPool',
      'cognito-idp DeleteUserPool',
    ]);
  });

  test.each([
    ['rows', { 'dynamodb Scan': { Count: 1 } }],
    ['people', { 'cognito-idp ListUsers': { Users: [{ Username: 'a' }] } }],
  ])('is not deleted if there are %s', async (_, answers) => {
    answer(aws.operations, answers);
    const rows = await rowsOf(aws.url, {}, '--delete-orphans');
    expect(findings(rows).map(({ check }) => check)).toEqual(['orphans']);
    expect(deletions()).toEqual([]);
  });

  test('is no longer a finding once it is deleted, imported or named in restoredTables', async () => {
    const missing = new AwsError('ResourceNotFoundException');
    answer(aws.operations, { 'dynamodb DescribeTable': missing, 'cognito-idp DescribeUserPool': missing });
    expect(findings(await rowsOf(aws.url))).toEqual([]);
    answer(aws.operations, { 'dynamodb DescribeTable': { Table: {} } });
    expect(findings(await rowsOf(aws.url))).toHaveLength(1);
    const Wallets = 'identity-prod-data-WalletsOld';
    const restoredTables = { Wallets } as StageConfig['restoredTables'];
    expect(findings(await rowsOf(aws.url, surroundingsOf({ config: { restoredTables } })))).toEqual([]);
    const listResources = aws.operations['cloudformation ListStackResources'];
    aws.operations['cloudformation ListStackResources'] = () =>
      listResources?.({ StackName: FAILED_STACK }) ?? '';
    expect(findings(await rowsOf(aws.url))).toEqual([]);
  });
});

describe('a permission that is missing', () => {
  /** The checks that each operation belongs to. */
  const CHECKS_OF: Readonly<Record<string, readonly string[]>> = {
    'ssm GetParameter': ['bootstrap'],
    'lambda GetAccountSettings': ['lambda quota'],
    'apigateway GetAccount': ['gateway quota', 'gateway role'],
    'apigateway GetDomainName': ['dns'],
    'iam GetRole': ['gateway role'],
    'acm DescribeCertificate': ['certificate'],
    'cloudformation ListStacks': ['orphans'],
    'cloudformation GetTemplate': ['indexes'],
    'cloudformation DescribeStacks': [
      'stacks',
      'indexes',
      'secret prembly',
      'secret dojah',
      'test key',
      'payments',
      'alarms',
    ],
    'secretsmanager GetSecretValue': ['secret prembly', 'secret dojah', 'test key'],
    'secretsmanager ListSecretVersionIds': ['payments'],
    'sns ListSubscriptionsByTopic': ['alarms'],
  };

  test.each(Object.entries(CHECKS_OF))(
    '%s is a finding that names the action, and the other checks go on',
    async (operation, checks) => {
      const complete = (await rowsOf(aws.url)).map(({ check }) => check);
      aws.operations[operation] = () => deniedBy(operation);
      const rows = await rowsOf(aws.url);
      expect(findings(rows).map(({ check }) => check)).toEqual(checks);
      for (const { finding } of findings(rows))
        expect(finding).toBe(`Not checked: your credentials do not allow ${PREFLIGHT_ACTIONS[operation]}.`);
      expect(rows.map(({ check }) => check)).toEqual(complete);
    },
  );

  test('is tested for every operation of a run', async () => {
    await rowsOf(aws.url);
    expect(new Set(called())).toEqual(new Set(['sts GetCallerIdentity', ...Object.keys(CHECKS_OF)]));
  });

  test('for the requests of a quota, which are read only after a fault, is a finding too', async () => {
    const operation = 'servicequotas ListRequestedServiceQuotaChangeHistoryByQuota';
    aws.operations['lambda GetAccountSettings'] = () => ({ AccountLimit: { ConcurrentExecutions: 10 } });
    aws.operations[operation] = () => deniedBy(operation);
    const [row] = findings(await rowsOf(aws.url));
    expect(row).toMatchObject({
      check: 'lambda quota',
      finding: expect.stringContaining(`${PREFLIGHT_ACTIONS[operation]}.`),
    });
  });
});

test('a service that fails is a finding, and the other checks continue', async () => {
  aws.operations['sns ListSubscriptionsByTopic'] = () => new AwsError('InternalError', 'try later');
  const rows = findings(await rowsOf(aws.url));
  expect(rows).toEqual([
    expect.objectContaining({
      check: 'alarms',
      finding: expect.stringContaining('sns:ListSubscriptionsByTopic failed: InternalError'),
    }),
  ]);
});

test('credentials of another account stop the preflight before it reads anything else', async () => {
  const rows = await rowsOf(aws.url, { configOf: () => prodConfig({ account: '210987654321' }) });
  expect(rows.map(({ check }) => check)).toEqual(['account']);
  expect(called()).toEqual(['sts GetCallerIdentity']);
});

test('no value of a secret is printed', async () => {
  for (const SecretString of [
    '{"apiKey": "canary-7f3a"}',
    'canary-7f3a',
    '{"appId": "canary-7f3a", "apiKey": "canary-7f3a", "baseUrl": "https://canary-7f3a.example.org"}',
  ]) {
    aws.operations['secretsmanager GetSecretValue'] = () => ({ SecretString });
    const text = await runPreflight(aws.url, PROD);
    const json = await runPreflight(aws.url, [...PROD, '--json']);
    expect(`${text.stdout}${text.stderr}${json.stdout}${json.stderr}`).not.toContain('canary-7f3a');
  }
});

describe('the table', () => {
  /** Breaks the account in several ways at once. */
  const breakMuch = () => {
    for (const [, check, answers] of FAULTS)
      if (/quota|alarms|gateway role/.test(check)) answer(aws.operations, answers);
  };

  test.each([80, 120])('fits into a terminal of %i columns, and no command is wrapped', async (width) => {
    breakMuch();
    const { stdout, code } = await runPreflight(aws.url, PROD, { width });
    expect(code).toBe(1);
    const [table = '', fixes = ''] = stdout.split('What to do:');
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    const rows = await rowsOf(aws.url);
    const commands = findings(rows).flatMap(({ fix }) => fix.filter((line) => !line.startsWith('# ')));
    for (const command of commands) expect(fixes).toContain(`\n  ${command}\n`);
    for (const line of fixes.split('\n').filter((one) => !commands.includes(one.trim())))
      expect(line.length).toBeLessThanOrEqual(width);
    expect(stdout).toMatch(/\n\d+ findings\.\n$/);
  });
});

describe('the command line', () => {
  test.each([
    ['no stage', []],
    ['an unknown stage', ['--stage', 'production']],
    ['the local stage', ['--stage', 'local']],
    ['an unknown option', ['--stage', 'prod', '--fix']],
  ])('with %s is rejected, and nothing is sent', async (_, args) => {
    const { code, stdout } = await runPreflight(aws.url, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(called()).toEqual([]);
  });

  test('explains itself with --help', async () => {
    const { code, stdout } = await runPreflight(aws.url, ['--help']);
    expect(code).toBe(0);
    for (const text of ['--stage', '--request-quota', '--json', 'Exit codes:'])
      expect(stdout).toContain(text);
  });

  test('sets the exit code of the process, which a script can use', async () => {
    const variables = {
      ...PINNED,
      PATH: process.env['PATH'] ?? '',
      AWS_ENDPOINT_URL: aws.url,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'example',
    };
    const run = (stage: string) =>
      new Promise<{ code: number | null; stdout: string }>((done) => {
        let stdout = '';
        const child = spawn(process.execPath, ['clients/operator/preflight.ts', '--stage', stage], {
          env: variables,
        });
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          stdout += text;
        });
        child.once('close', (code) => done({ code, stdout }));
      });
    const prod = await run('prod');
    expect(prod.code).toBe(1);
    expect(prod.stdout).toContain('registries names no provider');
    answer(aws.operations, NOT_DEPLOYED);
    const dev = await run('dev');
    expect({ code: dev.code, last: dev.stdout.split('\n').at(-2) }).toEqual({
      code: 0,
      last: 'No findings. 3 checks are waiting for the deployment: run the preflight again afterwards.',
    });
  });
});
