import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FUNCTION_NAMES } from '../../infra/routes.ts';
import { functionsOf, type Properties, resourcesOf, synthesize } from './synthesis.ts';

const { api, data, operations } = synthesize();
const runbook = readFileSync('docs/operations.md', 'utf8');

/** Every alarm of the stage: those that tell people, and those that take rollouts back. */
const alarms = new Map(
  [operations, api]
    .flatMap((stack) => [...resourcesOf(stack, 'AWS::CloudWatch::Alarm').values()])
    .map(({ Properties }) => [String(Properties['AlarmName']).replace('identity-prod-', ''), Properties]),
);

/** When an alarm rings; its metric with it where it is a single one. */
function rule(name: string): Properties {
  const alarm = alarms.get(name);
  if (!alarm) throw new Error(`There is no alarm ${name}.`);
  return alarm;
}

interface Query {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: Record<string, unknown>; readonly Stat: string };
}

const queriesOf = (name: string) => (rule(name)['Metrics'] ?? []) as Query[];
const ABOVE = 'GreaterThanThreshold';
const BELOW = 'LessThanThreshold';

describe('alarms on money', () => {
  test('ring at the first charge whose data did not leave', () => {
    expect(rule('charge-unconfirmed')).toMatchObject({
      ...{ MetricName: 'unconfirmedCharges', Statistic: 'Sum', Threshold: 0, ComparisonOperator: ABOVE },
      ...{ Period: 300, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
    });
  });

  test('ring when the books differ at all, and when nobody has checked them for two days', () => {
    expect(rule('reconciliation-differs')).toMatchObject({
      ...{ MetricName: 'reconciliationDifferences', Statistic: 'Maximum' },
      ...{ Threshold: 0, ComparisonOperator: ABOVE },
      ...{ Period: 86_400, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
    });
    expect(rule('reconciliation-overdue')).toMatchObject({
      ...{ MetricName: 'reconciliationDifferences', Statistic: 'SampleCount' },
      ...{ Threshold: 1, ComparisonOperator: BELOW },
      ...{ Period: 86_400, EvaluationPeriods: 2, TreatMissingData: 'breaching' },
    });
  });

  test('ring when a hold is older than 5 minutes, when the sweeper is silent for 5, and when it gives up', () => {
    expect(rule('hold-too-old')).toMatchObject({
      ...{ MetricName: 'oldestHold', Statistic: 'Maximum', Threshold: 300_000, ComparisonOperator: ABOVE },
      ...{ Period: 60, EvaluationPeriods: 5, TreatMissingData: 'breaching' },
    });
    expect(rule('hold-quarantined')).toMatchObject({ MetricName: 'quarantinedHolds', Threshold: 0 });
  });

  test('ring when more than 5 % of the updates of wallets conflict, and never for fewer than 10', () => {
    const [rate, ...parts] = queriesOf('wallet-conflicts');

    expect(rate?.Expression).toBe('IF(FILL(part, 0) < 10, 0, 100 * FILL(part, 0) / FILL(whole, 1))');
    expect(rule('wallet-conflicts')).toMatchObject({ Threshold: 5, ComparisonOperator: ABOVE });
    const watched = parts.flatMap(({ MetricStat }) => MetricStat?.Metric['MetricName'] ?? []);
    expect(new Set(watched)).toEqual(new Set(['TransactionConflict', 'SuccessfulRequestLatency']));
    const [wallets] = [...resourcesOf(data, 'AWS::DynamoDB::GlobalTable').keys()].filter((id) =>
      id.startsWith('Wallets'),
    );
    expect(JSON.stringify(parts)).toContain(`ExportsOutputRef${wallets}`);
  });
});

describe('alarms on traffic', () => {
  test('tell each cause of a 5xx apart', () => {
    for (const [name, metric] of [
      ['faults', 'faults'],
      ['gateway-failures', 'gatewayFailures'],
      ['function-errors-nin-basic', 'Errors'],
    ] as const) {
      expect(rule(name)).toMatchObject({
        ...{ MetricName: metric, Statistic: 'Sum', Threshold: 0, ComparisonOperator: ABOVE, Period: 300 },
      });
    }
    expect(rule('wallet-unavailable')).toMatchObject({
      MetricName: 'unavailableWallets',
      Statistic: 'Sum',
      Threshold: 2,
    });
    const outcomes = queriesOf('registry-failures').map(({ MetricStat }) => MetricStat?.Metric['Dimensions']);
    expect(JSON.stringify(outcomes)).toContain('"Value":"unreachable"');
    expect(JSON.stringify(outcomes)).toContain('"Value":"live"');
    expect(JSON.stringify(outcomes)).not.toContain('"Value":"test"');
  });

  test('watch every function for errors', () => {
    const watched = [...alarms.values()]
      .filter(({ MetricName }) => MetricName === 'Errors')
      .flatMap(({ Dimensions }) => (Dimensions as { Value: string }[]).map(({ Value }) => Value));
    const deployed = functionsOf(api).map(({ properties }) => properties['FunctionName']);

    expect(watched.sort()).toEqual(deployed.sort());
    expect(watched).toHaveLength(FUNCTION_NAMES.length);
  });

  test('ring when a registry is down for 3 minutes, and when nobody looks', () => {
    expect(rule('registry-down')).toMatchObject({
      ...{ MetricName: 'registriesDown', Statistic: 'Maximum', Threshold: 0, ComparisonOperator: ABOVE },
      ...{ Period: 60, EvaluationPeriods: 3, TreatMissingData: 'breaching' },
    });
  });

  test('ring when somebody is turned away: by API Gateway, Lambda or DynamoDB', () => {
    expect(rule('gateway-throttles')).toMatchObject({ MetricName: 'gatewayThrottles', Threshold: 0 });
    expect(rule('function-throttles')).toMatchObject({ MetricName: 'Throttles', Threshold: 0 });
    expect(rule('function-throttles')['Dimensions']).toBeUndefined();
    const tables = queriesOf('table-throttles').filter(({ MetricStat }) => MetricStat);
    // Reads and writes of three tables, and the writes of their three indexes; an alarm takes ten.
    expect(tables).toHaveLength(9);
    const indexes = JSON.stringify(tables).match(/(?<="GlobalSecondaryIndexName","Value":")\w+/g);
    expect(indexes).toEqual(['statement', 'wallets', 'byRequest']);
  });

  test('ring before the concurrency of the account is used up', () => {
    expect(rule('concurrency')).toMatchObject({
      ...{ MetricName: 'ConcurrentExecutions', Statistic: 'Maximum', Threshold: 800 },
    });
    const small = synthesize('prod', { operations: { accountConcurrency: 10 } }).operations;
    small.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'identity-prod-concurrency',
      Threshold: 8,
    });
  });

  test('ring when the event of a schedule lies in the queue of those that failed in all tries', () => {
    const [queue] = resourcesOf(api, 'AWS::SQS::Queue').values();

    expect(rule('schedule-failed')).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: queue?.Properties['QueueName'] }],
      Threshold: 0,
    });
  });

  test('ring when a secret is older than the stage wants it, a year where it does not say', () => {
    expect(rule('secret-age')).toMatchObject({
      ...{ MetricName: 'oldestSecretDays', Statistic: 'Maximum', Threshold: 365, ComparisonOperator: ABOVE },
      ...{ Period: 86_400, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' },
    });
    const strict = synthesize('prod', { operations: { accountConcurrency: 10, secretMaxAgeDays: 90 } });
    strict.operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'identity-prod-secret-age',
      Threshold: 90,
    });
  });

  test("ring 30 days before the domain's certificate ends, where there is a domain", () => {
    const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up';
    const domain = { name: 'api.example.com', certificateArn };
    const own = synthesize('prod', { operations: { accountConcurrency: 10, domain } }).operations;

    own.hasResourceProperties('AWS::CloudWatch::Alarm', {
      ...{ MetricName: 'DaysToExpiry', Statistic: 'Minimum', Threshold: 30, ComparisonOperator: BELOW },
      Dimensions: [{ Name: 'CertificateArn', Value: certificateArn }],
    });
    expect(alarms.has('certificate-expiring')).toBe(false);
  });
});

