import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { OperatorsConfig } from '../../infra/config.ts';
import { INVOKED_BY_API } from '../../infra/routes.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../shared/operators/actions.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { PREFLIGHT_ACTIONS } from '../support/account-double.ts';
import { PIN } from '../support/pin-stages.ts';
import { listOf, type Properties, resourcesOf, type Statement, synthesize } from './synthesis.ts';

/**
 * Tests the promises in docs/operate/admin/roles.md. `test/operator/roles.test.ts` runs the commands under these policies.
 */

const { access, operations } = synthesize('prod');

function roleOf(template: typeof access, name: OperatorRole | 'break-glass'): Properties {
  const roles = [...resourcesOf(template, 'AWS::IAM::Role').values()];
  const found = roles.find(({ Properties }) => Properties['RoleName'] === `identity-prod-${name}`);
  if (!found) throw new Error(`There is no role ${name}.`);
  return found.Properties;
}

function trustOf(template: typeof access, name: OperatorRole | 'break-glass'): Record<string, unknown>[] {
  const { Statement: statements } = roleOf(template, name)['AssumeRolePolicyDocument'] as {
    Statement: Record<string, unknown>[];
  };
  return statements;
}

/** Returns the statements of a role's policies, except those for the runbooks and the preflight. */
function statementsOf(name: OperatorRole): readonly Statement[] {
  const [[roleId] = []] = [...resourcesOf(access, 'AWS::IAM::Role')].filter(
    ([, { Properties }]) => Properties['RoleName'] === `identity-prod-${name}`,
  );
  return [...resourcesOf(access, 'AWS::IAM::ManagedPolicy').values()]
    .filter(({ Properties }) =>
      [`identity-prod-${name}`, 'identity-prod-reconciliation'].includes(
        String(Properties['ManagedPolicyName']),
      ),
    )
    .filter(({ Properties }) => JSON.stringify(Properties['Roles']).includes(`"${roleId}"`))
    .flatMap(({ Properties }) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
}

const CHARGE = '#??????????#??????????????????????????';
/** The shards of wallets, and the charges that say which of their holds are spent. */
const BALANCE = `live#??????????#?? test#??????????#?? live${CHARGE} test${CHARGE}`;
const SEALS = 'live#??????????#SEALS test#??????????#SEALS';
/** The closed months, lots and documents of wallets, but no orders, price lists or current billing details. */
const CLOSINGS = 'live#?????????? test#??????????';
const ALL = 'operator finance finance-read-only privacy engineer read-only';
const WITH_WALLETS = 'operator finance finance-read-only engineer read-only';
const RECONCILING = 'finance engineer read-only';
const PAYMENTS = 'finance finance-read-only';

/** Every right on data: the action, the resource with the leading keys of its items, and the roles that have it. */
const RIGHTS: Readonly<Record<string, string>> = {
  'dynamodb:GetItem ApiKeys ORG#*': ALL,
  'dynamodb:Scan ApiKeys': ALL,
  'dynamodb:Query ApiKeys KEYS#*': 'operator privacy read-only',
  'dynamodb:BatchGetItem ApiKeys RATE#*': 'operator privacy read-only',
  'dynamodb:BatchGetItem ApiKeys REGISTRY#*': 'operator engineer read-only',
  'dynamodb:Query Approvals APPROVALS': 'operator finance finance-read-only privacy read-only',
  'dynamodb:Query AuditTrail': WITH_WALLETS,
  'dynamodb:Scan AuditTrail': 'operator finance finance-read-only read-only',
  's3:ListBucketVersions AuditArchive': RECONCILING,
  's3:GetObjectVersion AuditArchive/audit/*': RECONCILING,
  's3:GetObjectVersion AuditArchive/changed/*': RECONCILING,
  'dynamodb:BatchGetItem Console ORG#*': 'operator privacy',
  'dynamodb:GetItem Console ORG#*': 'operator privacy',
  'dynamodb:Query Console ORG#*': 'operator privacy',
  'kms:Decrypt Key': RECONCILING,
  'kms:DescribeKey Key': RECONCILING,
  'dynamodb:BatchGetItem Payments': PAYMENTS,
  'dynamodb:GetItem Payments': PAYMENTS,
  'dynamodb:Query Payments': PAYMENTS,
  'dynamodb:Query Payments/index/due': `${PAYMENTS} engineer read-only`,
  'dynamodb:Query Payments/index/orders': `${PAYMENTS} engineer read-only`,
  'dynamodb:GetItem Payments COUNTER#* ORG#*': RECONCILING,
  // Without cards.
  'dynamodb:GetItem Payments AUTOMATIC#*': RECONCILING,
  // Keys and organisations only.
  'dynamodb:Scan Payments': RECONCILING,
  'dynamodb:Query Payments live#TOPUP#* test#TOPUP#* PRICES#*': RECONCILING,
  [`dynamodb:Query Payments ${CLOSINGS}`]: RECONCILING,
  ...Object.fromEntries(
    LIVE_PROVIDER_NAMES.map((name) => [`secretsmanager:GetSecretValue Registry${name}`, 'engineer']),
  ),
  'secretsmanager:GetSecretValue TestKey': 'engineer',
  'dynamodb:Query VerificationLogs/index/byRequest': RECONCILING,
  'dynamodb:Query VerificationLogs/index/byTime': RECONCILING,
  'dynamodb:Scan VerificationLogs': RECONCILING,
  'dynamodb:BatchGetItem Wallets': RECONCILING,
  'dynamodb:GetItem Wallets': RECONCILING,
  'dynamodb:Scan Wallets': RECONCILING,
  [`dynamodb:BatchGetItem Wallets ${BALANCE}`]: WITH_WALLETS,
  [`dynamodb:GetItem Wallets ${BALANCE}`]: WITH_WALLETS,
  'dynamodb:Query Wallets/index/statement': WITH_WALLETS,
  [`dynamodb:Query Wallets ${SEALS}`]: RECONCILING,
};

/** Returns the rights of a role on data as `RIGHTS` names them. */
function rightsOf(name: OperatorRole): string[] {
  return statementsOf(name).flatMap(({ Action, Resource, Condition }) => {
    const actions = listOf(Action).filter((action) => /^(dynamodb|secretsmanager|kms|s3):/.test(action));
    const keys = Object(Object(Condition)['ForAllValues:StringLike'])['dynamodb:LeadingKeys'] ?? [];
    return listOf(Resource).flatMap((resource) => {
      const text = JSON.stringify(resource);
      const [, id = text] = /ExportsOutput(?:Ref|FnGetAtt)([A-Za-z]+?)[0-9A-F]{8}/.exec(text) ?? [];
      const [path = ''] = /\/(index\/\w+|\w+\/\*)/.exec(text) ?? [];
      return actions.map((action) => [`${action} ${id}${path}`, ...keys].join(' '));
    });
  });
}

const withOperators = (operators: OperatorsConfig) =>
  synthesize('prod', { operations: { accountConcurrency: 1_000, operators } }).access;

describe('operator roles:', () => {
  test.each(OPERATOR_ROLES)('%s needs a second factor and a session named after the user', (name) => {
    const [statement, ...others] = trustOf(access, name);

    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Condition: {
        Bool: { 'aws:MultiFactorAuthPresent': 'true' },
        StringEquals: { 'sts:RoleSessionName': `\${aws:username}` },
      },
    });
    expect(JSON.stringify(statement?.['Principal'])).toContain(':root');
    expect(roleOf(access, name)['MaxSessionDuration']).toBe(3_600);
  });

  test('each is limited to the users and the session duration that the stage sets', () => {
    const users = { finance: ['arn:aws:iam::111122223333:user/ada', 'arn:aws:iam::111122223333:user/bola'] };
    const template = withOperators({ users, sessionHours: 4 });
    const [statement] = trustOf(template, 'finance');

    expect(statement?.['Principal']).toEqual({ AWS: users.finance });
    expect(statement?.['Condition']).toEqual(trustOf(access, 'finance')[0]?.['Condition']);
    expect(roleOf(template, 'finance')['MaxSessionDuration']).toBe(4 * 3_600);
    expect(trustOf(template, 'privacy')).toEqual(trustOf(access, 'privacy'));
  });

  test.each<[string, object, string]>([
    ['a role that does not exist', { users: { boss: [] } }, 'boss'],
    ['a role without users', { users: { finance: [] } }, 'Use ARNs of IAM users'],
    [
      'the whole account',
      { users: { finance: ['arn:aws:iam::111122223333:root'] } },
      'Use ARNs of IAM users',
    ],
    ['a session of 13 hours', { sessionHours: 13 }, 'Use a whole number from 1 to 12.'],
  ])('none can be given to %s', (_, operators, message) => {
    expect(() => withOperators(operators)).toThrow(message);
  });

  test('none has a wildcard action, or a wildcard resource except the IDs of two stacks and of changes, and objects in the archive', () => {
    for (const name of OPERATOR_ROLES) {
      for (const { Action, Resource, Effect } of statementsOf(name)) {
        expect(Effect).toBe('Allow');
        for (const action of listOf(Action))
          expect(action).toMatch(/^(dynamodb|secretsmanager|kms|cloudformation|execute-api|s3):[A-Za-z]+$/);
        const resource = JSON.stringify(Resource);
        if (Action === 'cloudformation:DescribeStacks')
          expect(resource).toMatch(/:stack\/identity-prod-data\/\*.*:stack\/identity-prod-operators\/\*/);
        else if (Action === 'execute-api:Invoke')
          expect(resource.replace('/GET/operations/*', '')).not.toContain('*');
        else if (!/AuditArchive.*\/(audit|changed)\/\*/.test(resource)) expect(resource).not.toContain('*');
      }
    }
  });

  test('each has one policy, those that reconcile share one, the engineer has two more, and break-glass has one', () => {
    for (const name of OPERATOR_ROLES) {
      expect(roleOf(access, name)).not.toHaveProperty('Policies');
      expect(roleOf(access, name)).not.toHaveProperty('ManagedPolicyArns');
    }
    expect(resourcesOf(access, 'AWS::IAM::Policy').size).toBe(0);
    expect(resourcesOf(access, 'AWS::IAM::ManagedPolicy').size).toBe(OPERATOR_ROLES.length + 4);
  });
});

