import { describe, expect, test } from '@jest/globals';
import type { OperationsConfig } from '../../infra/config.ts';
import { INVOKED_BY_API } from '../../infra/routes.ts';
import { listOf, type Resource, resourcesOf, synthesize, type Template } from './synthesis.ts';

/** Tests the promises in docs/operate/new-versions.md. */

const BEHIND_THE_API = INVOKED_BY_API.map(({ name }) => name);
const ALIAS = 'AWS::Lambda::Alias';
const VERSION = 'AWS::Lambda::Version';
const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
const ALARM = 'AWS::CloudWatch::Alarm';

const prod = synthesize('prod').functions;

function withRollout(rollout: OperationsConfig['rollout'], context = {}): Template {
  return synthesize(
    'prod',
    { operations: { accountConcurrency: 1_000, ...(rollout && { rollout }) } },
    context,
  ).functions;
}

/** A resource as CloudFormation reads it. */
interface Deployed extends Resource {
  readonly DependsOn?: string | readonly string[];
  readonly UpdatePolicy?: unknown;
}

/** Returns all resources by logical ID. */
function deployed(template: Template): Map<string, Deployed> {
  return new Map(Object.entries(template.toJSON()['Resources'] as Record<string, Deployed>));
}

/** Returns the resources of a type, by the name of the function in their path. */
function byFunction(template: Template, type: string): Map<string, Deployed & { readonly id: string }> {
  const found = [...deployed(template)].filter(([, { Type }]) => Type === type);
  const named = found.flatMap(([id, resource]) => {
    const parts = resource.Metadata['aws:cdk:path'].split('/');
    const name = parts
      .slice(1)
      .map((part) => part.replace(/^rollback-api-|-(alias|deployment|role)$/g, ''))
      .find((part) => BEHIND_THE_API.includes(part));
    return name === undefined ? [] : [[name, { ...resource, id }] as const];
  });
  return new Map(named);
}