describe('every alarm', () => {
  test.each([...alarms.keys()])('%s leads to its section in the runbook', (name) => {
    const [, section] =
      /^[A-Z].* Runbook: docs\/operations\.md#([a-z-]+)$/.exec(String(rule(name)['AlarmDescription'])) ?? [];

    expect(name.startsWith(section ?? 'no section')).toBe(true);
    expect(runbook.split('\n')).toContain(`### ${section}`);
  });

  test('has a section, and every section an alarm', () => {
    const sections =
      runbook
        .split('\n## Alarms\n')[1]
        ?.split('\n## ')[0]
        ?.match(/(?<=^### ).+$/gm) ?? [];
    const led = [...alarms.values()].map(({ AlarmDescription }) => String(AlarmDescription).split('#')[1]);

    expect(new Set(sections)).toEqual(new Set([...led, 'certificate-expiring']));
    expect(sections).toHaveLength(new Set(sections).size);
  });

  test('tells its beginning and its end to the topic, which sends mail where the stage names an address', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    const published = resourcesOf(operations, 'AWS::CloudWatch::Alarm').values();
    for (const { Properties } of published)
      expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
    operations.resourceCountIs('AWS::SNS::Subscription', 0);

    const alarmEmail = 'on-call@example.com';
    const mailing = synthesize('prod', { operations: { accountConcurrency: 10, alarmEmail } }).operations;
    mailing.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: alarmEmail });
  });

  test('may publish to the topic, whose own policy has taken the place of the one that let them', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    const [policy] = resourcesOf(operations, 'AWS::SNS::TopicPolicy').values();
    const document = policy?.Properties['PolicyDocument'] as { Statement: Properties[] } | undefined;
    const [allowed, ...others] = document?.Statement.filter(({ Effect }) => Effect === 'Allow') ?? [];

    expect(others).toEqual([]);
    expect(allowed).toMatchObject({
      ...{ Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' } },
      ...{
        Resource: { Ref: topic },
        Condition: { StringEquals: { 'aws:SourceAccount': expect.anything() } },
      },
    });
    expect(JSON.stringify(allowed?.['Condition'])).toContain(':alarm:identity-prod-*');
  });

  test('on API Gateway counts each 5xx that no function gave, and each caller that was turned away', () => {
    const filters = [...resourcesOf(api, 'AWS::Logs::MetricFilter').values()].map(({ Properties }) => [
      (Properties['MetricTransformations'] as [{ MetricName: string }])[0].MetricName,
      Properties['FilterPattern'],
    ]);
    expect(Object.fromEntries(filters)).toEqual({
      gatewayThrottles: '{ ($.errorType = "THROTTLED") || ($.errorType = "QUOTA_EXCEEDED") }',
      gatewayFailures: '{ ($.status = "5*") && ($.errorType != "-") }',
    });
  });

  test('watches metrics where the functions write them', () => {
    const environment = functionsOf(api).find(({ name }) => name === 'sweep-holds')?.environment;
    const own = [...alarms.values()].filter(({ Namespace }) => Namespace === 'IdentityVerification');
    expect(own.length).toBeGreaterThan(5);
    for (const { Namespace, Dimensions } of own) {
      expect(Namespace).toBe(environment?.['POWERTOOLS_METRICS_NAMESPACE']);
      expect(Dimensions).toEqual([{ Name: 'service', Value: environment?.['POWERTOOLS_SERVICE_NAME'] }]);
    }
  });
});

describe('the dashboard', () => {
  const [dashboard] = resourcesOf(operations, 'AWS::CloudWatch::Dashboard').values();
  const body = JSON.stringify(dashboard?.Properties['DashboardBody']);

  test.each([
    'responses',
    'lookUps',
    'latency',
    'lookUpLatency',
    'creditsCharged',
    'maybeBilled',
    'oldestHold',
  ])('shows %s', (metric) => {
    expect(body).toContain(metric);
  });

  test('shows every alarm of the stack', () => {
    for (const id of resourcesOf(operations, 'AWS::CloudWatch::Alarm').keys()) expect(body).toContain(id);
  });
});
