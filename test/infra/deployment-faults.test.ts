import { describe, expect, test } from '@jest/globals';
import { deploymentFaults, NAMES, type Resource, type StackTemplate } from './deployment-faults.ts';
import { synthesizeStacks } from './synthesis.ts';

/** Pairs of templates, each with the faults that the check must find, if any. */

const table = (sortKey: string): Resource => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  DeletionPolicy: 'Retain',
  Properties: {
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
  },
});

type Outputs = NonNullable<StackTemplate['template']['Outputs']>;

const stack = (name: string, Resources: Readonly<Record<string, Resource>>, Outputs: Outputs = {}) => ({
  name,
  template: { Resources, Outputs },
});
const secretExport: Outputs = { Secret: { Value: { Ref: 'Secret' }, Export: { Name: 'data:secret' } } };
const secret = (properties: Readonly<Record<string, unknown>> = {}): Resource => ({
  Type: 'AWS::SecretsManager::Secret',
  Properties: properties,
});
const role = (properties: Readonly<Record<string, unknown>>): Resource => ({
  Type: 'AWS::IAM::Role',
  Properties: properties,
});
const queue = (QueueName: string): Resource => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName } });
const importer = stack('api', { Role: role({ Description: { 'Fn::ImportValue': 'data:secret' } }) });
const idle = stack('api', { Role: role({}) });

describe('an export', () => {
  const before = stack('data', { Secret: secret() }, secretExport);
  const dropped = stack('data', { Secret: secret() });

  test('that is dropped while another stack imports it is a fault, even if that stack stops importing it', () => {
    const fault = { kind: 'export in use', stack: 'data', at: 'data:secret' };
    expect(deploymentFaults([before, importer], [dropped, idle])).toEqual([fault]);
  });

  test('may be dropped if no deployed stack imports it', () => {
    expect(deploymentFaults([before, idle], [dropped, idle])).toEqual([]);
  });

  test('whose value changes, or whose resource is replaced, while it is imported is a fault', () => {
    const other = stack(
      'data',
      { Secret: secret() },
      {
        Secret: { Value: { Ref: 'Other' }, Export: { Name: 'data:secret' } },
      },
    );
    const fault = { kind: 'export in use', stack: 'data', at: 'data:secret' };
    expect(deploymentFaults([before, importer], [other, importer])).toEqual([fault]);
    const renamed = stack('data', { Secret: secret({ Name: 'new' }) }, secretExport);
    expect(deploymentFaults([before, importer], [renamed, importer])).toContainEqual(fault);
  });

  test('that a stack imports before another one provides it is a fault', () => {
    const fault = { kind: 'missing value', stack: 'api', at: 'data:secret' };
    expect(deploymentFaults([dropped, idle], [importer, before])).toEqual([fault]);
    expect(deploymentFaults([dropped, idle], [before, importer])).toEqual([]);
  });

  test('may not be dropped while an importing stack stays deployed, even one that is no longer in the stage', () => {
    const fault = { kind: 'export in use', stack: 'data', at: 'data:secret' };
    expect(deploymentFaults([before, importer], [dropped])).toEqual([fault]);
  });
});

test('an output that a stack reads must exist when the stack is deployed, but may be removed later', () => {
  const reads = { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Secret' } };
  const reader = stack('api', { Role: role({ Description: reads }) });
  const withOutput = stack('data', {}, { Secret: { Value: 'arn' } });
  const without = stack('data', {});

  expect(deploymentFaults([without, idle], [without, reader])).toEqual([
    { kind: 'missing value', stack: 'api', at: 'data.Secret' },
  ]);
  expect(deploymentFaults([without, idle], [withOutput, reader])).toEqual([]);
  expect(deploymentFaults([withOutput, reader], [without, idle])).toEqual([]);
});

describe('a resource with state', () => {
  const lost = { kind: 'state lost', stack: 'data', at: 'AWS::DynamoDB::GlobalTable Table' };

  test('is lost if it is replaced or removed, even if it is retained', () => {
    const before = [stack('data', { Table: table('sk') })];
    expect(deploymentFaults(before, [stack('data', { Table: table('other') })])).toEqual([lost]);
    expect(deploymentFaults(before, [stack('data', {})])).toEqual([lost]);
    expect(deploymentFaults(before, [stack('data', { Moved: table('sk') })])).toEqual([lost]);
  });

  test('is lost if one of its properties refers to a resource that is replaced', () => {
    const tagged = (Name: string) => ({
      Key: role({ RoleName: Name }),
      Certificate: {
        Type: 'AWS::CertificateManager::Certificate',
        Properties: { DomainName: { Ref: 'Key' } },
      },
    });
    const faults = deploymentFaults([stack('api', tagged('a'))], [stack('api', tagged('b'))]);
    expect(faults).toEqual([
      { kind: 'state lost', stack: 'api', at: 'AWS::CertificateManager::Certificate Certificate' },
    ]);
  });

  test('may change in place', () => {
    const retention = (RetentionInDays: number) =>
      stack('api', { Log: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays } } });
    expect(deploymentFaults([retention(7)], [retention(30)])).toEqual([]);
  });
});