/** Returns the logical IDs to which a part of a template refers. */
function referencesOf(part: unknown): string[] {
  const text = JSON.stringify(part);
  return [...text.matchAll(/"(?:Ref|Fn::GetAtt)":(?:\[)?"([^"]+)"/g)].map(([, id]) => id ?? '');
}

/**
 * Returns whether CloudFormation updates `first` before `second`: a chain of references and DependsOn leads from
 * `second` to `first`.
 */
function isUpdatedBefore(template: Template, first: string, second: string): boolean {
  const resources = deployed(template);
  const seen = new Set<string>();
  const reaches = (id: string): boolean => {
    const resource = resources.get(id);
    if (!resource || seen.has(id)) return false;
    seen.add(id);
    // References in an update policy do not count.
    const needed = [...listOf(resource.DependsOn ?? []), ...referencesOf(resource.Properties)];
    return needed.includes(first) || needed.some(reaches);
  };
  return reaches(second);
}

describe('an alias', () => {
  test.each(['dev', 'staging', 'prod'])('in %s exists for every function behind the API', (stage) => {
    const aliases = byFunction(synthesize(stage).functions, ALIAS);

    expect([...aliases.keys()].sort()).toEqual([...BEHIND_THE_API].sort());
    for (const { Properties } of aliases.values()) expect(Properties['Name']).toBe('live');
  });

  test.each([
    ['canary', 'canary'],
    ['none', undefined],
  ] as const)('stays when the rollout changes from linear to %s', (_, rollout) => {
    const before = byFunction(withRollout('linear'), ALIAS);
    const after = byFunction(withRollout(rollout), ALIAS);

    expect(before.size).toBe(BEHIND_THE_API.length);
    for (const [name, { id, Properties }] of before)
      expect({ id: after.get(name)?.id, Properties: after.get(name)?.Properties }).toEqual({
        id,
        Properties,
      });
  });

  test('is moved directly by CloudFormation, without alarms and deployment groups, in a stage without rollouts', () => {
    const { functions } = synthesize('dev');

    for (const { UpdatePolicy } of byFunction(functions, ALIAS).values())
      expect(UpdatePolicy).toBeUndefined();
    for (const type of [GROUP, ALARM, 'AWS::CodeDeploy::Application'])
      expect(resourcesOf(functions, type).size).toBe(0);
  });
});

describe('a version', () => {
  test('is retained when the next one replaces it, but not if its own deployment fails', () => {
    const versions = byFunction(prod, VERSION);

    expect(versions.size).toBe(BEHIND_THE_API.length);
    for (const version of versions.values())
      expect(version).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
  });
});

describe('a rollout', () => {
  test.each([
    ['canary', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
    ['linear', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
  ] as const)(
    'with the setting %s shifts the traffic of every function behind the API by %s',
    (rollout, name) => {
      const template = withRollout(rollout);
      const groups = byFunction(template, GROUP);

      expect([...groups.keys()].sort()).toEqual([...BEHIND_THE_API].sort());
      for (const { Properties } of groups.values()) expect(Properties['DeploymentConfigName']).toBe(name);
      for (const [of, { UpdatePolicy }] of byFunction(template, ALIAS))
        expect(UpdatePolicy).toEqual({
          CodeDeployLambdaAliasUpdate: expect.objectContaining({
            DeploymentGroupName: { Ref: groups.get(of)?.id },
          }),
        });
    },
  );

  test('rolls back when it fails, when it is stopped, or when the alarm of its function fires', () => {
    const alarms = byFunction(prod, ALARM);
    for (const [name, { Properties }] of byFunction(prod, GROUP))
      expect(Properties).toMatchObject({
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: alarms.get(name)?.id } }] },
      });
  });

  test('uses each role for at most four functions, because the calls of each role are limited', () => {
    const roles = [...byFunction(prod, GROUP).values()].map(({ Properties }) => Properties['ServiceRoleArn']);

    const uses = [
      ...Map.groupBy(
        roles.map((role) => JSON.stringify(role)),
        String,
      ).values(),
    ];
    expect(uses.every(({ length }) => length <= 4)).toBe(true);
    expect(roles).toHaveLength(BEHIND_THE_API.length);
  });

  test('begins after its group, its alarm and the check of new versions are updated', () => {
    const aliases = byFunction(prod, ALIAS);
    const [check = ''] = [...deployed(prod)].flatMap(([id, { Properties }]) =>
      Properties?.['FunctionName'] === 'identity-prod-api-check-new-version' ? [id] : [],
    );
    for (const [name, { id, UpdatePolicy }] of aliases) {
      expect([name, isUpdatedBefore(prod, check, id)]).toEqual([name, true]);
      expect(UpdatePolicy).toMatchObject({
        CodeDeployLambdaAliasUpdate: { BeforeAllowTrafficHook: { Ref: check } },
      });
    }
    for (const type of [VERSION, GROUP, ALARM])
      for (const [name, { id }] of byFunction(prod, type))
        expect([name, type, isUpdatedBefore(prod, id, aliases.get(name)?.id ?? '')]).toEqual([
          name,
          type,
          true,
        ]);
  });
});

