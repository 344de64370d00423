import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FUNCTION_NAMES } from '../../infra/routes.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { functionsOf, type Properties, resourcesOf, synthesize, type Templates } from './synthesis.ts';

const { api, data, operations } = synthesize();
const runbook = readFileSync('docs/operations.md', 'utf8');

/** The alarms of these templates by their names after `identity-prod-`. */
function alarmsOf(...templates: Templates['api'][]): Map<string, Properties> {
  return new Map(
    templates
      .flatMap((template) => [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()])
      .map(({ Properties }) => [String(Properties['AlarmName']).replace('identity-prod-', ''), Properties]),
  );
}

/** Includes the alarms of the API stack, which roll back deployments. */
const alarms = alarmsOf(operations, api);

const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up';
const domain = { name: 'api.example.com', certificateArn };
const withDomain = synthesize('prod', { operations: { accountConcurrency: 10, domain } }).operations;

const registries = { NIN: ['prembly', 'dojah'], TIN: ['youverify'] } as const;
const withProviders = alarmsOf(synthesize('prod', { registries }).operations);

/** The properties of an alarm. */
function alarm(name: string, among = alarms): Properties {
  const found = among.get(name);
  if (!found) throw new Error(`There is no alarm ${name}.`);
  return found;
}

interface Query {
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly Record<string, string>[] };
    readonly Period: number;
    readonly Stat: string;
  };
}

const queriesOf = (name: string, among = alarms) => (alarm(name, among)['Metrics'] ?? []) as Query[];
const ABOVE = 'GreaterThanThreshold';
const BELOW = 'LessThanThreshold';

