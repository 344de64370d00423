import { describe, expect, test } from '@jest/globals';
import { restApisOf } from '../../infra/local/gateway/rest-body.ts';
import { Deployment, type JsonObject, type Template } from '../../infra/local/templates/template.ts';

const integration = {
  type: 'aws_proxy',
  httpMethod: 'POST',
  uri: 'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:f/invocations',
};

/** Returns an API with one path. `operation` is added to its operation, and `rest` to the resources of its stack. */
function api(operation: JsonObject = {}, rest: Template['Resources'] = {}, property: JsonObject = {}) {
  const Body = {
    openapi: '3.0.1',
    info: {},
    paths: { '/x': { get: { 'x-amazon-apigateway-integration': integration, ...operation } } },
  };
  const Resources = {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body, ...property } },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live', RestApiId: { Ref: 'Api' } } },
    ...rest,
  };
  return restApisOf(new Deployment([{ name: 's', template: { Resources } }])).api;
}

/** Returns the resources of a stack with one API, whose only path is `path`. */
function resources(path: string, apiId = 'Api'): Template['Resources'] {
  const paths = { [path]: { get: { 'x-amazon-apigateway-integration': integration } } };
  return {
    [apiId]: {
      Type: 'AWS::ApiGateway::RestApi',
      Properties: { Body: { openapi: '3.0.1', info: {}, paths } },
    },
    [`${apiId}Stage`]: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: { StageName: 'live', RestApiId: { Ref: apiId } },
    },
  };
}

describe('the REST API in the templates', () => {
  test.each<[string, JsonObject]>([
    ['an authoriser', { security: [{ key: [] }] }],
    ['a parameter outside the path', { parameters: [{ name: 'q', in: 'query' }] }],
    ['a role', { 'x-amazon-apigateway-integration': { ...integration, credentials: 'arn:role' } }],
    [
      'a different integration',
      { 'x-amazon-apigateway-integration': { ...integration, type: 'http_proxy' } },
    ],
  ])('cannot have %s, and the error says where it is', (_what, operation) => {
    const [key = ''] = Object.keys(operation);
    expect(() => api(operation)).toThrow(
      new RegExp(`does not support this REST API \\(Api\\):\n- Body\\.paths\\./x\\.get\\.${key}`),
    );
  });

  test('can require IAM authorisation, whose security scheme must be declared', () => {
    const scheme = (type: string): JsonObject => ({
      securitySchemes: {
        sigv4: {
          type: 'apiKey',
          name: 'Authorization',
          in: 'header',
          'x-amazon-apigateway-authtype': type,
        },
      },
    });
    const withScheme = (components: JsonObject) => {
      const get = { 'x-amazon-apigateway-integration': integration, security: [{ sigv4: [] }] };
      return api({}, {}, { Body: { openapi: '3.0.1', info: {}, paths: { '/x': { get } }, ...components } });
    };
    expect(withScheme({ components: scheme('awsSigv4') }).paths['/x']?.['get']?.security).toHaveLength(1);
    expect(() => withScheme({ components: scheme('custom') })).toThrow('x-amazon-apigateway-authtype');
    expect(() => withScheme({})).toThrow('The security scheme sigv4 is not declared.');
  });

  test.each(['Resource', 'Method', 'GatewayResponse'])('cannot have a %s outside its body', (part) => {
    expect(() => api({}, { Extra: { Type: `AWS::ApiGateway::${part}` } })).toThrow(
      `does not support the AWS::ApiGateway::${part} Extra. Declare it in the Body of the REST API.`,
    );
  });
});

describe('the REST APIs of several stacks', () => {
  const stack = (name: string, path: string) => ({ name, template: { Resources: resources(path) } });

  test('are assigned to the service, the console and the operators, whatever the order of the stacks', () => {
    const deployment = new Deployment([
      stack('identity-local-operators', '/o'),
      stack('identity-local-console', '/c'),
      stack('identity-local-api', '/a'),
    ]);
    const found = restApisOf(deployment);
    const apis = [found.api, found.console, found.operators];
    expect(apis.map((one) => one && [one.apiId, ...Object.keys(one.paths)])).toEqual([
      ['identity-local-api-Api', '/a'],
      ['identity-local-console-Api', '/c'],
      ['identity-local-operators-Api', '/o'],
    ]);
    expect(Object.keys(restApisOf(new Deployment([stack('identity-local-api', '/a')])))).toEqual(['api']);
  });

  test('cannot include any others, and the error names the one without a port', () => {
    const stacks = [stack('s-api', '/a'), stack('s-console', '/c'), stack('s-operator', '/o')];
    expect(() => restApisOf(new Deployment(stacks))).toThrow('It has no port for Api of s-operator.');
    const Resources = { ...resources('/c'), ...resources('/d', 'Other') };
    const twice = [stack('s-api', '/a'), { name: 's-console', template: { Resources } }];
    expect(() => restApisOf(new Deployment(twice))).toThrow('It has no port for Other of s-console.');
  });
});