describe('the alarm that rolls a function back', () => {
  const alarms = byFunction(prod, ALARM);
  const versions = byFunction(prod, VERSION);
  const versionOf = (name: string) => ({ 'Fn::GetAtt': [versions.get(name)?.id, 'Version'] });

  test('counts only requests, crashes and faults of the new version, and no registry failures', () => {
    const queries = alarms.get('nin-basic')?.Properties['Metrics'] as Query[];
    const version = versionOf('nin-basic');
    const ofLambda = (MetricName: string) => ({
      Namespace: 'AWS/Lambda',
      MetricName,
      // CDK sorts dimensions by name.
      Dimensions: [
        { Name: 'ExecutedVersion', Value: version },
        { Name: 'FunctionName', Value: 'identity-prod-api-nin-basic' },
        { Name: 'Resource', Value: 'identity-prod-api-nin-basic:live' },
      ],
    });

    expect(alarms.size).toBe(BEHIND_THE_API.length);
    expect(queries.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])).toEqual([
      ofLambda('Errors'),
      ofLambda('Invocations'),
      {
        Namespace: 'IdentityVerification',
        MetricName: 'versionFaults',
        Dimensions: [
          { Name: 'route', Value: 'nin-basic' },
          { Name: 'service', Value: 'identity-prod' },
          { Name: 'version', Value: version },
        ],
      },
    ]);
  });

  test('has a separate name for each version, and does not fire without data', () => {
    for (const [name, { Properties }] of alarms)
      expect(Properties).toMatchObject({
        AlarmName: { 'Fn::Join': ['', [`identity-prod-rollback-api-${name}-v`, versionOf(name)]] },
        TreatMissingData: 'notBreaching',
      });
  });

  test.each([
    ['one fault', 'does not fire', { crashes: 1, requests: 5 }],
    ['two faults in five requests', 'fires', { crashes: 1, faults: 1, requests: 5 }],
    ['two faults in 1,000 requests', 'does not fire', { faults: 2, requests: 1_000 }],
    ['eleven faults in 1,000 requests', 'fires', { faults: 11, requests: 1_000 }],
    ['two faults and no counted requests', 'fires', { faults: 2 }],
    ['no requests', 'does not fire', {}],
  ])('with %s in five minutes, %s', (_, result, values) => {
    const Properties = alarms.get('nin-basic')?.Properties ?? {};
    const { Threshold, EvaluationPeriods, ComparisonOperator } = Properties;
    const metrics = Properties['Metrics'] as Query[];
    const [{ Expression: expression = '' } = {}] = metrics;

    expect(evaluate(expression, values) > Number(Threshold)).toBe(result === 'fires');
    expect([EvaluationPeriods, ComparisonOperator]).toEqual([1, 'GreaterThanThreshold']);
    for (const { MetricStat } of metrics) expect(MetricStat?.Period ?? 300).toBe(300);
  });
});

interface Query {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: object; readonly Period: number };
}

/** Evaluates a metric math expression with IF, FILL and arithmetic, as CloudWatch documents it. */
function evaluate(expression: string, values: Readonly<Record<string, number>>): number {
  const text = expression
    .replaceAll(/FILL\((\w+), (\d+)\)/g, (_, name: string, otherwise: string) =>
      String(values[name] ?? otherwise),
    )
    .replace(/^IF\((.+), (\d+), (.+)\)$/, '($1) ? $2 : $3');
  if (!/^[\d\s()+*/<?:]+$/.test(text)) throw new Error(`Cannot compute ${text}`);
  return Number(new Function(`return ${text};`)());
}

/** Returns the event rules for this source. */
function rulesFor(template: Template, source: string) {
  return [...resourcesOf(template, 'AWS::Events::Rule').values()].filter(({ Properties }) =>
    JSON.stringify(Properties['EventPattern']).includes(source),
  );
}

describe('a rollout that fails or is stopped', () => {
  const { operations } = synthesize('prod');

  test('is published to the alarm topic', () => {
    const [topic] = resourcesOf(operations, 'AWS::SNS::Topic').keys();
    const rule = rulesFor(operations, 'aws.codedeploy')[0];

    expect(rule?.Properties['EventPattern']).toEqual({
      source: ['aws.codedeploy'],
      'detail-type': ['CodeDeploy Deployment State-change Notification'],
      detail: { application: ['identity-prod-api'], state: ['FAILURE', 'STOP'] },
    });
    expect(rule?.Properties['Targets']).toEqual([expect.objectContaining({ Arn: { Ref: topic } })]);
  });

  test('has no rule in a stage without rollouts', () => {
    expect(rulesFor(synthesize('dev').operations, 'aws.codedeploy')).toEqual([]);
  });
});

describe('a deployment with deployNow', () => {
  const now = withRollout('canary', { deployNow: 'true' });
  const usual = withRollout('canary');

  test('changes nothing except that CloudFormation moves the aliases itself', () => {
    const without = (template: Template) =>
      [...deployed(template)].map(([id, { UpdatePolicy: _, ...resource }]) => [id, resource]);

    expect(without(now)).toEqual(without(usual));
    for (const { UpdatePolicy } of byFunction(usual, ALIAS).values()) expect(UpdatePolicy).toBeDefined();
    for (const { UpdatePolicy } of byFunction(now, ALIAS).values()) expect(UpdatePolicy).toBeUndefined();
  });

  test('rejects any value except true', () => {
    expect(() => withRollout('canary', { deployNow: 'yes' })).toThrow(
      'The context value deployNow is "yes". Use -c deployNow=true, or leave it out.',
    );
  });
});
