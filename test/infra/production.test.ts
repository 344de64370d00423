import { describe, expect, test } from '@jest/globals';
import { STAGES, type StageConfig } from '../../infra/config.ts';
import { API_FUNCTION_NAMES } from '../../infra/routes.ts';
import { functionsOf, listOf, propertiesOf, resourcesOf, synthesize, type Templates } from './synthesis.ts';

/** Tests the promises in docs/operate/deploy.md, about the stages on AWS. */

const ON_AWS = STAGES.filter((stage) => stage !== 'local');
const stages = new Map(ON_AWS.map((stage) => [stage, synthesize(stage)]));
const prod = on('prod');

function on(stage: string) {
  const found = [...stages].find(([name]) => name === stage);
  if (!found) throw new Error(`${stage} is not on AWS.`);
  return found[1];
}

function withOperations(operations: StageConfig['operations']) {
  return synthesize('prod', { operations });
}

describe('the firewall', () => {
  test('blocks an IP address above its limit, and stores no sampled requests', () => {
    const { api } = withOperations({
      accountConcurrency: 1_000,
      firewall: { requestsPerAddressPerMinute: 500 },
    });
    const [acl] = propertiesOf(api, 'AWS::WAFv2::WebACL');

    expect(acl).toMatchObject({
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 500 } },
        },
        { Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 60 } } },
      ],
    });
    expect(JSON.stringify(acl)).not.toContain('"SampledRequestsEnabled":true');
    expect(JSON.stringify(propertiesOf(api, 'AWS::WAFv2::WebACLAssociation'))).toContain('/restapis/');
  });

  test('exists only if the stage sets it', () => {
    const { api } = withOperations({ accountConcurrency: 1_000 });
    expect(propertiesOf(api, 'AWS::WAFv2::WebACL')).toEqual([]);
    expect(propertiesOf(prod.api, 'AWS::WAFv2::WebACL')).toHaveLength(1);
  });
});

describe('reserved concurrency', () => {
  const reservedIn = ({ functions, api }: Templates) =>
    Object.fromEntries(
      functionsOf(functions, api).flatMap(({ name, properties }) => {
        const { ReservedConcurrentExecutions: count } = properties;
        return count === undefined ? [] : [[name, count]];
      }),
    );
  const withQuota = (accountConcurrency: number, changes: Partial<StageConfig> = {}) =>
    synthesize('prod', { ...changes, operations: { accountConcurrency } });

  test.each([
    [1_000, 100],
    [400, 40],
    [126, 12],
  ])(
    'with a quota of %i, caps the sandbox at %i and guarantees capacity for scheduled functions',
    (quota, sandbox) => {
      expect(reservedIn(withQuota(quota))).toEqual({
        'sandbox-registry': sandbox,
        'sweep-holds': 2,
        'settle-top-ups': 2,
        'reconcile-wallets': 2,
        'publish-events': 2,
      });
    },
  );

  test.each([10, 100, 111])(
    'is not set with a quota of %i, because Lambda leaves too little to reserve',
    (quota) => {
      expect(reservedIn(withQuota(quota))).toEqual({});
    },
  );

  test('follows the setting of the stage exactly, if there is one', () => {
    const reservedConcurrency = { 'nin-basic': 100, health: 2 };
    expect(reservedIn(withQuota(1_000, { reservedConcurrency }))).toEqual(reservedConcurrency);
    expect(reservedIn(withQuota(1_000, { reservedConcurrency: {} }))).toEqual({});
  });

  test('causes a warning if the quota is too small, unless the stage reserves nothing on purpose', () => {
    const warnings = (accountConcurrency: number, changes: Partial<StageConfig> = {}) =>
      synthesize('prod', {
        supportContact: 'support@example.com',
        ...changes,
        operations: { accountConcurrency },
      }).warnings;

    expect(warnings(10).join()).toContain(
      'With accountConcurrency 10, no function has reserved concurrency, because Lambda requires 100 executions',
    );
    expect(warnings(10).join()).toContain('set operations.accountConcurrency in infra/stages/prod.ts');
    expect(warnings(10, { reservedConcurrency: {} })).toEqual([]);
    expect(warnings(1_000)).toEqual([]);
  });
});

describe('the budget for test traffic', () => {
  const budgetIn = (accountConcurrency: number, changes: Partial<StageConfig> = {}) => {
    const { functions } = synthesize('prod', { ...changes, operations: { accountConcurrency } });
    const budgets = functionsOf(functions).flatMap(({ name, environment }) => {
      const { TEST_TRAFFIC: budget } = environment;
      return budget === undefined ? [] : [[name, JSON.parse(String(budget))]];
    });
    return Object.fromEntries(budgets);
  };
  const limits = (concurrentRequests: number, requestsPerSecond: number) => ({
    concurrentRequests,
    requestsPerSecond,
  });

  test.each([
    [10, { ...limits(2, 5), perOrganisation: limits(1, 2) }],
    [1_000, { ...limits(50, 50), perOrganisation: limits(13, 13) }],
    [10_000, { ...limits(50, 50), perOrganisation: limits(13, 13) }],
  ])('follows from a quota of %i, for every function that looks up numbers', (quota, budget) => {
    const budgets = budgetIn(quota);
    expect(Object.keys(budgets)).toHaveLength(10);
    for (const one of Object.values(budgets)) expect(one).toEqual(budget);
  });

  test('follows the setting of the stage, if there is one', () => {
    const testTraffic = { ...limits(20, 30), perOrganisation: limits(5, 10) };
    expect(budgetIn(1_000, { testTraffic })['nin-basic']).toEqual(testTraffic);
  });
});

