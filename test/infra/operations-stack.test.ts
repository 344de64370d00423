import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ROUTES, UNKNOWN_ROUTE } from '../../infra/routes.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { METRICS_NAMESPACE } from '../../shared/core/metrics.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { CONSOLE } from './console.ts';
import { MONEY } from './money.ts';
import { functionsOf, type Properties, resourcesOf, synthesize, type Templates } from './synthesis.ts';

const { api, data, operations } = synthesize();
const runbook = readFileSync('docs/operations.md', 'utf8');

/** Returns an alarm's name without `identity-prod-`, and without the version at the end of a rollback alarm's name. */
function nameOf({ AlarmName }: Properties): string {
  const { 'Fn::Join': join } = Object(AlarmName) as { 'Fn::Join'?: [string, [string, unknown]] };
  const text = join ? join[1][0].replace(/-v$/, '') : String(AlarmName);
  return text.replace('identity-prod-', '');
}

/** Returns the alarms of these templates by their names after `identity-prod-`. */
function alarmsOf(...templates: Templates['api'][]): Map<string, Properties> {
  return new Map(
    templates
      .flatMap((template) => [
        ...resourcesOf(template, 'AWS::CloudWatch::Alarm').values(),
        ...resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm').values(),
      ])
      .map(({ Properties }) => [nameOf(Properties), Properties]),
  );
}

/** Includes the alarms of the API stack, which roll back deployments. */
const alarms = alarmsOf(operations, api);

const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up';
const domain = { name: 'api.example.com', certificateArn };
const withDomain = synthesize('prod', {
  operations: { accountConcurrency: 10, domain, generatedUrl: 'closed' },
}).operations;

const withMoney = alarmsOf(synthesize('prod', MONEY).operations);
const ofConsole = synthesize('prod', CONSOLE);
const withConsole = alarmsOf(ofConsole.operations, ofConsole.console);

const registries = { NIN: ['prembly', 'dojah'], TIN: ['youverify'] } as const;
const withProviders = alarmsOf(synthesize('prod', { registries }).operations);

/** Returns the properties of an alarm. Throws if there is no such alarm. */
function alarm(name: string, among = alarms): Properties {
  const found = among.get(name);
  if (!found) throw new Error(`There is no alarm ${name}.`);
  return found;
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly Record<string, string>[] };
    readonly Period: number;
    readonly Stat: string;
  };
}

const queriesOf = (name: string, among = alarms) => (alarm(name, among)['Metrics'] ?? []) as Query[];

