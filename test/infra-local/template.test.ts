import { describe, expect, test } from '@jest/globals';
import type { JsonObject, Stack } from '../../infra/local/templates/template.ts';
import { Deployment } from '../../infra/local/templates/template.ts';

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

describe('intrinsic functions are replaced by their local values', () => {
  test.each<[string, JsonObject, unknown]>([
    ['a reference to a resource is its name', { Ref: 'Function' }, 'api-Function'],
    ['a parameter is its default', { Ref: 'Version' }, '6'],
    ['a pseudo parameter has a fixed value', { Ref: 'AWS::AccountId' }, '000000000000'],
    ['AWS::StackName is the name of the stack', { Ref: 'AWS::StackName' }, 'api'],
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
    ['Fn::Join joins its items', { 'Fn::Join': ['/', ['a', { Ref: 'Version' }, 'b']] }, 'a/6/b'],
    [
      'Fn::Sub replaces references in a string',
      { 'Fn::Sub': `${placeholder('AWS::Region')}:${placeholder('Function.Arn')}` },
      'eu-west-1:arn:aws:lambda:eu-west-1:000000000000:function:api-Function',
    ],
    [
      'Fn::Sub replaces its own variables',
      { 'Fn::Sub': [`${placeholder('x')}-${placeholder('Version')}`, { x: { Ref: 'Version' } }] },
      '6-6',
    ],
    [
      'Fn::ImportValue reads the export of another stack',
      { 'Fn::ImportValue': 'data:TableName' },
      'data-Table',
    ],
    ['Fn::Split splits and Fn::Select selects', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [
      'values inside arrays and objects are replaced',
      { list: [{ Ref: 'Version' }], n: 1 },
      { list: ['6'], n: 1 },
    ],
  ])('%s', (_case, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test.each<[string, JsonObject]>([
    ['an intrinsic function that is not supported', { 'Fn::Cidr': ['10.0.0.0/8', 1] }],
    ['a resource that does not exist', { Ref: 'Missing' }],
    ['an attribute that is not supported', { 'Fn::GetAtt': ['Function', 'Colour'] }],
    ['an export that does not exist', { 'Fn::ImportValue': 'data:Nothing' }],
  ])('%s throws an error', (_case, value) => {
    expect(() => resolved(value)).toThrow();
  });
});

test('a resource has the name that the template declares, and a reference to a secret is its ARN', () => {
  const deployment = deploymentWith({});
  const [, named] = deployment.ofType('AWS::DynamoDB::Table');
  const [secret] = deployment.ofType('AWS::SecretsManager::Secret');
  if (!named || !secret) throw new Error('missing');
  expect(deployment.name(named)).toBe('wallets');
  expect(deployment.arn(named)).toBe('arn:aws:dynamodb:eu-west-1:000000000000:table/wallets');
  expect(deployment.resolve(data, { Ref: 'Secret' })).toMatch(/:secret:data-Secret-[0-9a-f]{6}$/);
});