describe('traces', () => {
  test.each(ON_AWS)('of %s contain no URLs, because API Gateway writes no traces', (stage) => {
    const [gateway, ...others] = propertiesOf(on(stage).api, 'AWS::ApiGateway::Stage');

    expect(others).toEqual([]);
    expect(gateway).toMatchObject({ TracingEnabled: false });
  });

  test.each([
    [undefined, 'PassThrough'],
    [true, 'Active'],
  ])(
    'with operations.traces %s have the mode %s in every function, with the permission to send them',
    (traces, Mode) => {
      const { functions, api } = synthesize('prod', {
        operations: { accountConcurrency: 1_000, ...(traces && { traces }) },
      });
      for (const { properties, statements } of functionsOf(functions, api)) {
        expect(properties['TracingConfig']).toEqual({ Mode });
        const actions = statements.flatMap(({ Action }) => listOf(Action));
        expect(actions.includes('xray:PutTraceSegments')).toBe(traces === true);
      }
    },
  );
});

describe('data', () => {
  test('is in restored tables if the stage names them, while the original tables stay exported', () => {
    const restoredTables = {
      ApiKeys: 'keys-back',
      Wallets: 'wallets-back',
      VerificationLogs: 'logs-back',
      AuditTrail: 'audit-back',
      AuditTrailStream:
        'arn:aws:dynamodb:eu-west-1:123456789012:table/audit-back/stream/2026-11-29T00:00:00.000',
      Approvals: 'approvals-back',
      Payments: 'payments-back',
      Console: 'console-back',
    };
    const { data, functions, api } = synthesize('prod', { restoredTables });
    const text = JSON.stringify([functions.toJSON(), api.toJSON()]);

    data.hasOutput('WalletsTable', { Value: 'wallets-back' });
    data.resourceCountIs('AWS::DynamoDB::GlobalTable', 7);
    data.hasOutput('AuditTrailTable', { Value: 'audit-back' });
    for (const { environment } of functionsOf(functions).filter(({ name }) => name === 'nin-basic'))
      expect(environment).toMatchObject({ API_KEYS_TABLE: 'keys-back', WALLETS_TABLE: 'wallets-back' });
    expect(text).toContain(':table/wallets-back/index/statement');
    expect(text).not.toContain('identity-prod-data:ExportsOutputRefWallets');
    expect(JSON.stringify(data.toJSON()['Outputs'])).toContain('identity-prod-data:ExportsOutputRefWallets');
  });

  test('about scheduled runs that failed on every attempt is kept for 14 days', () => {
    const [queue] = resourcesOf(prod.api, 'AWS::SQS::Queue').keys();
    const queueArn = { 'Fn::GetAtt': [queue, 'Arn'] };
    expect(propertiesOf(prod.api, 'AWS::SQS::Queue')).toEqual([
      expect.objectContaining({ MessageRetentionPeriod: 14 * 86_400, SqsManagedSseEnabled: true }),
    ]);
    const keeping = functionsOf(prod.api)
      .filter(({ properties }) => JSON.stringify(properties['DeadLetterConfig'])?.includes(queue ?? 'none'))
      .map(({ name }) => name);
    for (const { Targets, ScheduleExpression } of propertiesOf(prod.api, 'AWS::Events::Rule')) {
      expect(ScheduleExpression).toMatch(/^rate\(/);
      expect(Targets).toEqual([expect.objectContaining({ DeadLetterConfig: { Arn: queueArn } })]);
    }
    expect(keeping).toEqual(expect.arrayContaining(['sweep-holds', 'reconcile-wallets']));
  });
});

describe('stages:', () => {
  test.each(ON_AWS)('%s has alarms, and its name is part of its function names', (stage) => {
    const { api, functions, operations } = on(stage);
    expect(resourcesOf(operations, 'AWS::CloudWatch::Alarm').size).toBeGreaterThan(API_FUNCTION_NAMES.length);
    for (const { properties } of functionsOf(functions, api))
      expect(properties['FunctionName']).toMatch(new RegExp(`^identity-${stage}-`));
  });

  test('local has no alarms, rollouts, firewall or queues', () => {
    const local = synthesize('local');
    expect(local.operations.toJSON()).toEqual({});
    const types = [local.functions, local.api].flatMap((template) =>
      Object.values(template.toJSON()['Resources'] as Record<string, { Type: string }>).map(
        ({ Type }) => Type,
      ),
    );
    expect(types.filter((type) => /Alarm|CodeDeploy|WAF|SQS|Alias/.test(type))).toEqual([]);
  });
});
