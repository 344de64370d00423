import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { StageConfig } from '../../infra/config.ts';
import { INVOKED_BY_API } from '../../infra/routes.ts';
import { prod } from '../../infra/stages/prod.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { METRICS_NAMESPACE } from '../../shared/core/metrics.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { outsideJest } from '../support/outside-jest.ts';
import { CONSOLE } from './console.ts';
import { ADDS_ALARMS, BACKUP, EVERY_ALARM, EXPECTED_ALARMS } from './expected-alarms.ts';
import { MONEY } from './money.ts';
import { functionsOf, type Properties, resourcesOf, synthesize, type Templates } from './synthesis.ts';

const { api, functions, operations } = synthesize();

const ABOVE = 'GreaterThanThreshold';
const BELOW = 'LessThanThreshold';

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

/** Includes the alarms that roll back deployments. */
const alarms = alarmsOf(operations, functions);

/** The settings that add alarms, and the alarms that they add. */
const { domain, trafficHours, registries, accountConcurrency } = ADDS_ALARMS;
const { firewall } = prod.operations ?? {};
const complete = synthesize('prod', EVERY_ALARM);
const all = alarmsOf(complete.operations, complete.console);

/** Returns the properties of an alarm. Throws if there is no such alarm. */
function alarm(name: string): Properties {
  const found = all.get(name);
  if (!found) throw new Error(`There is no alarm ${name}.`);
  return found;
}

interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: Metric; readonly Period: number; readonly Stat: string };
}

const queriesOf = ({ Metrics = [] }: Properties) => Metrics as Query[];

function metricsIn(alarm: Properties): Metric[] {
  const read = queriesOf(alarm).flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
  return read.length > 0 ? read : [alarm as unknown as Metric];
}

/** Returns the ID of a construct from a reference to a resource of another stack, and other values as they are. */
const shown = (value: unknown) =>
  typeof value === 'string'
    ? value
    : (/(?:OutputRef|"OutputName":")([A-Za-z]+?)(?:CertificateArn\w+|[0-9A-F]{8})/.exec(
        JSON.stringify(value),
      )?.[1] ?? String(Object(value)['Ref']));

/** Metrics of the service are written `<service>/<name>`, and others `<namespace>/<name>{<dimensions>}`. */
function metricText(
  { Namespace, MetricName, Dimensions = [] }: Metric,
  statistic: unknown,
  seconds: unknown,
) {
  const [first] = Dimensions;
  if (Namespace === METRICS_NAMESPACE && first?.Name === 'service')
    return `${statistic} ${first.Value}/${MetricName} ${seconds} s`;
  const names = Dimensions.map(({ Name, Value }) => `${Name}=${shown(Value)}`).join();
  return `${statistic} ${Namespace}/${MetricName}${names && `{${names}}`} ${seconds} s`;
}

/** Without the expression if it only fills the metric, whose values alarm-times.test.ts tests. */
function withoutFill(queries: readonly Query[]): readonly Query[] {
  const [first, ...others] = queries;
  return /^FILL\(value, \d+\)$/.test(first?.Expression ?? '') ? others : queries;
}

/** Describes an alarm as `EXPECTED_ALARMS` does. `topics`: it must notify one of them when it fires and clears. */
function described(alarm: Properties, topics: readonly string[]): string | string[] {
  const [first, ...others] = withoutFill(queriesOf(alarm));
  const value = first?.MetricStat
    ? metricText(first.MetricStat.Metric, first.MetricStat.Stat, first.MetricStat.Period)
    : (first?.Expression ?? metricText(alarm as unknown as Metric, alarm['Statistic'], alarm['Period']));
  const sign = { [ABOVE]: '>', [BELOW]: '<' }[String(alarm['ComparisonOperator'])];
  const missing = { breaching: ', or no data', notBreaching: '' }[String(alarm['TreatMissingData'])];
  const actions = [alarm['AlarmActions'], alarm['OKActions']];
  const isSilent = actions.every((each) => each === undefined);
  const isNotified = topics.some((Ref) => isDeepStrictEqual(actions, [[{ Ref }], [{ Ref }]]));
  const notices = isNotified ? '' : isSilent ? ', silent' : '!';
  const threshold = Number(Number(alarm['Threshold']).toPrecision(6));
  const condition = `${value} ${sign} ${threshold} × ${alarm['EvaluationPeriods']}${missing}${notices}`;
  const metrics = others.map(({ Id, Expression, MetricStat }) =>
    MetricStat
      ? `${Id}: ${metricText(MetricStat.Metric, MetricStat.Stat, MetricStat.Period)}`
      : `${Id}: ${Expression}`,
  );
  return metrics.length > 0 ? [condition, ...metrics] : condition;
}

