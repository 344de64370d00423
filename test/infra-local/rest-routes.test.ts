import { describe, expect, test } from '@jest/globals';
import { matchPath, resourceTree } from '../../infra/local/gateway/rest-routes.ts';
import type { Template } from '../../infra/local/templates/template.ts';
import { Deployment } from '../../infra/local/templates/template.ts';

const uri = 'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:f/invocations';
const resource = (ParentId: object, PathPart: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId: { ...ParentId }, PathPart, RestApiId: { Ref: 'Api' } },
});
const method = (ResourceId: object, HttpMethod = 'POST') => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    ResourceId: { ...ResourceId },
    HttpMethod,
    RestApiId: { Ref: 'Api' },
    Integration: { Type: 'AWS_PROXY', Uri: uri },
  },
});
const root = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };

const template: Template = {
  Resources: {
    Api: { Type: 'AWS::ApiGateway::RestApi' },
    // A child before its parents, because templates have no order.
    Basic: resource({ Ref: 'Ng' }, 'nin-basic'),
    ApiPart: resource(root, 'api'),
    ApiV1: resource({ Ref: 'ApiPart' }, 'v1'),
    ApiBasic: resource({ Ref: 'ApiV1' }, 'nin-basic'),
    V1: resource(root, 'v1'),
    Ng: resource({ Ref: 'V1' }, 'ng'),
    Entry: resource({ Ref: 'V1' }, '{request_id}'),
    Proxy: resource(root, '{proxy+}'),
    M1: method({ Ref: 'Basic' }),
    M2: method({ Ref: 'ApiBasic' }),
    M3: method({ Ref: 'Entry' }, 'GET'),
    M4: method({ Ref: 'Proxy' }, 'ANY'),
    M5: method(root, 'ANY'),
  },
};

const tree = resourceTree(new Deployment([{ name: 's', template }]), 's-Api', 'Api/root');

describe('a path matches the same resource as in API Gateway', () => {
  test.each<[string, string, object]>([
    ['/v1/ng/nin-basic', '/v1/ng/nin-basic', {}],
    ['/v1/ng/nin-basic/', '/v1/ng/nin-basic', {}],
    ['/api/v1/nin-basic', '/api/v1/nin-basic', {}],
    ['/api/v1/nin-basic/', '/api/v1/nin-basic', {}],
    ['/', '/', {}],
    ['/v1/abc', '/v1/{request_id}', { request_id: 'abc' }],
    ['/v1/a%20b/', '/v1/{request_id}', { request_id: 'a b' }],
    ['/v1/ng', '/v1/{request_id}', { request_id: 'ng' }],
    ['/v1/ng/nothing', '/{proxy+}', { proxy: 'v1/ng/nothing' }],
    ['/V1/ng/nin-basic', '/{proxy+}', { proxy: 'V1/ng/nin-basic' }],
    ['/v1//ng/nin-basic', '/{proxy+}', { proxy: 'v1//ng/nin-basic' }],
    ['/v1/ng/nin-basic//', '/{proxy+}', { proxy: 'v1/ng/nin-basic/' }],
  ])('%s matches %s', (path, expected, parameters) => {
    const match = matchPath(tree, path);
    expect(match?.node.path).toBe(expected);
    expect(match?.pathParameters).toEqual(parameters);
  });

  test('an invalid percent encoding throws, and is not taken for an unknown path', () => {
    expect(() => matchPath(tree, '/v1/%zz')).toThrow(URIError);
  });

  test('a resource has the function of each of its methods', () => {
    const { node } = matchPath(tree, '/v1/ng/nin-basic') ?? {};
    expect(node?.integrations.get('POST')).toEqual({
      functionArn: 'arn:f',
      timeoutMs: 29_000,
      httpMethod: 'POST',
    });
    expect(node?.integrations.get('GET')).toBeUndefined();
  });
});