describe('ledger alarms', () => {
  test('fire at the first charge whose record may not have reached the customer', () => {
    expect(alarm('charge-unconfirmed')).toMatchObject({
      MetricName: 'unconfirmedCharges',
      Statistic: 'Sum',
      Threshold: 0,
      ComparisonOperator: ABOVE,
      Period: 300,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  test('fire when the reconciliation finds a difference, and when none has completed for two days', () => {
    expect(alarm('reconciliation-differs')).toMatchObject({
      MetricName: 'reconciliationDifferences',
      Statistic: 'Maximum',
      Threshold: 0,
      ComparisonOperator: ABOVE,
      Period: 86_400,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
    expect(alarm('reconciliation-overdue')).toMatchObject({
      MetricName: 'reconciliationDifferences',
      Statistic: 'SampleCount',
      Threshold: 1,
      ComparisonOperator: BELOW,
      Period: 86_400,
      EvaluationPeriods: 2,
      TreatMissingData: 'breaching',
    });
  });

  test('fire when a hold is older than 5 minutes, the sweeper has not run for 5, or it quarantines a hold', () => {
    expect(alarm('hold-too-old')).toMatchObject({
      MetricName: 'oldestHold',
      Statistic: 'Maximum',
      Threshold: 300_000,
      ComparisonOperator: ABOVE,
      Period: 60,
      EvaluationPeriods: 5,
      TreatMissingData: 'breaching',
    });
    expect(alarm('hold-quarantined')).toMatchObject({ MetricName: 'quarantinedHolds', Threshold: 0 });
  });

  test('fire when more than 5% of wallet updates conflict, but not for fewer than 10 conflicts', () => {
    const [rate, ...metrics] = queriesOf('wallet-conflicts');

    expect(rate?.Expression).toBe('IF(FILL(part, 0) < 10, 0, 100 * FILL(part, 0) / FILL(whole, 1))');
    expect(alarm('wallet-conflicts')).toMatchObject({ Threshold: 5, ComparisonOperator: ABOVE });
    const names = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric['MetricName'] ?? []);
    expect(new Set(names)).toEqual(new Set(['TransactionConflict', 'SuccessfulRequestLatency']));
    const [wallets] = [...resourcesOf(data, 'AWS::DynamoDB::GlobalTable').keys()].filter((id) =>
      id.startsWith('Wallets'),
    );
    expect(JSON.stringify(metrics)).toContain(`ExportsOutputRef${wallets}`);
  });
});

describe('traffic and capacity alarms', () => {
  test('distinguish the causes of 5xx responses', () => {
    for (const [name, metric] of [
      ['faults', 'faults'],
      ['gateway-failures', 'gatewayFailures'],
      ['function-errors-nin-basic', 'Errors'],
    ] as const) {
      expect(alarm(name)).toMatchObject({
        MetricName: metric,
        Statistic: 'Sum',
        Threshold: 0,
        ComparisonOperator: ABOVE,
        Period: 300,
      });
    }
    expect(alarm('wallet-unavailable')).toMatchObject({
      MetricName: 'unavailableWallets',
      Statistic: 'Sum',
      Threshold: 2,
    });
    const outcomes = queriesOf('registry-failures').map(({ MetricStat }) => MetricStat?.Metric['Dimensions']);
    expect(JSON.stringify(outcomes)).toContain('"Value":"unreachable"');
    expect(JSON.stringify(outcomes)).toContain('"Value":"live"');
    expect(JSON.stringify(outcomes)).not.toContain('"Value":"test"');
  });

  test('fire on errors of any function', () => {
    const monitored = [...alarms.values()]
      .filter(({ MetricName }) => MetricName === 'Errors')
      .flatMap(({ Dimensions }) => (Dimensions as { Value: string }[]).map(({ Value }) => Value));
    const deployed = functionsOf(api).map(({ properties }) => properties['FunctionName']);

    expect(monitored.sort()).toEqual(deployed.sort());
    expect(monitored).toHaveLength(FUNCTION_NAMES.length);
  });

  test('fire when a registry is down for 3 minutes, or its state is not reported', () => {
    expect(alarm('registry-down')).toMatchObject({
      MetricName: 'registriesDown',
      Statistic: 'Maximum',
      Threshold: 0,
      ComparisonOperator: ABOVE,
      Period: 60,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
    });
  });

  test('fire when API Gateway, Lambda or DynamoDB throttles', () => {
    expect(alarm('gateway-throttles')).toMatchObject({ MetricName: 'gatewayThrottles', Threshold: 0 });
    expect(alarm('function-throttles')).toMatchObject({ MetricName: 'Throttles', Threshold: 0 });
    expect(alarm('function-throttles')['Dimensions']).toBeUndefined();
    const tables = queriesOf('table-throttles').filter(({ MetricStat }) => MetricStat);
    // Reads and writes of the three tables that requests use, and writes of their three indexes. CloudWatch allows ten.
    expect(tables).toHaveLength(9);
    const indexes = JSON.stringify(tables).match(/(?<="GlobalSecondaryIndexName","Value":")\w+/g);
    expect(indexes).toEqual(['statement', 'wallets', 'byRequest']);
  });

  test('fire at 80% of the concurrency of the account', () => {
    expect(alarm('concurrency')).toMatchObject({
      MetricName: 'ConcurrentExecutions',
      Statistic: 'Maximum',
      Threshold: 800,
    });
    const small = synthesize('prod', { operations: { accountConcurrency: 10 } }).operations;
    small.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'identity-prod-concurrency',
      Threshold: 8,
    });
  });

  test('fire when the queue contains the event of a scheduled run that failed in every attempt', () => {
    const [queue] = resourcesOf(api, 'AWS::SQS::Queue').values();

    expect(alarm('schedule-failed')).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: queue?.Properties['QueueName'] }],
      Threshold: 0,
    });
  });

  test('fire when a secret is older than secretMaxAgeDays, by default a year', () => {
    expect(alarm('secret-age')).toMatchObject({
      MetricName: 'oldestSecretDays',
      Statistic: 'Maximum',
      Threshold: 365,
      ComparisonOperator: ABOVE,
      Period: 86_400,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
    const strict = synthesize('prod', { operations: { accountConcurrency: 10, secretMaxAgeDays: 90 } });
    strict.operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'identity-prod-secret-age',
      Threshold: 90,
    });
  });

  test("fire 30 days before the domain's certificate expires, if there is a domain", () => {
    withDomain.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'DaysToExpiry',
      Statistic: 'Minimum',
      Threshold: 30,
      ComparisonOperator: BELOW,
      Dimensions: [{ Name: 'CertificateArn', Value: certificateArn }],
    });
    expect(alarms.has('certificate-expiring')).toBe(false);
  });
});