/**
 * Returns the value of an alarm's expression for these values of its metrics. A metric without a value has no data.
 * `at` is the time of the values.
 */
function evaluated(name: string, values: Readonly<Record<string, number>>, at = new Date(0)): number {
  const [query] = queriesOf(alarm(name));
  const functions = {
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (value: number | undefined, otherwise: number) => value ?? otherwise,
    HOUR: () => at.getUTCHours(),
    // CloudWatch counts from Monday, which is 1.
    DAY: () => at.getUTCDay() || 7,
  };
  const expression = String(query?.Expression).replaceAll(' AND ', ' && ');
  const ids = queriesOf(alarm(name)).flatMap(({ Id, MetricStat }) => (MetricStat ? [Id] : []));
  const evaluate = new Function(...Object.keys(functions), ...ids, `return ${expression}`);
  return evaluate(...Object.values(functions), ...ids.map((id) => values[id]));
}
describe('the alarms of prod', () => {
  const topics = [...resourcesOf(complete.operations, 'AWS::SNS::Topic').keys()];

  test('fire and notify as in the table, which lists no others', () => {
    const found = [...all].filter(([, { AlarmRule }]) => !AlarmRule);
    expect(Object.fromEntries(found.map(([name, each]) => [name, described(each, topics)]))).toEqual(
      EXPECTED_ALARMS,
    );
  });

  // CloudWatch rejects an alarm that reads more.
  test('read at most ten metrics each, however many tables there are', () => {
    const load = <T>(file: string) => outsideJest<T>(join(import.meta.dirname, '../../infra', file));
    const { capacityAlarms } = load<typeof import('../../infra/constructs/alarms/capacity-alarms.ts')>(
      'constructs/alarms/capacity-alarms.ts',
    );
    const { ServiceMetrics } = load<typeof import('../../infra/constructs/alarms/service-metrics.ts')>(
      'constructs/alarms/service-metrics.ts',
    );
    const tables = Array.from({ length: 11 }, (_, index) => ({
      tableName: `T${index}`,
      indexes: ['a', 'b'],
    }));
    const throttles = capacityAlarms(prod, new ServiceMetrics('prod'), tables).filter(({ name }) =>
      /^(table|index)-throttles/.test(name),
    );
    const read = throttles.map(({ name, metric }) => {
      return [name, Object.keys(metric.toMetricConfig().mathExpression?.usingMetrics ?? {}).length];
    });
    expect(Object.fromEntries(read)).toEqual({
      'table-throttles-reads': 10,
      'table-throttles-reads-2': 1,
      'table-throttles-writes': 10,
      'table-throttles-writes-2': 1,
      'index-throttles': 10,
      'index-throttles-2': 10,
      'index-throttles-3': 2,
    });
  });

  test('read queues and firewalls that exist', () => {
    const namesOf = (type: string, nameIn: (properties: Properties) => unknown) =>
      [complete.api, complete.webhooks, complete.console].flatMap((template) =>
        [...resourcesOf(template, type).values()].map(({ Properties }) => nameIn(Properties)),
      );
    const exist = [
      ...namesOf('AWS::SQS::Queue', ({ QueueName }) => QueueName),
      ...namesOf('AWS::WAFv2::WebACL', ({ VisibilityConfig }) => Object(VisibilityConfig)['MetricName']),
    ];
    const read = [...all.values()]
      .flatMap(metricsIn)
      .flatMap(({ Dimensions = [] }) => Dimensions)
      .filter(({ Name }) => Name === 'QueueName' || Name === 'WebACL');
    expect(read).toHaveLength(6);
    for (const { Value } of read) expect(exist).toContain(Value);
  });

  test('fire on errors of functions that neither API Gateway nor a rollout calls', () => {
    const monitored = [...alarms]
      .filter(([name]) => !name.startsWith('rollback'))
      .flatMap(([, each]) => metricsIn(each))
      .filter(({ MetricName }) => MetricName === 'Errors')
      .flatMap(({ Dimensions = [] }) => Dimensions.map(({ Value }) => Value));
    const behindTheApi = new Set(INVOKED_BY_API.map(({ name }) => `identity-prod-api-${name}`));
    const deployed = functionsOf(functions, api).map(({ properties }) => String(properties['FunctionName']));

    // A rollout waits for the result of check-new-version, and ends with a notification if there is none.
    const watched = deployed.filter((name) => name !== 'identity-prod-api-check-new-version');
    expect(monitored.sort()).toEqual(watched.filter((name) => !behindTheApi.has(name)).sort());
  });

  const ADDED: readonly (readonly [string, Partial<StageConfig>, readonly RegExp[]])[] = [
    [
      'console',
      CONSOLE,
      [
        /^certificate-expiring-console\.example\.com$/,
        /^console-(?!firewall)/,
        /^(sign-in-failures|sign-up-limit|mail-bounces|usage-overdue|failed-deliveries)$/,
        /^webhook/,
        /^function-errors-deliver-webhook$/,
      ],
    ],
    ['money', MONEY, [/^payment/]],
    ['registries', { registries }, [/^(failed|found)-share-/]],
    [
      'operations.domain',
      { operations: { accountConcurrency, domain, generatedUrl: 'closed' } },
      [/^certificate-expiring-api\.example\.com$/],
    ],
    ['operations.backup', { operations: { accountConcurrency, backup: BACKUP } }, [/^backup-overdue$/]],
    ['operations.trafficHours', { operations: { accountConcurrency, trafficHours } }, [/^no-traffic$/]],
    [
      'operations.firewall',
      { operations: { accountConcurrency, ...(firewall && { firewall }) } },
      [/^firewall-blocks$/],
    ],
  ];

  test.each(ADDED)('are added by %s, which changes no other', (_, changes, patterns) => {
    const plain = synthesize('prod', { operations: { accountConcurrency } });
    const changed = synthesize('prod', { operations: { accountConcurrency }, ...changes });
    const before = alarmsOf(plain.operations);
    const after = alarmsOf(changed.operations, changed.console);
    const added = [...after.keys()].filter((name) => !before.has(name));
    const named = [...all.keys()].filter((name) => patterns.some((pattern) => pattern.test(name)));
    expect(added.sort()).toEqual(named.sort());
    const others = [...before].filter(
      ([name, each]) => JSON.stringify(each) !== JSON.stringify(after.get(name)),
    );
    // Only a stage with a console counts throttling of the table Console.
    expect(others.map(([name]) => name)).toEqual(
      changes.console ? ['table-throttles-reads', 'table-throttles-writes'] : [],
    );
  });

  test('have thresholds that follow the settings', () => {
    const small = { accountConcurrency: 10, secretMaxAgeDays: 90 };
    const found = alarmsOf(synthesize('prod', { operations: small }).operations);
    expect(found.get('concurrency')).toMatchObject({ Threshold: 8 });
    expect(found.get('secret-age')).toMatchObject({ Threshold: 90 });
  });
});