test('a secret whose value the template changes is overwritten', () => {
  const at = 'AWS::SecretsManager::Secret Secret';
  const generated = (PasswordLength: number) =>
    stack('data', { Secret: secret({ GenerateSecretString: { PasswordLength } }) });
  const described = stack('data', { Secret: secret({ SecretString: '{}', Description: 'new' }) });
  const plain = (SecretString: string) => stack('data', { Secret: secret({ SecretString }) });

  expect(deploymentFaults([generated(32)], [generated(64)])).toEqual([
    { kind: 'value overwritten', stack: 'data', at },
  ]);
  expect(deploymentFaults([plain('{}')], [plain('{"a":1}')])).toEqual([
    { kind: 'value overwritten', stack: 'data', at },
  ]);
  expect(deploymentFaults([plain('{}')], [described])).toEqual([]);
});

describe('the indexes of a table', () => {
  const indexed = (...indexes: (readonly [name: string, type?: string])[]) => {
    const { Properties, ...rest } = table('sk');
    const GlobalSecondaryIndexes = indexes.map(([IndexName, ProjectionType = 'ALL']) => ({
      IndexName,
      Projection: { ProjectionType },
    }));
    return [stack('data', { Table: { ...rest, Properties: { ...Properties, GlobalSecondaryIndexes } } })];
  };
  const atOnce = { kind: 'indexes at once', stack: 'data', at: 'AWS::DynamoDB::GlobalTable Table' };

  test('are added or removed one at a time', () => {
    expect(deploymentFaults(indexed(['a']), indexed(['a'], ['b'], ['c']))).toEqual([atOnce]);
    expect(deploymentFaults(indexed(['a'], ['b'], ['c']), indexed(['a']))).toEqual([atOnce]);
    expect(deploymentFaults(indexed(['a']), indexed(['b']))).toEqual([atOnce]);
    expect(deploymentFaults(indexed(['a']), indexed(['a'], ['b']))).toEqual([]);
    expect(deploymentFaults(indexed(['a'], ['b']), indexed(['b']))).toEqual([]);
  });

  test('cannot be changed in place', () => {
    expect(deploymentFaults(indexed(['a']), indexed(['a', 'KEYS_ONLY']))).toEqual([atOnce]);
  });

  test('may be created with their table', () => {
    expect(deploymentFaults([], indexed(['a'], ['b']))).toEqual([]);
  });
});

describe('a physical name', () => {
  const named = (logicalId: string, name: string) => stack('api', { [logicalId]: role({ RoleName: name }) });

  test('cannot move to another resource, in the same stack or another, while it is taken', () => {
    const fault = { kind: 'name taken', stack: 'api', at: 'AWS::IAM::Role New' };
    expect(deploymentFaults([named('Old', 'ops')], [named('New', 'ops')])).toEqual([fault]);
    const access = stack('access', { Old: role({ RoleName: 'ops' }) });
    expect(deploymentFaults([idle, access], [named('New', 'ops'), stack('access', {})])).toEqual([fault]);
  });

  test('can be used by resources of different types', () => {
    const both = stack('api', { Role: role({ RoleName: 'ops' }), Queue: queue('ops') });
    expect(deploymentFaults([named('Role', 'ops')], [both])).toEqual([]);
  });

  test('must change if the resource is replaced', () => {
    const underPath = (Path: string) => stack('access', { Role: role({ RoleName: 'ops', Path }) });
    expect(deploymentFaults([underPath('/')], [underPath('/people/')])).toEqual([
      { kind: 'name kept by replacement', stack: 'access', at: 'AWS::IAM::Role Role' },
    ]);
    const renamed = stack('access', { Role: role({ RoleName: 'people', Path: '/people/' }) });
    expect(deploymentFaults([underPath('/')], [renamed])).toEqual([]);
  });

  test('stays taken by a retained resource that is removed, so the resource cannot be created again', () => {
    const before = stack('access', { Role: { ...role({ RoleName: 'ops' }), DeletionPolicy: 'Retain' } });
    const unnamed = stack('access', { Role: { ...role({}), DeletionPolicy: 'Retain' } });
    expect(deploymentFaults([before], [stack('access', {})])).toEqual([
      { kind: 'name left behind', stack: 'access', at: 'AWS::IAM::Role Role' },
    ]);
    expect(deploymentFaults([unnamed], [stack('access', {})])).toEqual([]);
  });

  /** Types with a property `…Name` that identifies nothing outside its stack. */
  const OTHER_NAMES = new Set([
    'AWS::ApiGateway::BasePathMapping',
    'AWS::ApiGateway::RestApi',
    'AWS::CertificateManager::Certificate',
    'AWS::IAM::Policy',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Permission',
    'AWS::Lambda::Url',
    'AWS::Lambda::Version',
    'AWS::Logs::MetricFilter',
  ]);

  test('is known to the check for every type in the stacks', () => {
    const resources = synthesizeStacks('prod').flatMap(({ template }) =>
      Object.values(template.Resources ?? {}),
    );
    const named = resources.filter(({ Properties = {} }) =>
      Object.keys(Properties).some((key) => /Name$/.test(key)),
    );
    const unknown = named
      .map(({ Type }) => Type)
      .filter((type) => !(type in NAMES) && !OTHER_NAMES.has(type));

    expect(named.length).toBeGreaterThan(50);
    expect([...new Set(unknown)]).toEqual([]);
  });
});
