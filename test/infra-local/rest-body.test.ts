import { describe, expect, test } from '@jest/globals';
import { restApiOf } from '../../infra/local/gateway/rest-body.ts';
import { Deployment, type JsonObject, type Template } from '../../infra/local/templates/template.ts';

const integration = {
  type: 'aws_proxy',
  httpMethod: 'POST',
  uri: 'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:f/invocations',
};

/** An API with one path. `operation` and `rest` are added to its operation and to its other resources. */
function api(operation: JsonObject = {}, rest: Template['Resources'] = {}, property: JsonObject = {}) {
  const Body = {
    openapi: '3.0.1',
    info: {},
    paths: { '/x': { get: { 'x-amazon-apigateway-integration': integration, ...operation } } },
  };
  const Resources = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body, ...property } },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live' } },
    ...rest,
  };
  return restApiOf(new Deployment([{ name: 's', template: { Resources } }]));
}

describe('the REST API of the templates', () => {
  test('has the name of its stage and the paths of its body', () => {
    const { apiId, stage, paths, binary } = api();
    expect({ apiId, stage, binary }).toEqual({ apiId: 's-Api', stage: 'live', binary: false });
    expect(paths['/x']?.['get']?.['x-amazon-apigateway-integration'].timeoutInMillis).toBe(29_000);
  });

  test('treats bodies as binary if the property or the body of the API says so', () => {
    expect(api({}, {}, { BinaryMediaTypes: ['*/*'] }).binary).toBe(true);
    expect(api({}, {}, { BinaryMediaTypes: ['image/png'] }).binary).toBe(false);
  });

  test.each<[string, JsonObject]>([
    ['an authoriser', { security: [{ key: [] }] }],
    ['a parameter outside the path', { parameters: [{ name: 'q', in: 'query' }] }],
    ['a role', { 'x-amazon-apigateway-integration': { ...integration, credentials: 'arn:role' } }],
    ['another integration', { 'x-amazon-apigateway-integration': { ...integration, type: 'http_proxy' } }],
  ])('cannot have %s, and the error names the place', (_what, operation) => {
    const [key = ''] = Object.keys(operation);
    expect(() => api(operation)).toThrow(
      new RegExp(`does not support this REST API \\(Api\\):\n- Body\\.paths\\./x\\.get\\.${key}`),
    );
  });

  test.each(['Resource', 'Method', 'GatewayResponse'])('cannot have a %s outside its body', (part) => {
    expect(() => api({}, { Extra: { Type: `AWS::ApiGateway::${part}` } })).toThrow(
      `does not support the AWS::ApiGateway::${part} Extra. Declare it in the Body of the REST API.`,
    );
  });

  test('has one stage', () => {
    const second = { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'canary' } };
    expect(() => api({}, { Second: second })).toThrow('The templates must have one REST API with one stage.');
  });
});