/** `gateway` counts the 5xx responses that no function sent. They are not in `requests`. */
const BURN = { requests: 10_000, failed: 0, gateway: 0 };

describe('alarms on the objectives:', () => {
  test.each(['slo-burn-1h', 'slo-burn-5m', 'slo-burn-6h', 'slo-burn-30m', 'slo-budget'])(
    '%s is the share of failed requests in percent, and 0 without requests',
    (name) => {
      expect(evaluated(name, { ...BURN, failed: 100, gateway: 50 })).toBeCloseTo(100 * (150 / 10_050), 10);
      expect(evaluated(name, BURN)).toBe(0);
      expect(evaluated(name, {})).toBe(0);
    },
  );

  test.each(['slo-burn-1h', 'slo-burn-6h', 'slo-budget'])('%s needs five failures to fire', (name) => {
    expect(evaluated(name, { requests: 10, failed: 3, gateway: 1 })).toBe(0);
    expect(evaluated(name, { requests: 10, failed: 3, gateway: 2 })).toBeGreaterThan(1.44);
    // No function has counted a request.
    expect(evaluated(name, { gateway: 5 })).toBeGreaterThan(1.44);
  });

  test('at 10 million requests a month, they page at the failures in docs/operate/slo.md, and not at one', () => {
    const hourly = 10_000_000 / 30 / 24;
    const page = readFileSync('docs/operate/slo.md', 'utf8');
    const [, inHour, in5Minutes] =
      /page after (\d+) failures in an hour, of which (\d+) in the last/.exec(page) ?? [];
    for (const [window, failures, requests] of [
      ['1h', Number(inHour), hourly],
      ['5m', Number(in5Minutes), hourly / 12],
    ] as const) {
      expect(evaluated(`slo-burn-${window}`, { failed: failures, requests })).toBeGreaterThan(1.44);
      expect(evaluated(`slo-burn-${window}`, { failed: failures - 1, requests })).toBeLessThanOrEqual(1.44);
    }
    const [pages] = resourcesOf(complete.operations, 'AWS::SNS::Topic').keys();
    for (const name of ['faults', 'gateway-failures'])
      expect(alarm(name)['AlarmActions']).not.toEqual([{ Ref: pages }]);
  });

  test('they notify once both windows of a pair burn the budget', () => {
    const rule = JSON.stringify(alarm('slo-burn')['AlarmRule']);
    const windows = [...rule.matchAll(/slo-?burn-?(\d+[hm])/g)].map(([, window]) => window);

    expect(windows).toEqual(['1h', '5m', '6h', '30m']);
    expect(rule.match(/ (AND|OR) /g)).toEqual([' AND ', ' OR ', ' AND ']);
    const [topic] = resourcesOf(complete.operations, 'AWS::SNS::Topic').keys();
    const actions = [{ Ref: topic }];
    expect(alarm('slo-burn')).toMatchObject({ AlarmActions: actions, OKActions: actions });
  });
});