describe('separation of duties:', () => {
  test('the roles have the rights in the table above, and no others', () => {
    const found = OPERATOR_ROLES.flatMap((name) =>
      [...new Set(rightsOf(name))].map((right) => [right, name] as const),
    );
    const rights = [...new Set(found.map(([right]) => right))].map((right) => [
      right,
      found.flatMap(([one, name]) => (one === right ? name : [])).join(' '),
    ]);
    expect(Object.fromEntries(rights)).toEqual(RIGHTS);
  });

  test('no role can write a table, or read the pepper or the keys of the payment provider', () => {
    for (const right of Object.keys(RIGHTS))
      expect(right).not.toMatch(
        /Put|Update|Delete|Write|Pepper|PaymentsKey|SlipKey|SandboxKey|WebhookKey|CardKey/,
      );
  });

  test('only the roles that make changes can call the operator API', () => {
    const callers = OPERATOR_ROLES.filter((name) =>
      statementsOf(name).some(({ Action }) => listOf(Action).includes('execute-api:Invoke')),
    );
    expect(callers).toEqual(['operator', 'finance', 'privacy', 'engineer']);
  });

  test('only break-glass can write items, and it can be assumed only in the region of the stage', () => {
    const policies = [...resourcesOf(access, 'AWS::IAM::ManagedPolicy').values()].map(
      ({ Properties }) => Properties,
    );
    const writing = policies.filter((one) => /dynamodb:PutItem/.test(JSON.stringify(one['PolicyDocument'])));
    expect(writing.map((one) => one['ManagedPolicyName'])).toEqual(['identity-prod-break-glass']);
    expect(trustOf(access, 'break-glass')[0]?.['Condition']).toEqual({
      Bool: { 'aws:MultiFactorAuthPresent': 'true' },
      StringEquals: {
        'sts:RoleSessionName': `\${aws:username}`,
        'aws:RequestedRegion': PIN.region,
      },
    });
    const rules = [...resourcesOf(operations, 'AWS::Events::Rule').values()];
    expect(rules.map(({ Properties }) => Properties['EventPattern'])).toContainEqual({
      source: ['aws.sts'],
      'detail-type': ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['AssumeRole'],
        requestParameters: { roleArn: [{ suffix: ':role/identity-prod-break-glass' }] },
      },
    });
    // A rule without this state receives no read events, such as AssumeRole.
    expect(rules.map(({ Properties }) => Properties['State'])).toContain(
      'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS',
    );
  });
});