describe('abuse alarms', () => {
  test.each([
    ['guess-limit', 'guessLimited', 'Sum', 20, 300],
    ['misses-high', 'withManyMisses', 'Maximum', 0, 3600],
    ['look-ups-high', 'withManyLookUps', 'Maximum', 0, 3600],
    ['new-network', 'newNetworks', 'Sum', 0, 3600],
    ['rejected-keys', 'rejectedKeys', 'Sum', 100, 300],
  ])('%s fires on %s and names no customer', (name, metric, statistic, threshold, seconds) => {
    expect(alarm(name)).toMatchObject({
      MetricName: metric,
      Statistic: statistic,
      Threshold: threshold,
      ComparisonOperator: ABOVE,
      Period: seconds,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      Dimensions: [{ Name: 'service', Value: 'identity-prod' }],
    });
  });
});

describe('alarms on providers that change their responses', () => {
  const ofProviders = [...withProviders.keys()].filter((name) => !alarms.has(name));

  test('are two for each provider and ID type of the routing', () => {
    expect(ofProviders.sort()).toEqual([
      'failed-share-dojah-nin',
      'failed-share-prembly-nin',
      'failed-share-youverify-tin',
      'found-share-dojah-nin',
      'found-share-prembly-nin',
      'found-share-youverify-tin',
    ]);
  });

  test.each([
    ['failed-share-prembly-nin', 'IF(results < 50, 0, 100 * FILL(part, 0) / results)', ABOVE, 'failed'],
    ['found-share-prembly-nin', 'IF(results < 150, 100, 100 * FILL(part, 0) / results)', BELOW, 'found'],
  ])(
    '%s fires at 20%% of enough results in two periods of 15 minutes',
    (name, expression, operator, outcome) => {
      expect(alarm(name, withProviders)).toMatchObject({
        Threshold: 20,
        ComparisonOperator: operator,
        EvaluationPeriods: 2,
        TreatMissingData: 'notBreaching',
      });
      const [share, ...others] = queriesOf(name, withProviders);
      expect(share?.Expression).toBe(expression);
      expect(others.map(({ Expression }) => Expression).filter((text) => text !== undefined)).toEqual([
        'FILL(result0, 0) + FILL(result1, 0) + FILL(result2, 0)',
      ]);
      const metrics = others.flatMap(({ MetricStat }) => MetricStat ?? []);
      const dimensionsOf = (dimensions: readonly Record<string, string>[]) =>
        Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));
      expect(metrics.map(({ Metric }) => dimensionsOf(Metric.Dimensions)['outcome'])).toEqual(
        expect.arrayContaining(['found', 'not-found', 'failed', outcome]),
      );
      for (const { Metric, Period, Stat } of metrics) {
        expect([Metric.MetricName, Period, Stat]).toEqual(['lookUps', 900, 'Sum']);
        expect(dimensionsOf(Metric.Dimensions)).toEqual({
          service: 'identity-prod',
          provider: 'prembly',
          environment: 'live',
          idType: 'NIN',
          outcome: expect.stringMatching(/^(found|not-found|failed)$/),
        });
      }
    },
  );

  test('stay within the limits of CloudWatch and CloudFormation, even with every provider in the routing', () => {
    const all = Object.fromEntries(ID_TYPES.map((idType) => [idType, LIVE_PROVIDER_NAMES]));
    const { operations: full } = synthesize('prod', { registries: all });
    const count = resourcesOf(full, 'AWS::CloudWatch::Alarm').size;

    expect(count - resourcesOf(operations, 'AWS::CloudWatch::Alarm').size).toBe(
      2 * ID_TYPES.length * LIVE_PROVIDER_NAMES.length,
    );
    // A dashboard's list of alarms holds 100.
    expect(count).toBeLessThanOrEqual(100);
  });
});

