import { describe, expect, test } from '@jest/globals';
import type { JsonObject, Stack } from '../../infra/local/cloudformation.ts';
import { Deployment } from '../../infra/local/template.ts';

const data: Stack = {
  name: 'data',
  template: {
    Resources: {
      Table: { Type: 'AWS::DynamoDB::Table' },
      Named: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'wallets' } },
      Secret: { Type: 'AWS::SecretsManager::Secret' },
    },
    Outputs: { TableName: { Value: { Ref: 'Table' }, Export: { Name: 'data:TableName' } } },
  },
};

const placeholder = (name: string) => `$\{${name}}`;

function deploymentWith(properties: JsonObject): Deployment {
  const api: Stack = {
    name: 'api',
    template: {
      Resources: {
        Function: { Type: 'AWS::Lambda::Function', Properties: properties },
        Url: { Type: 'AWS::Lambda::Url' },
      },
      Parameters: { Version: { Default: '6' } },
    },
  };
  return new Deployment([data, api], new Map([['Url.FunctionUrl', 'http://127.0.0.1:4000/']]));
}

function resolved(value: JsonObject): unknown {
  const deployment = deploymentWith({ value });
  const [resource] = deployment.ofType('AWS::Lambda::Function');
  if (!resource) throw new Error('no function');
  return deployment.properties(resource)['value'];
}

describe('the template reader gives every intrinsic function its local value', () => {
  test.each<[string, JsonObject, unknown]>([
    ['a reference to a resource is its name', { Ref: 'Function' }, 'api-Function'],
    ['a parameter has its default', { Ref: 'Version' }, '6'],
    ['a pseudo parameter has one made-up value', { Ref: 'AWS::AccountId' }, '000000000000'],
    ['a stack knows its name', { Ref: 'AWS::StackName' }, 'api'],
    [
      'an attribute is an ARN',
      { 'Fn::GetAtt': ['Function', 'Arn'] },
      'arn:aws:lambda:eu-west-1:000000000000:function:api-Function',
    ],
    [
      'the address of a function URL comes from the runtime',
      { 'Fn::GetAtt': ['Url', 'FunctionUrl'] },
      'http://127.0.0.1:4000/',
    ],
    ['parts are joined', { 'Fn::Join': ['/', ['a', { Ref: 'Version' }, 'b']] }, 'a/6/b'],
    [
      'names in a text are replaced',
      { 'Fn::Sub': `${placeholder('AWS::Region')}:${placeholder('Function.Arn')}` },
      'eu-west-1:arn:aws:lambda:eu-west-1:000000000000:function:api-Function',
    ],
    [
      'names in a text may be given beside it',
      { 'Fn::Sub': [`${placeholder('x')}-${placeholder('Version')}`, { x: { Ref: 'Version' } }] },
      '6-6',
    ],
    ['an export of another stack is read there', { 'Fn::ImportValue': 'data:TableName' }, 'data-Table'],
    ['a text is split and a part is taken', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [
      'values inside lists and objects are found',
      { list: [{ Ref: 'Version' }], n: 1 },
      { list: ['6'], n: 1 },
    ],
  ])('%s', (_promise, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test.each<[string, JsonObject]>([
    ['an intrinsic function it does not know', { 'Fn::Cidr': ['10.0.0.0/8', 1] }],
    ['a resource that is not there', { Ref: 'Nobody' }],
    ['an attribute it does not know', { 'Fn::GetAtt': ['Function', 'Colour'] }],
    ['an export that nobody makes', { 'Fn::ImportValue': 'data:Nothing' }],
  ])('and refuses %s instead of guessing', (_promise, value) => {
    expect(() => resolved(value)).toThrow();
  });
});

test('a resource has the name that the template declares, and a secret is referred to by its ARN', () => {
  const deployment = deploymentWith({});
  const [, named] = deployment.ofType('AWS::DynamoDB::Table');
  const [secret] = deployment.ofType('AWS::SecretsManager::Secret');
  if (!named || !secret) throw new Error('missing');
  expect(deployment.name(named)).toBe('wallets');
  expect(deployment.arn(named)).toBe('arn:aws:dynamodb:eu-west-1:000000000000:table/wallets');
  expect(deployment.resolve(data, { Ref: 'Secret' })).toMatch(/:secret:data-Secret-[0-9a-f]{6}$/);
});