describe('no-traffic', () => {
  test.each([
    ['nothing arrives on Monday at 7:00', '2026-11-23T07:00:00Z', { clock: 30 }, 0],
    ['nothing arrives on Friday at 17:30', '2026-11-27T17:30:00Z', { clock: 30 }, 0],
    ['one request arrives', '2026-11-23T07:00:00Z', { clock: 30, requests: 1 }, 1],
    ['it is before 7:00', '2026-11-23T06:30:00Z', { clock: 30 }, 1],
    ['it is 18:00', '2026-11-23T18:00:00Z', { clock: 30 }, 1],
    ['it is Saturday', '2026-11-28T12:00:00Z', { clock: 30 }, 1],
  ])("counts live requests in the stage's traffic hours: %s", (_, at, values, expected) => {
    expect(evaluated('no-traffic', values, new Date(at))).toBe(expected);
  });
});

describe('the budget', () => {
  const [alarmEmail, ticketEmail] = ['on-call@example.com', 'tickets@example.com'];
  const withBudget = (scope: 'account' | 'stage') =>
    synthesize('prod', {
      operations: { accountConcurrency: 1_000, alarmEmail, ticketEmail, monthlyBudget: { usd: 300, scope } },
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
      expect(Subscribers).toEqual([{ SubscriptionType: 'EMAIL', Address: ticketEmail }]);
  });

  test("counts only costs with the stage's tag if the stage sets this", () => {
    withBudget('stage').hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { CostFilters: { TagKeyValue: ['user:stage$prod'] } },
    });
    operations.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});

describe('the dashboard of a stage with a console', () => {
  test('has graphs of the console and of webhooks, which others do not have', () => {
    const [dashboard] = resourcesOf(complete.operations, 'AWS::CloudWatch::Dashboard').values();
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

  test('has lists of at most 100 alarms, even with every provider in the routing', () => {
    const every = Object.fromEntries(ID_TYPES.map((idType) => [idType, LIVE_PROVIDER_NAMES]));
    const full = synthesize('prod', { ...CONSOLE, ...MONEY, registries: every }).operations;
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

describe('every alarm:', () => {
  test('its topic sends mail to alarmEmail, if it is set', () => {
    operations.resourceCountIs('AWS::SNS::Subscription', 0);

    const alarmEmail = 'on-call@example.com';
    const mailing = synthesize('prod', { operations: { accountConcurrency, alarmEmail } }).operations;
    mailing.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: alarmEmail });
    // So that a stage without ticketEmail loses no alarm.
    mailing.resourceCountIs('AWS::SNS::Topic', 1);
  });

  test('with ticketEmail, those that need no one at once go to a topic of their own', () => {
    const [pages, tickets, ...others] = resourcesOf(complete.operations, 'AWS::SNS::Topic').keys();
    expect(others).toEqual([]);
    for (const [topic, Endpoint] of [
      [pages, 'on-call@example.com'],
      [tickets, 'tickets@example.com'],
    ])
      complete.operations.hasResourceProperties('AWS::SNS::Subscription', {
        TopicArn: { Ref: topic },
        Endpoint,
      });
    complete.operations.hasOutput('TicketTopic', { Value: { Ref: tickets } });
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
      gatewayFailures: '{ ($.status = "5*") && ($.errorType != "-") && ($.lambdaStatus != "413") }',
    });
  });

  test('on a metric of the service, it reads the namespace and service that the functions use', () => {
    const environment = functionsOf(api).find(({ name }) => name === 'sweep-holds')?.environment;
    const own = [...alarmsOf(operations).values()]
      .flatMap(metricsIn)
      .filter(({ Namespace }) => Namespace === METRICS_NAMESPACE);
    expect(own.length).toBeGreaterThan(5);
    for (const { Dimensions } of own) {
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
