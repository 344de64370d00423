import { describe, expect, test } from '@jest/globals';
import { STAGES, type StageConfig } from '../../infra/config.ts';
import { FUNCTION_NAMES, ROUTES, UNKNOWN_ROUTE } from '../../infra/routes.ts';
import { functionsOf, listOf, type Properties, resourcesOf, synthesize } from './synthesis.ts';

/** What docs/operations.md, "Deploy", promises of the stages on AWS. */

const ON_AWS = STAGES.filter((stage) => stage !== 'local');
const BEHIND_THE_API = [...ROUTES, UNKNOWN_ROUTE].map(({ name }) => name);
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

function propertiesOf(template: ReturnType<typeof synthesize>['api'], type: string): Properties[] {
  return [...resourcesOf(template, type).values()].map(({ Properties }) => Properties);
}

describe('a domain', () => {
  const domain = {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up',
    hostedZone: { id: 'Z0MADEUP', name: 'example.com' },
  };
  const { api } = withOperations({ accountConcurrency: 1_000, domain });

  test('requires TLS 1.2', () => {
    expect(propertiesOf(api, 'AWS::ApiGateway::DomainName')).toEqual([
      expect.objectContaining({
        DomainName: 'api.example.com',
        SecurityPolicy: 'TLS_1_2',
        RegionalCertificateArn: domain.certificateArn,
        EndpointConfiguration: { Types: ['REGIONAL'] },
      }),
    ]);
  });

  test('is the only address of the API, which it serves at the root', () => {
    const [mapping, ...others] = propertiesOf(api, 'AWS::ApiGateway::BasePathMapping');

    expect(mapping?.['BasePath']).toBeUndefined();
    expect(others).toEqual([]);
    expect(propertiesOf(api, 'AWS::ApiGateway::RestApi')[0]).toMatchObject({
      DisableExecuteApiEndpoint: true,
    });
  });

  test('has a DNS record in its hosted zone, and is the URL of the API', () => {
    expect(propertiesOf(api, 'AWS::Route53::RecordSet')).toEqual([
      expect.objectContaining({ Name: 'api.example.com.', Type: 'A', HostedZoneId: 'Z0MADEUP' }),
    ]);
    api.hasOutput('ApiUrl', { Value: 'https://api.example.com/' });
  });

  test('is optional: API Gateway generates a URL without one', () => {
    expect(propertiesOf(prod.api, 'AWS::ApiGateway::DomainName')).toEqual([]);
    expect(propertiesOf(prod.api, 'AWS::ApiGateway::RestApi')[0]).not.toHaveProperty(
      'DisableExecuteApiEndpoint',
    );
  });
});

describe('a rollout', () => {
  test.each([
    ['canary', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
    ['linear', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
  ] as const)('%s shifts the traffic of every function behind the API with %s', (rollout, name) => {
    const { api } = withOperations({ accountConcurrency: 1_000, rollout });
    const groups = propertiesOf(api, 'AWS::CodeDeploy::DeploymentGroup');

    expect(groups).toHaveLength(BEHIND_THE_API.length);
    for (const { DeploymentConfigName } of groups) expect(DeploymentConfigName).toBe(name);
  });

  test('rolls back when it fails, is stopped, or the alarm of its function fires', () => {
    const alarms = resourcesOf(prod.api, 'AWS::CloudWatch::Alarm');
    const groups = resourcesOf(prod.api, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups.size).toBe(BEHIND_THE_API.length);
    for (const { Properties, Metadata } of groups.values()) {
      const [, name] = /\/([a-z-]+)-deployment\//.exec(Metadata['aws:cdk:path']) ?? [];
      const { Alarms } = Properties['AlarmConfiguration'] as { Alarms: { Name: { Ref: string } }[] };
      expect(Properties).toMatchObject({
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true },
      });
      const names = Alarms.map(({ Name }) => alarms.get(Name.Ref)?.Properties['AlarmName']);
      expect(names).toEqual([`identity-prod-rollback-${name}`]);
    }
  });

  test('counts crashes, faults, unavailable wallets and unconfirmed charges of a function, but no registry failures', () => {
    const alarm = [...resourcesOf(prod.api, 'AWS::CloudWatch::Alarm').values()].find(
      ({ Properties }) => Properties['AlarmName'] === 'identity-prod-rollback-nin-basic',
    );
    const queries = alarm?.Properties['Metrics'] as { MetricStat?: { Metric: unknown } }[];

    expect(queries.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])).toEqual([
      {
        Namespace: 'AWS/Lambda',
        MetricName: 'Errors',
        Dimensions: [{ Name: 'FunctionName', Value: 'identity-prod-nin-basic' }],
      },
      {
        Namespace: 'IdentityVerification',
        MetricName: 'faults',
        // CDK sorts dimensions by name.
        Dimensions: [
          { Name: 'code', Value: 'SERVER_ERROR' },
          { Name: 'route', Value: 'nin-basic' },
          { Name: 'service', Value: 'identity-prod' },
        ],
      },
      {
        Namespace: 'IdentityVerification',
        MetricName: 'unavailableWallets',
        Dimensions: [
          { Name: 'code', Value: 'SERVICE_UNAVAILABLE' },
          { Name: 'route', Value: 'nin-basic' },
          { Name: 'service', Value: 'identity-prod' },
        ],
      },
      {
        Namespace: 'IdentityVerification',
        MetricName: 'unconfirmedCharges',
        Dimensions: [
          { Name: 'code', Value: 'OUTCOME_UNKNOWN' },
          { Name: 'route', Value: 'nin-basic' },
          { Name: 'service', Value: 'identity-prod' },
        ],
      },
    ]);
  });

  test('does not exist in dev, where the API invokes functions without aliases', () => {
    const { api } = on('dev');
    expect(resourcesOf(api, 'AWS::Lambda::Alias').size).toBe(0);
    expect(resourcesOf(api, 'AWS::CodeDeploy::DeploymentGroup').size).toBe(0);
  });
});