test('only the engineer has the policy for the runbooks, which gives no access to tables or secrets', () => {
  const policies = [...resourcesOf(access, 'AWS::IAM::ManagedPolicy').values()].map(
    ({ Properties }) => Properties,
  );
  const [found, ...others] = policies.filter((one) =>
    String(one['ManagedPolicyName']).endsWith('-diagnostics'),
  );
  if (!found) throw new Error('There is no policy for diagnostics.');
  const { Statement: statements } = found['PolicyDocument'] as { Statement: Statement[] };
  const writes = statements.filter(({ Action }) =>
    listOf(Action).some(
      (action) =>
        !/:(Describe|Get|List|BatchGet|Filter|Start|StopQuery|Receive)|^codedeploy:Stop/.test(action),
    ),
  );
  const [[roleId] = []] = [...resourcesOf(access, 'AWS::IAM::Role')].filter(
    ([, { Properties }]) => Properties['RoleName'] === 'identity-prod-engineer',
  );

  expect(others).toEqual([]);
  expect(found['Roles']).toEqual([{ Ref: roleId }]);
  expect(JSON.stringify(statements)).not.toMatch(/dynamodb:|secretsmanager:|iam:|sts:|kms:/);
  expect(writes.map(({ Action }) => Action)).toEqual([
    'lambda:InvokeFunction',
    ['sqs:GetQueueUrl', 'sqs:PurgeQueue', 'sqs:ReceiveMessage'],
    ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
    [
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:GetQueueUrl',
      'sqs:ListMessageMoveTasks',
      'sqs:ReceiveMessage',
      'sqs:StartMessageMoveTask',
    ],
    ['lambda:GetAlias', 'lambda:ListVersionsByFunction', 'lambda:UpdateAlias'],
  ]);
  const [invoke, queue, webhooks, failedWebhooks, versions] = writes.map(({ Resource }) =>
    JSON.stringify(Resource),
  );
  // The functions that the runbooks tell the engineer to invoke.
  const runbooks = runbookPages().join('\n');
  const invoked = new Set([
    ...[...runbooks.matchAll(/aws lambda invoke --function-name identity-prod-([\w-]+)/g)].map(
      ([, name]) => name,
    ),
    'reconcile-wallets',
  ]);
  const [breakGlass] = policies.filter((one) => one['ManagedPolicyName'] === 'identity-prod-break-glass');
  const functionsIn = (text = '') =>
    [...text.matchAll(/:function:identity-prod-([\w-]+)"/g)].map(([, name]) => name);
  expect(functionsIn(invoke)).toEqual(['reconcile-wallets', 'roll-up-usage']);
  // An invented event would reach customers, so these need the role whose uses are reported.
  expect(functionsIn(JSON.stringify(breakGlass))).toEqual(['console-send-alerts', 'start-webhooks']);
  expect([...functionsIn(invoke), ...functionsIn(JSON.stringify(breakGlass))].sort()).toEqual(
    [...invoked].sort(),
  );
  expect(queue).toContain(':identity-prod-failed-schedules"');
  expect(webhooks).toContain(':identity-prod-webhooks"');
  expect(failedWebhooks).toContain(':identity-prod-failed-webhooks"');
  for (const { name } of INVOKED_BY_API) expect(versions).toContain(`:function:identity-prod-api-${name}"`);
  expect(versions).not.toContain('*');
  // It has no resource type.
  const stopping = statements.find(({ Action }) => listOf(Action).includes('codedeploy:StopDeployment'));
  expect(stopping?.Resource).toBe('*');
});

test('only the engineer can read what the preflight reads, in a policy that cannot change anything', () => {
  const policies = [...resourcesOf(access, 'AWS::IAM::ManagedPolicy').values()].map(
    ({ Properties }) => Properties,
  );
  const [found, ...others] = policies.filter((one) =>
    String(one['ManagedPolicyName']).endsWith('-preflight'),
  );
  if (!found) throw new Error('There is no policy for the preflight.');
  const { Statement: statements } = found['PolicyDocument'] as { Statement: Statement[] };
  const [[roleId] = []] = [...resourcesOf(access, 'AWS::IAM::Role')].filter(
    ([, { Properties }]) => Properties['RoleName'] === 'identity-prod-engineer',
  );
  const actions = statements.flatMap(({ Action }) => listOf(Action));

  expect(others).toEqual([]);
  expect(found['Roles']).toEqual([{ Ref: roleId }]);
  for (const action of actions) expect(action).toMatch(/^[a-z\d-]+:(Get|List|Describe|GET)/);
  // The actions of every preflight call. The role's own policy allows reading the secrets of providers.
  expect(new Set([...actions, 'secretsmanager:GetSecretValue'])).toEqual(
    new Set(Object.values(PREFLIGHT_ACTIONS)),
  );
  const resources = JSON.stringify(statements.map(({ Resource }) => Resource));
  expect(resources).toContain(':stack/identity-prod-*/*');
  expect(resources).toContain(':identity-prod-operations-*');
  expect(resources).toContain(':parameter/cdk-bootstrap/*');
  expect(resources).toContain('::/account');
});

/** Returns the texts of the runbooks, without the index. */
const runbookPages = () =>
  globSync('docs/operate/runbooks/*.md')
    .filter((path) => !path.endsWith('README.md'))
    .map((path) => readFileSync(path, 'utf8'));

/** The AWS CLI service names that differ from the prefixes of actions. */
const PREFIXES: Readonly<Record<string, string>> = { deploy: 'codedeploy', sesv2: 'ses' };

/** Returns the action that an AWS CLI command needs, without its service. */
const actionOf = (command: string) =>
  command
    .replace(/^(.)|-(.)/g, (_, first = '', next = '') => (first + next).toUpperCase())
    .replace(/^Invoke$/, 'InvokeFunction');

test('the runbooks name who may run each command that the engineer role may not run', () => {
  const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const rowsOf = (text: string) =>
    (text.match(/^\|.*\|$/gm) ?? []).map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const quotedIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
  const [, roles = ''] = read('operate/admin/roles.md').split('\n## Which role may run each command\n');
  const permitted = new Map(
    rowsOf(roles.split('\n## ')[0] ?? '')
      .slice(2)
      .map(([name = '', ...cells]) => [
        name.replaceAll('`', ''),
        OPERATOR_ROLES.filter((_, index) => cells[index] === 'yes'),
      ]),
  );
  const [intro = '', rest = ''] = read('operate/runbooks/README.md').split('| command |');
  const [, , ...table] = rowsOf(`| command |${rest.split('\n## ')[0]}`);
  const listed = new Map(
    table.flatMap(([names = '', who = '']) => quotedIn(names).map((name) => [name, who])),
  );

  const text = runbookPages().join('\n');
  const refused = [...permitted]
    .filter(
      ([name, who]) => !who.includes('engineer') && new RegExp(`(\`|admin |prod )${name}[\` ]`).test(text),
    )
    .map(([name]) => name);
  expect(refused.length).toBeGreaterThan(5);
  for (const name of refused) expect([name, listed.has(name)]).toEqual([name, true]);
  for (const [name, who] of listed) expect([name, quotedIn(who)]).toEqual([name, permitted.get(name) ?? []]);

  const policies = [...resourcesOf(access, 'AWS::IAM::ManagedPolicy').values()].filter(({ Properties }) =>
    String(Properties['ManagedPolicyName']).startsWith('identity-prod-engineer'),
  );
  const actions = policies.flatMap(({ Properties }) =>
    (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement.flatMap(({ Action }) =>
      listOf(Action),
    ),
  );
  const denied = [...`${intro}${text}`.matchAll(/\baws ([a-z0-9]+) ([a-z-]+)/g)]
    .filter(([, service = '', command = '']) => {
      const prefix = PREFIXES[service] ?? service;
      return !actions.includes(`${prefix}:${prefix === 'apigateway' ? 'GET' : actionOf(command)}`);
    })
    .map(([command]) => command);
  expect(denied).toContain('aws secretsmanager put-secret-value');
  for (const name of denied) expect([name, listed.has(name)]).toEqual([name, true]);
});

test("only finance may store reports in the stage's bucket, and it may not read them", () => {
  const money = {
    seller: { name: 'Seller', address: ['Lagos'], taxNumber: '12345678-0001', email: 'a@seller.example' },
    vat: [{ from: '2020-02-01', basisPoints: 750 }],
    documentPrefix: 'IDV',
    leastCredits: 1,
    mostCredits: 1_000,
    paystackUrl: 'https://api.paystack.co',
  };
  const policies = (exportBucket?: string) => {
    const template = synthesize('prod', {
      money: { ...money, ...(exportBucket && { exportBucket }) },
    }).access;
    return [...resourcesOf(template, 'AWS::IAM::ManagedPolicy').values()].flatMap(({ Properties }) => {
      const { Statement: statements } = Properties['PolicyDocument'] as { Statement: Statement[] };
      return statements
        .filter(({ Action }) => listOf(Action).includes('s3:PutObject'))
        .map((statement) => ({ name: Properties['ManagedPolicyName'], ...statement }));
    });
  };
  expect(policies()).toEqual([]);
  expect(policies('example-finance-reports')).toEqual([
    {
      name: 'identity-prod-finance',
      Effect: 'Allow',
      Action: 's3:PutObject',
      Resource: 'arn:aws:s3:::example-finance-reports/reports/*',
      Condition: { StringEquals: { 'aws:ResourceAccount': expect.anything() } },
    },
  ]);
});