/** Returns the metrics that an alarm reads, as `<name> <statistic> <period in seconds>`. */
function statisticsOf(name: string, among = alarms): string[] {
  return queriesOf(name, among).flatMap(({ MetricStat }) =>
    MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat} ${MetricStat.Period}`] : [],
  );
}

/**
 * Returns the value of an alarm's expression for these values of its metrics. A metric without a value has no data.
 * `at` is the time of the values.
 */
function evaluated(
  name: string,
  values: Readonly<Record<string, number>>,
  { among = alarms, at = new Date(0) } = {},
): number {
  const [query] = queriesOf(name, among);
  const functions = {
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (value: number | undefined, otherwise: number) => value ?? otherwise,
    HOUR: () => at.getUTCHours(),
    // CloudWatch counts from Monday, which is 1.
    DAY: () => at.getUTCDay() || 7,
  };
  const expression = String(query?.Expression).replaceAll(' AND ', ' && ');
  const ids = queriesOf(name, among).flatMap(({ Id, MetricStat }) => (MetricStat ? [Id] : []));
  const evaluate = new Function(...Object.keys(functions), ...ids, `return ${expression}`);
  return evaluate(...Object.values(functions), ...ids.map((id) => values[id]));
}
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

  test('fire when the reconciliation finds a difference, or has not completed for two days', () => {
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

  test('fire when a hold has been too old, or the sweeper has not run, for 5 minutes, and when it quarantines a hold', () => {
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

describe('audit alarms', () => {
  test('fire at the first change to a row of the trail, and when a row has waited for an hour to be archived', () => {
    expect(alarm('audit-trail-changed')).toMatchObject({
      MetricName: 'changedAuditRows',
      Statistic: 'Sum',
      Threshold: 0,
      ComparisonOperator: ABOVE,
      TreatMissingData: 'notBreaching',
    });
    expect(alarm('audit-copy-late')).toMatchObject({
      MetricName: 'IteratorAge',
      Dimensions: [{ Name: 'FunctionName', Value: 'identity-prod-copy-audit-trail' }],
      Statistic: 'Maximum',
      Threshold: 3_600_000,
      ComparisonOperator: ABOVE,
    });
    expect(alarm('function-errors-copy-audit-trail')).toMatchObject({ MetricName: 'Errors', Threshold: 0 });
  });
});

describe('traffic and capacity alarms', () => {
  test('distinguish the causes of failures', () => {
    for (const [name, metric] of [
      ['faults', 'faults'],
      ['gateway-failures', 'gatewayFailures'],
      ['function-errors-sweep-holds', 'Errors'],
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
    const [rate, ...counts] = queriesOf('registry-failures');
    expect(rate?.Expression).toBe('IF(FILL(part, 0) < 10, 0, 100 * FILL(part, 0) / FILL(whole, 1))');
    expect(counts.map(({ MetricStat }) => [MetricStat?.Metric.MetricName, MetricStat?.Stat])).toEqual([
      ['failedLookUps', 'Sum'],
      ['failedLookUps', 'SampleCount'],
    ]);
  });

  test('fire on errors of functions that neither API Gateway nor a rollout calls, and on 5xx responses that no function sent', () => {
    const monitored = [...alarms.values()]
      .filter(({ MetricName }) => MetricName === 'Errors')
      .flatMap(({ Dimensions }) => (Dimensions as { Value: string }[]).map(({ Value }) => Value));
    const behindTheApi = new Set([...ROUTES, UNKNOWN_ROUTE].map(({ name }) => `identity-prod-${name}`));
    const deployed = functionsOf(api).map(({ properties }) => String(properties['FunctionName']));

    // A rollout waits for the result of check-new-version, and ends with a notification if there is none.
    const watched = deployed.filter((name) => name !== 'identity-prod-check-new-version');
    expect(monitored.sort()).toEqual(watched.filter((name) => !behindTheApi.has(name)).sort());
    expect(alarm('gateway-failures')).toMatchObject({ MetricName: 'gatewayFailures', Threshold: 0 });
  });

  test('fire when the providers have been slow for 30 minutes, but not for a few slow look-ups', () => {
    const slow = alarm('look-up-latency');

    expect(slow).toMatchObject({ Threshold: 10_000, ComparisonOperator: ABOVE, EvaluationPeriods: 2 });
    expect(evaluated('look-up-latency', { value: 15_000, count: 50 })).toBe(15_000);
    expect(evaluated('look-up-latency', { value: 15_000, count: 49 })).toBe(0);
    expect(statisticsOf('look-up-latency')).toEqual([
      'lookUpLatency p95 900',
      'lookUpLatency SampleCount 900',
    ]);
  });

  test('fire when a registry has been down, or its state has not been reported, for 3 minutes', () => {
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
    for (const [name, metric] of [
      ['table-throttles-reads', 'ReadThrottleEvents'],
      ['table-throttles-writes', 'WriteThrottleEvents'],
    ] as const) {
      const metrics = queriesOf(name).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
      // All tables except Console, because the stage has no console. An alarm can read at most ten metrics.
      expect(metrics).toHaveLength(6);
      expect(new Set(metrics.map(({ MetricName }) => MetricName))).toEqual(new Set([metric]));
    }
    const ofIndexes = queriesOf('index-throttles').filter(({ MetricStat }) => MetricStat);
    const indexes = JSON.stringify(ofIndexes).match(/(?<="GlobalSecondaryIndexName","Value":")\w+/g);
    expect(indexes).toEqual(['statement', 'wallets', 'byRequest', 'byTime', 'byReference', 'due', 'orders']);
  });

  test('fire in a stage with payments if a payment has needed manual action for 15 minutes', () => {
    expect(alarm('payments-to-review', withMoney)).toMatchObject({
      MetricName: 'paymentsToReview',
      Statistic: 'Maximum',
      Threshold: 0,
      ComparisonOperator: ABOVE,
      Period: 300,
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    });
    expect([...alarms.keys()].filter((name) => name.startsWith('payment'))).toEqual([]);
  });

  test('fire in a stage with payments if settle-top-ups has not completed a run for 15 minutes', () => {
    expect(alarm('payments-overdue', withMoney)).toMatchObject({
      MetricName: 'paymentsToReview',
      Statistic: 'SampleCount',
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      Period: 300,
      EvaluationPeriods: 3,
      TreatMissingData: 'breaching',
    });
  });

  test('fire in a stage with payments if no order could be settled for 30 minutes', () => {
    expect(alarm('payments-unsettled', withMoney)).toMatchObject({
      MetricName: 'unsettledPayments',
      Statistic: 'Minimum',
      Threshold: 99,
      ComparisonOperator: ABOVE,
      Period: 900,
      EvaluationPeriods: 2,
      TreatMissingData: 'notBreaching',
    });
  });

  test('fire in a stage with payments if more than 3 webhooks in an hour have no valid signature', () => {
    expect(alarm('payment-webhooks-rejected', withMoney)).toMatchObject({
      MetricName: 'rejectedWebhooks',
      Statistic: 'Sum',
      Threshold: 3,
      Period: 3600,
    });
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

  test('fire when the queue contains the event of a scheduled run that failed on every attempt', () => {
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
      AlarmName: 'identity-prod-certificate-expiring-api.example.com',
      MetricName: 'DaysToExpiry',
      Statistic: 'Minimum',
      Threshold: 30,
      ComparisonOperator: BELOW,
      Dimensions: [{ Name: 'CertificateArn', Value: certificateArn }],
    });
    expect([...alarms.keys()].filter((name) => name.startsWith('certificate-expiring'))).toEqual([]);
  });
});

/** `gateway` counts the 5xx responses that no function sent. They are not in `requests`. */
const BURN = { requests: 10_000, failed: 0, gateway: 0 };

describe('alarms on the objectives:', () => {
  test.each([
    ['slo-burn-1h', 3_600, 1.44],
    ['slo-burn-5m', 300, 1.44],
    ['slo-burn-6h', 21_600, 0.6],
    ['slo-burn-30m', 1_800, 0.6],
    ['slo-budget', 86_400, 0.1],
  ])('%s compares the share of failed requests in %d s with %d%%', (name, seconds, percent) => {
    const { Threshold, EvaluationPeriods } = alarm(name);

    expect(Threshold).toBeCloseTo(percent, 10);
    expect(statisticsOf(name)).toEqual([
      `failedRequests Sum ${seconds}`,
      `failedRequests SampleCount ${seconds}`,
      `gatewayFailures Sum ${seconds}`,
    ]);
    // CloudWatch's limits: 7 days, and 1 day for periods shorter than an hour.
    expect(Number(EvaluationPeriods) * seconds).toBeLessThanOrEqual(seconds < 3_600 ? 86_400 : 604_800);
    expect(evaluated(name, { ...BURN, failed: 100, gateway: 50 })).toBeCloseTo(100 * (150 / 10_050), 10);
    expect(evaluated(name, BURN)).toBe(0);
    expect(evaluated(name, {})).toBe(0);
  });

  test.each(['slo-burn-1h', 'slo-burn-6h', 'slo-budget'])('%s needs five failures to fire', (name) => {
    expect(evaluated(name, { requests: 10, failed: 3, gateway: 1 })).toBe(0);
    expect(evaluated(name, { requests: 10, failed: 3, gateway: 2 })).toBeGreaterThan(1.44);
    // No function has counted a request.
    expect(evaluated(name, { gateway: 5 })).toBeGreaterThan(1.44);
  });

  test('they notify once both windows of a pair burn the budget', () => {
    const rule = JSON.stringify(alarm('slo-burn')['AlarmRule']);
    const windows = [...rule.matchAll(/slo-?burn-?(\d+[hm])/g)].map(([, window]) => window);

    expect(windows).toEqual(['1h', '5m', '6h', '30m']);
    expect(rule.match(/ (AND|OR) /g)).toEqual([' AND ', ' OR ', ' AND ']);
  });

  test('they fire when the p95 of our part of the latency has been above 150 ms for 45 minutes, given enough requests', () => {
    expect(alarm('own-latency')).toMatchObject({
      Threshold: 150,
      ComparisonOperator: ABOVE,
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    });
    expect(statisticsOf('own-latency')).toEqual(['ownLatency p95 900', 'ownLatency SampleCount 900']);
    expect(evaluated('own-latency', { value: 151, count: 200 })).toBe(151);
    expect(evaluated('own-latency', { value: 900, count: 199 })).toBe(0);
    expect(evaluated('own-latency', {})).toBe(0);
  });
});

describe('alarms on the edge:', () => {
  test('they exist only with a firewall, and fire when its rules together block more than 100 requests', () => {
    const [{ Properties } = { Properties: {} }] = resourcesOf(api, 'AWS::WAFv2::WebACL').values();
    const { MetricName } = (Properties as Properties)['VisibilityConfig'] as { MetricName: string };

    expect(alarm('firewall-blocks')).toMatchObject({
      Namespace: 'AWS/WAFV2',
      MetricName: 'BlockedRequests',
      Dimensions: [
        { Name: 'Region', Value: { Ref: 'AWS::Region' } },
        { Name: 'Rule', Value: 'ALL' },
        { Name: 'WebACL', Value: MetricName },
      ],
      Statistic: 'Sum',
      Threshold: 100,
    });
    expect(alarmsOf(synthesize('dev').operations).has('firewall-blocks')).toBe(false);
  });

  const trafficHours = { fromHourUtc: 7, toHourUtc: 18, weekdaysOnly: true, quietMinutes: 30 } as const;
  const among = alarmsOf(
    synthesize('prod', { operations: { accountConcurrency: 1_000, trafficHours } }).operations,
  );

  test.each([
    ['nothing arrives on Monday at 7:00', '2026-11-23T07:00:00Z', { clock: 30 }, 0],
    ['nothing arrives on Friday at 17:30', '2026-11-27T17:30:00Z', { clock: 30 }, 0],
    ['one request arrives', '2026-11-23T07:00:00Z', { clock: 30, requests: 1 }, 1],
    ['it is before 7:00', '2026-11-23T06:30:00Z', { clock: 30 }, 1],
    ['it is 18:00', '2026-11-23T18:00:00Z', { clock: 30 }, 1],
    ['it is Saturday', '2026-11-28T12:00:00Z', { clock: 30 }, 1],
  ])("no-traffic counts live requests in the stage's traffic hours: %s", (_, at, values, expected) => {
    expect(evaluated('no-traffic', values, { among, at: new Date(at) })).toBe(expected);
    expect(alarm('no-traffic', among)).toMatchObject({
      Threshold: 1,
      ComparisonOperator: BELOW,
      TreatMissingData: 'notBreaching',
    });
    expect(statisticsOf('no-traffic', among)).toEqual([
      'oldestHold SampleCount 1800',
      'failedRequests SampleCount 1800',
    ]);
  });

  test('no-traffic exists only if the stage has traffic hours', () => {
    expect(alarms.has('no-traffic')).toBe(false);
  });
});

describe('the budget', () => {
  const alarmEmail = 'on-call@example.com';
  const withBudget = (scope: 'account' | 'stage') =>
    synthesize('prod', {
      operations: { accountConcurrency: 1_000, alarmEmail, monthlyBudget: { usd: 300, scope } },
    }).operations;

  test('sends emails at 80% and 100% of the amount, and if the forecast is above it', () => {
    const [budget] = [...resourcesOf(withBudget('account'), 'AWS::Budgets::Budget').values()];
    const notices = budget?.Properties['NotificationsWithSubscribers'] as Properties[];

    expect(budget?.Properties['Budget']).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 300, Unit: 'USD' },
    });
    expect(notices.map(({ Notification }) => Notification)).toMatchObject([
      { NotificationType: 'ACTUAL', Threshold: 80, ThresholdType: 'PERCENTAGE' },
      { NotificationType: 'ACTUAL', Threshold: 100, ThresholdType: 'PERCENTAGE' },
      { NotificationType: 'FORECASTED', Threshold: 100, ThresholdType: 'PERCENTAGE' },
    ]);
    for (const { Subscribers } of notices)
      expect(Subscribers).toEqual([{ SubscriptionType: 'EMAIL', Address: alarmEmail }]);
  });

  test("counts only costs with the stage's tag if the stage sets this", () => {
    withBudget('stage').hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { CostFilters: { TagKeyValue: ['user:stage$prod'] } },
    });
    operations.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});

describe('alarms on the console:', () => {
  const OWN = [
    'certificate-expiring-console.example.com',
    'console-failures',
    'console-faults',
    'console-firewall-blocks',
    'console-throttles',
    'failed-deliveries',
    'function-errors-deliver-webhook',
    'mail-bounces',
    'sign-in-failures',
    'usage-overdue',
    'webhook-dead-letters',
    'webhook-messages-unhandled',
    'webhook-queue-age',
    'webhooks-in-flight',
  ];

  test('they exist only in a stage with a console, with a firewall alarm only if there is a firewall', () => {
    expect([...withConsole.keys()].filter((name) => !alarms.has(name)).sort()).toEqual(OWN);
    const plain = { ...CONSOLE, operations: { accountConcurrency: 1_000 } };
    expect(alarmsOf(synthesize('prod', plain).operations).has('console-firewall-blocks')).toBe(false);
  });

  test.each([
    ['console-faults', METRICS_NAMESPACE, 'faults', 0, 1],
    ['console-failures', `${METRICS_NAMESPACE}/identity-prod-console`, 'gatewayFailures', 0, 1],
    ['console-throttles', `${METRICS_NAMESPACE}/identity-prod-console`, 'gatewayThrottles', 0, 2],
    ['sign-in-failures', METRICS_NAMESPACE, 'failedSignIns', 2, 1],
    ['console-firewall-blocks', 'AWS/WAFV2', 'BlockedRequests', 100, 1],
  ] as const)(
    '%s sums metrics of the console and none of the API',
    (name, space, metric, threshold, periods) => {
      const found = alarm(name, withConsole);
      expect(found).toMatchObject({
        Namespace: space,
        MetricName: metric,
        Statistic: 'Sum',
        Period: 300,
        Threshold: threshold,
        EvaluationPeriods: periods,
        ComparisonOperator: ABOVE,
        TreatMissingData: 'notBreaching',
      });
      expect(JSON.stringify(found)).toContain('identity-prod-console');
      expect(JSON.stringify(found)).not.toMatch(/"(?:IdentityVerification\/)?identity-prod"/);
    },
  );

  test('mail-bounces fires at the rate at which SES reviews an account', () => {
    expect(alarm('mail-bounces', withConsole)).toMatchObject({
      Namespace: 'AWS/SES',
      MetricName: 'Reputation.BounceRate',
      Statistic: 'Maximum',
      Threshold: 0.05,
      ComparisonOperator: ABOVE,
    });
  });

  test('usage-overdue fires if the oldest usage is over 90 minutes old, or not reported, for 3 hours', () => {
    expect(alarm('usage-overdue', withConsole)).toMatchObject({
      Namespace: METRICS_NAMESPACE,
      MetricName: 'oldestUsage',
      Dimensions: [{ Name: 'service', Value: 'identity-prod-console' }],
      Statistic: 'Maximum',
      Period: 3_600,
      Threshold: 90 * 60_000,
      EvaluationPeriods: 3,
      ComparisonOperator: ABOVE,
      TreatMissingData: 'breaching',
    });
  });

  test.each([
    ['webhook-queue-age', 'identity-prod-webhooks', 'ApproximateAgeOfOldestMessage', 3_600],
    ['webhook-dead-letters', 'identity-prod-failed-webhooks', 'ApproximateNumberOfMessagesVisible', 0],
    ['webhooks-in-flight', 'identity-prod-webhooks', 'ApproximateNumberOfMessagesNotVisible', 60_000],
  ])(
    '%s reads the maximum of a metric of the queue %s in 5 minutes, and does not fire without data',
    (name, queue, metric, most) => {
      const queues = [...resourcesOf(ofConsole.webhooks, 'AWS::SQS::Queue').values()];
      expect(queues.map(({ Properties }) => Properties['QueueName'])).toContain(queue);
      expect(alarm(name, withConsole)).toMatchObject({
        Namespace: 'AWS/SQS',
        MetricName: metric,
        Dimensions: [{ Name: 'QueueName', Value: queue }],
        Statistic: 'Maximum',
        Period: 300,
        EvaluationPeriods: 1,
        Threshold: most,
        ComparisonOperator: ABOVE,
        TreatMissingData: 'notBreaching',
      });
    },
  );

  test.each([
    ['failed-deliveries', 'failedDeliveries', 3_600, 1, 10],
    ['webhook-messages-unhandled', 'unhandledMessages', 300, 2, 0],
  ])(
    '%s fires on the sum of a metric that deliver-webhook publishes',
    (name, MetricName, Period, EvaluationPeriods, Threshold) => {
      expect(alarm(name, withConsole)).toMatchObject({
        Namespace: METRICS_NAMESPACE,
        MetricName,
        Dimensions: [{ Name: 'service', Value: 'identity-prod-console' }],
        Statistic: 'Sum',
        ...{ Period, EvaluationPeriods, Threshold },
        ComparisonOperator: ABOVE,
        TreatMissingData: 'notBreaching',
      });
    },
  );

  test('they fire if the function that delivers webhooks crashes or times out', () => {
    expect(alarm('function-errors-deliver-webhook', withConsole)).toMatchObject({
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: 'identity-prod-deliver-webhook' }],
      AlarmDescription: expect.stringMatching(/^Customers receive webhooks late\. .*#function-errors$/),
    });
  });

  test('they leave those of the API unchanged, except that throttling of the Console table counts too', () => {
    const changed = [...alarms.keys()].filter(
      (name) =>
        !name.startsWith('rollback-') &&
        JSON.stringify(alarms.get(name)) !== JSON.stringify(withConsole.get(name)),
    );
    expect(changed).toEqual(['table-throttles-reads', 'table-throttles-writes']);
    for (const name of changed)
      expect(queriesOf(name, withConsole).filter(({ MetricStat }) => MetricStat)).toHaveLength(7);
  });

  test('the dashboard has graphs of the console and of webhooks only in a stage with a console', () => {
    const [dashboard] = resourcesOf(ofConsole.operations, 'AWS::CloudWatch::Dashboard').values();
    const [plain] = resourcesOf(operations, 'AWS::CloudWatch::Dashboard').values();
    for (const title of [
      'Console: requests',
      'Console: failures',
      'Console: latency',
      'Webhooks: messages',
    ]) {
      expect(JSON.stringify(dashboard?.Properties)).toContain(title);
      expect(JSON.stringify(plain?.Properties)).not.toContain(title);
    }
  });

  test('they fit into dashboard lists of at most 100 alarms, even with every provider in the routing', () => {
    const all = Object.fromEntries(ID_TYPES.map((idType) => [idType, LIVE_PROVIDER_NAMES]));
    const full = synthesize('prod', { ...CONSOLE, ...MONEY, registries: all }).operations;
    const [dashboard] = resourcesOf(full, 'AWS::CloudWatch::Dashboard').values();
    const { 'Fn::Join': join } = Object(dashboard?.Properties['DashboardBody']) as {
      'Fn::Join': [string, unknown[]];
    };
    const text = join[1].map((part) => (typeof part === 'string' ? part : 'reference')).join('');
    const { widgets } = JSON.parse(text) as {
      widgets: { type: string; properties: { alarms?: unknown[] } }[];
    };
    const sizes = widgets.flatMap(({ type, properties }) =>
      type === 'alarm' ? (properties.alarms?.length ?? 0) : [],
    );
    const shown = sizes.reduce((sum, size) => sum + size, 0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
    // It does not show the alarms of the four windows of slo-burn.
    expect(shown).toBe(
      resourcesOf(full, 'AWS::CloudWatch::Alarm').size +
        resourcesOf(full, 'AWS::CloudWatch::CompositeAlarm').size -
        4,
    );
  });
});

describe('abuse alarms:', () => {
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

describe('alarms on providers that change their responses:', () => {
  const ofProviders = [...withProviders.keys()].filter((name) => !alarms.has(name));

  test('there are two for each provider and ID type in the routing', () => {
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
    ['failed-share-prembly-nin', 'IF(FILL(count, 0) < 50, 0, 100 * FILL(share, 0))', ABOVE, 'failedResults'],
    ['found-share-prembly-nin', 'IF(FILL(count, 0) < 150, 100, 100 * FILL(share, 0))', BELOW, 'foundResults'],
  ])(
    '%s fires at 20%% of the results, given enough of them, in two periods of 15 minutes',
    (name, expression, operator, metric) => {
      expect(alarm(name, withProviders)).toMatchObject({
        Threshold: 20,
        ComparisonOperator: operator,
        EvaluationPeriods: 2,
        TreatMissingData: 'notBreaching',
      });
      const [share, ...others] = queriesOf(name, withProviders);
      expect(share?.Expression).toBe(expression);
      const metrics = others.flatMap(({ MetricStat }) => MetricStat ?? []);
      expect(metrics.map(({ Stat }) => Stat)).toEqual(['Average', 'SampleCount']);
      for (const { Metric, Period } of metrics) {
        expect([Metric.MetricName, Period]).toEqual([metric, 900]);
        expect(Metric.Dimensions).toEqual([
          { Name: 'idType', Value: 'NIN' },
          { Name: 'provider', Value: 'prembly' },
          { Name: 'service', Value: 'identity-prod' },
        ]);
      }
    },
  );

  test('they stay within the limits of CloudWatch and CloudFormation, even with every provider in the routing', () => {
    const all = Object.fromEntries(ID_TYPES.map((idType) => [idType, LIVE_PROVIDER_NAMES]));
    const { operations: full } = synthesize('prod', { registries: all });
    const count = resourcesOf(full, 'AWS::CloudWatch::Alarm').size;

    expect(count - resourcesOf(operations, 'AWS::CloudWatch::Alarm').size).toBe(
      2 * ID_TYPES.length * LIVE_PROVIDER_NAMES.length,
    );
    // A dashboard can list at most 100 alarms.
    expect(count).toBeLessThanOrEqual(100);
  });
});

describe('every alarm:', () => {
  /** The text of each section of the runbook, by its heading. */
  const sections = new Map(
    (runbook.split('\n## Alarms\n')[1] ?? '')
      .split('\n## ')[0]
      ?.split('\n### ')
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );
  const withTrafficHours = alarmsOf(
    synthesize('prod', {
      operations: { accountConcurrency: 10, trafficHours: { fromHourUtc: 7, toHourUtc: 18 } },
    }).operations,
  );
  const described = [
    ...new Map([
      ...alarms,
      ...alarmsOf(withDomain),
      ...withProviders,
      ...withMoney,
      ...withConsole,
      ...withTrafficHours,
    ]),
  ].map(([name, { AlarmDescription }]) => [name, String(AlarmDescription)] as const);

  test.each(described)('%s says in two sentences what customers notice and why: %s', (name, text) => {
    const [, description = '', section = ''] =
      /^(.+) Runbook: docs\/operations\.md#([a-z-]+)$/.exec(text) ?? [];

    expect(description).toMatch(/^[^.]*[Cc]ustomer[^.]*\. [^.]+\.$/);
    expect(name === section || name.startsWith(`${section}-`)).toBe(true);
    expect([...sections.keys()]).toContain(section);
  });

  test('its runbook section has the labels Meaning, Check, Fix and Clears, and every section has an alarm', () => {
    const referenced = described.map(([, text]) => text.split('#')[1]);

    expect(new Set(sections.keys())).toEqual(new Set(referenced));
    for (const [section, text] of sections) {
      const labels = text.match(/^\*\*[A-Za-z ]+:\*\*/gm);
      expect([section, labels]).toEqual([section, ['**Meaning:**', '**Check:**', '**Fix:**', '**Clears:**']]);
    }
  });

  test('it is listed once in the table of priorities', () => {
    const table = runbook.match(/(?<=^\| (?:At once|Within|On a).*)\]\(#[a-z-]+\)/gm) ?? [];

    expect(table.map((link) => link.slice(3, -1)).sort()).toEqual([...sections.keys()].sort());
  });

  test('it notifies the topic when it fires and clears, and the topic sends mail to alarmEmail', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    for (const [name, properties] of alarmsOf(operations)) {
      const { AlarmActions, OKActions } = properties;
      // Only the composite alarm for these windows notifies.
      const actions = name.startsWith('slo-burn-') ? undefined : [{ Ref: topic }];
      expect([name, AlarmActions, OKActions]).toEqual([name, actions, actions]);
    }
    operations.resourceCountIs('AWS::SNS::Subscription', 0);

    const alarmEmail = 'on-call@example.com';
    const mailing = synthesize('prod', { operations: { accountConcurrency: 10, alarmEmail } }).operations;
    mailing.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: alarmEmail });
  });

  test('it may publish to the topic, whose policy otherwise allows only the rule for rollouts', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    const [policy] = resourcesOf(operations, 'AWS::SNS::TopicPolicy').values();
    const document = policy?.Properties['PolicyDocument'] as { Statement: Properties[] } | undefined;
    const [allowed, rollouts, ...others] =
      document?.Statement.filter(({ Effect }) => Effect === 'Allow') ?? [];

    expect(others).toEqual([]);
    expect(rollouts).toMatchObject({
      Action: 'sns:Publish',
      Principal: { Service: 'events.amazonaws.com' },
      Resource: { Ref: topic },
    });
    expect(allowed).toMatchObject({
      Action: 'sns:Publish',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Resource: { Ref: topic },
      Condition: { StringEquals: { 'aws:SourceAccount': expect.anything() } },
    });
    expect(JSON.stringify(allowed?.['Condition'])).toContain(':alarm:identity-prod-*');
  });

  test('on API Gateway, it counts 5xx responses that no function sent, or throttled requests to known paths', () => {
    const filters = [...resourcesOf(api, 'AWS::Logs::MetricFilter').values()].map(({ Properties }) => [
      (Properties['MetricTransformations'] as [{ MetricName: string }])[0].MetricName,
      Properties['FilterPattern'],
    ]);
    expect(Object.fromEntries(filters)).toEqual({
      gatewayThrottles:
        '{ (($.errorType = "THROTTLED") || ($.errorType = "QUOTA_EXCEEDED")) && ($.route != "/{proxy+}") && ($.route != "/") }',
      gatewayFailures: '{ ($.status = "5*") && ($.errorType != "-") }',
    });
  });

  test('on a metric of the service, it reads the namespace and service that the functions use', () => {
    const environment = functionsOf(api).find(({ name }) => name === 'sweep-holds')?.environment;
    const own = [...alarms.values()].filter(({ Namespace }) => Namespace === METRICS_NAMESPACE);
    expect(own.length).toBeGreaterThan(5);
    for (const { Namespace, Dimensions } of own) {
      expect(Namespace).toBe(METRICS_NAMESPACE);
      expect(Dimensions).toEqual([{ Name: 'service', Value: environment?.['POWERTOOLS_SERVICE_NAME'] }]);
    }
  });
});

describe('the dashboard', () => {
  test("reads API Gateway's metrics by the name of the API", () => {
    const [{ Properties } = { Properties: {} }] = resourcesOf(api, 'AWS::ApiGateway::RestApi').values();
    const { Body, Name } = Properties as { Name?: string; Body?: { info: { title: string } } };

    expect(Body?.info.title ?? Name).toBe('identity-prod');
    expect(body).toContain('AWS/ApiGateway');
    expect(body).toMatch(/ApiName[^a-z]+identity-prod/);
  });

  const [dashboard] = resourcesOf(operations, 'AWS::CloudWatch::Dashboard').values();
  const body = JSON.stringify(dashboard?.Properties['DashboardBody']);

  test.each([
    '4XXError',
    'failedRequests',
    'failedLookUps',
    'foundResults',
    'lookUpLatency',
    'ownLatency',
    'creditsCharged',
    'maybeBilled',
    'oldestHold',
  ])('shows %s', (metric) => {
    expect(body).toContain(metric);
  });

  test('shows every alarm of the stack that notifies', () => {
    for (const type of ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'])
      for (const [id, { Properties }] of resourcesOf(operations, type)) {
        const isWindow = String(Properties['AlarmName']).includes('slo-burn-');
        expect([id, body.includes(id)]).toEqual([id, !isWindow]);
      }
  });
});