describe('the firewall', () => {
  test('blocks an IP address above its limit, and stores no sampled requests', () => {
    const { api } = withOperations({ accountConcurrency: 1_000, firewall: { requestsPerAddress: 500 } });
    const [acl] = propertiesOf(api, 'AWS::WAFv2::WebACL');

    expect(acl).toMatchObject({
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 500 } },
        },
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
  test('applies only to the functions that the stage names', () => {
    const reservedConcurrency = { 'nin-basic': 100, health: 2 };
    const { api } = withOperations({ accountConcurrency: 1_000, reservedConcurrency });
    const reserved = functionsOf(api).flatMap(({ name, properties }) => {
      const { ReservedConcurrentExecutions: count } = properties;
      return count === undefined ? [] : [[name, count]];
    });

    expect(Object.fromEntries(reserved)).toEqual(reservedConcurrency);
  });

  test('is not set by default, since new accounts have too little', () => {
    for (const { properties } of functionsOf(prod.api))
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });
});

describe('traces', () => {
  test.each(ON_AWS)('of %s contain no URLs: API Gateway writes none', (stage) => {
    const [gateway, ...others] = propertiesOf(on(stage).api, 'AWS::ApiGateway::Stage');

    expect(others).toEqual([]);
    expect(gateway).toMatchObject({ TracingEnabled: false });
  });

  test('are active in every function, which may send them', () => {
    for (const { properties, statements } of functionsOf(prod.api)) {
      expect(properties['TracingConfig']).toEqual({ Mode: 'Active' });
      const actions = statements.flatMap(({ Action }) => listOf(Action));
      expect(actions).toEqual(expect.arrayContaining(['xray:PutTraceSegments']));
    }
  });
});

describe('data', () => {
  test.each(ON_AWS)('is in a stack with termination protection in %s', (stage) => {
    expect(on(stage).dataIsProtected).toBe(true);
  });

  test('in restored tables replaces the original tables, which remain and stay exported', () => {
    const restoredTables = {
      ApiKeys: 'keys-back',
      Wallets: 'wallets-back',
      VerificationLogs: 'logs-back',
      AuditTrail: 'audit-back',
    };
    const { data, api } = synthesize('prod', { restoredTables });
    const text = JSON.stringify(api.toJSON());

    data.hasOutput('WalletsTable', { Value: 'wallets-back' });
    data.resourceCountIs('AWS::DynamoDB::GlobalTable', 4);
    data.hasOutput('AuditTrailTable', { Value: 'audit-back' });
    for (const { environment } of functionsOf(api).filter(({ name }) => name === 'nin-basic'))
      expect(environment).toMatchObject({ API_KEYS_TABLE: 'keys-back', WALLETS_TABLE: 'wallets-back' });
    expect(text).toContain(':table/wallets-back/index/statement');
    expect(text).not.toContain('identity-prod-data:ExportsOutputRefWallets');
    expect(JSON.stringify(data.toJSON()['Outputs'])).toContain('identity-prod-data:ExportsOutputRefWallets');
  });

  test('of scheduled runs that failed in every attempt is kept for 14 days', () => {
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

describe('every stage', () => {
  test.each(ON_AWS)('%s has alarms, and its name is part of the names of functions', (stage) => {
    const { api, operations } = on(stage);
    expect(resourcesOf(operations, 'AWS::CloudWatch::Alarm').size).toBeGreaterThan(FUNCTION_NAMES.length);
    for (const { properties } of functionsOf(api))
      expect(properties['FunctionName']).toMatch(new RegExp(`^identity-${stage}-`));
  });

  test('local has no alarms, rollouts, firewall, queues or event bus', () => {
    const local = synthesize('local');
    expect(local.operations.toJSON()).toEqual({});
    const types = Object.values(local.api.toJSON()['Resources'] as Record<string, { Type: string }>).map(
      ({ Type }) => Type,
    );
    expect(types.filter((type) => /Alarm|CodeDeploy|WAF|SQS|Events::EventBus|Alias/.test(type))).toEqual([]);
  });
});
