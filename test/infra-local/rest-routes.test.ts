import { describe, expect, test } from '@jest/globals';
import { matchPath, resourceTree } from '../../infra/local/gateway/rest-routes.ts';

const operation = {
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: 'arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/arn:f/invocations',
    timeoutInMillis: 29_000,
  },
} as const;
const any = { 'x-amazon-apigateway-any-method': operation };

const tree = resourceTree({
  // A child comes before its parents, because a document can list its paths in any order.
  '/v1/ng/nin-basic': { post: operation },
  '/api/v1/nin-basic': { post: operation },
  '/v1/{request_id}': { get: operation },
  '/{proxy+}': any,
  '/': any,
});

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

  test('an invalid percent encoding throws, and is not treated as an unknown path', () => {
    expect(() => matchPath(tree, '/v1/%zz')).toThrow(URIError);
  });

  test('two names for one parameter are an error, as in API Gateway', () => {
    expect(() => resourceTree({ '/v1/{a}': any, '/v1/{b}/c': any })).toThrow(
      '/v1 has two children with a parameter: {a} and {b}.',
    );
  });

  test('a resource has a function for each declared method, and for no others', () => {
    const { node } = matchPath(tree, '/v1/ng/nin-basic') ?? {};
    expect(node?.integrations.get('POST')).toEqual({
      functionArn: 'arn:f',
      timeoutMs: 29_000,
      needsSignature: false,
      httpMethod: 'POST',
    });
    expect(node?.integrations.get('GET')).toBeUndefined();
  });
});