describe('every alarm', () => {
  /** The text of each section of the runbook, by its heading. */
  const sections = new Map(
    (runbook.split('\n## Alarms\n')[1] ?? '')
      .split('\n## ')[0]
      ?.split('\n### ')
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );
  const described = [...new Map([...alarms, ...alarmsOf(withDomain), ...withProviders])].map(
    ([name, { AlarmDescription }]) => [name, String(AlarmDescription)] as const,
  );

  test.each(described)('%s says in two sentences what customers notice and why: %s', (name, text) => {
    const [, description = '', section = ''] =
      /^(.+) Runbook: docs\/operations\.md#([a-z-]+)$/.exec(text) ?? [];

    expect(description).toMatch(/^[^.]*[Cc]ustomer[^.]*\. [^.]+\.$/);
    expect(name === section || name.startsWith(`${section}-`)).toBe(true);
    expect([...sections.keys()]).toContain(section);
  });

  test('has a runbook section with meaning, checks, fix and end, and every section has its alarm', () => {
    const referenced = described.map(([, text]) => text.split('#')[1]);

    expect(new Set(sections.keys())).toEqual(new Set(referenced));
    for (const [section, text] of sections) {
      const labels = text.match(/^\*\*[A-Za-z ]+:\*\*/gm);
      expect([section, labels]).toEqual([section, ['**Meaning:**', '**Check:**', '**Fix:**', '**Clears:**']]);
    }
  });

  test('is listed once in the table of priorities', () => {
    const table = runbook.match(/(?<=^\| (?:At once|Within|On a).*)\]\(#[a-z-]+\)/gm) ?? [];

    expect(table.map((link) => link.slice(3, -1)).sort()).toEqual([...sections.keys()].sort());
  });

  test('notifies the topic when it fires and clears, and the topic sends mail to alarmEmail', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    for (const { Properties } of resourcesOf(operations, 'AWS::CloudWatch::Alarm').values())
      expect(Properties).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
    operations.resourceCountIs('AWS::SNS::Subscription', 0);

    const alarmEmail = 'on-call@example.com';
    const mailing = synthesize('prod', { operations: { accountConcurrency: 10, alarmEmail } }).operations;
    mailing.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: alarmEmail });
  });

  test('may publish to the topic, whose policy allows nothing else', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    const [policy] = resourcesOf(operations, 'AWS::SNS::TopicPolicy').values();
    const document = policy?.Properties['PolicyDocument'] as { Statement: Properties[] } | undefined;
    const [allowed, ...others] = document?.Statement.filter(({ Effect }) => Effect === 'Allow') ?? [];

    expect(others).toEqual([]);
    expect(allowed).toMatchObject({
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Resource: { Ref: topic },
      Condition: { StringEquals: { 'aws:SourceAccount': expect.anything() } },
    });
    expect(JSON.stringify(allowed?.['Condition'])).toContain(':alarm:identity-prod-*');
  });

  test('on API Gateway counts each 5xx and each throttled request that reached no function', () => {
    const filters = [...resourcesOf(api, 'AWS::Logs::MetricFilter').values()].map(({ Properties }) => [
      (Properties['MetricTransformations'] as [{ MetricName: string }])[0].MetricName,
      Properties['FilterPattern'],
    ]);
    expect(Object.fromEntries(filters)).toEqual({
      gatewayThrottles: '{ ($.errorType = "THROTTLED") || ($.errorType = "QUOTA_EXCEEDED") }',
      gatewayFailures: '{ ($.status = "5*") && ($.errorType != "-") }',
    });
  });

  test('reads metrics from the namespace and service that the functions write', () => {
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
