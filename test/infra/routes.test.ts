import { describe, expect, test } from '@jest/globals';
import { apiBodyOf, functionsOf, operationsOf, resourcesOf, synthesize } from './synthesis.ts';

/** Every route of the specification and contract A3, and the function that serves it. */
const SERVED_BY: readonly (readonly [string, string])[] = [
  ['POST /ng/nin-basic', 'nin-basic'],
  ['POST /ng/nin-premium', 'nin-premium'],
  ['POST /identities/verify', 'verify-identity'],
  ['POST /ng/nin/slip/download', 'nin-slip'],
  ['POST /ng/nin/slip/revoke', 'revoke-slip'],
  ['POST /ng/bvn-basic', 'bvn-basic'],
  ['POST /ng/bvn-premium', 'bvn-premium'],
  ['POST /ng/cac-basic', 'cac-basic'],
  ['POST /ng/cac-premium', 'cac-premium'],
  ['POST /ng/tin-basic', 'tin-basic'],
  ['POST /ng/nuban-basic', 'nuban-basic'],
  ['GET /me', 'me'],
  ['GET /banks', 'banks'],
  ['GET /wallet/balance', 'wallet-balance'],
  ['GET /wallet/transactions', 'wallet-transactions'],
  ['GET /wallet/lots', 'wallet-lots'],
  ['GET /wallet/invoices', 'wallet-invoices'],
  ['GET /wallet/invoices/{number}', 'wallet-invoice'],
  ['POST /wallet/top-ups', 'start-top-up'],
  ['GET /wallet/top-ups/{reference}', 'top-up'],
  ['GET /verifications', 'verifications'],
  ['GET /verifications/{request_id}', 'verification'],
  ['GET /openapi.json', 'openapi'],
  ['GET /health', 'health'],
  ['GET /slips/check/{token}', 'slip-check'],
  ['POST /slips/check/{token}', 'slip-details'],
  ['POST /payments/paystack', 'paystack-webhook'],
  ['GET /payments/return', 'payment-return'],
];

const { api, functions } = synthesize();
const aliases = [...resourcesOf(functions, 'AWS::Lambda::Alias').values()].map(({ Properties }) => {
  const { Ref } = Properties['FunctionName'] as { readonly Ref: string };
  const { FunctionName } = resourcesOf(functions, 'AWS::Lambda::Function').get(Ref)?.Properties ?? {};
  return `${FunctionName}:${Properties['Name']}`;
});
const served = operationsOf(api);

/** Expects the alias of the function in the URI of the integration, so that rollouts apply to the route. */
function expectServedBy(route: string, name: string): void {
  const { type, uri } = served.get(route)?.['x-amazon-apigateway-integration'] ?? {};
  expect(type).toBe('aws_proxy');
  const [, alias] = /:function:([\w:-]+)\/invocations/.exec(JSON.stringify(uri)) ?? [];
  expect(alias).toBe(`identity-prod-api-${name}:live`);
  expect(aliases).toContain(alias);
}

describe('the routes of the REST API:', () => {
  test.each(SERVED_BY)('%s is served by %s below /v1 and /api/v1', (route, name) => {
    for (const prefix of ['/v1', '/api/v1']) expectServedBy(route.replace(' ', ` ${prefix}`), name);
  });

  test('HEAD is served by the function of GET', () => {
    for (const [route, name] of SERVED_BY.filter(([method]) => method.startsWith('GET ')))
      for (const prefix of ['/v1', '/api/v1']) expectServedBy(route.replace('GET ', `HEAD ${prefix}`), name);
  });

  // CloudFormation does not remove an export that the API imports.
  test('a route can be removed in one deployment, because the stack of functions exports nothing', () => {
    expect(functions.toJSON()['Outputs']).toBeUndefined();
  });

  test('there are no other routes, and none for OPTIONS', () => {
    const methods = SERVED_BY.flatMap(([route]) => (route.startsWith('GET ') ? ['GET', 'HEAD'] : ['POST']));
    const declared = [...served.keys()].filter((route) => !route.startsWith('ANY '));
    expect(declared).toHaveLength(2 * methods.length);
  });

  test('unknown-route knows the methods of each path', () => {
    const unknown = functionsOf(functions).find(({ name }) => name === 'unknown-route');
    const paths = Object.keys(apiBodyOf(api).paths).filter((path) => path.startsWith('/v1/'));
    const methods = ['GET', 'HEAD', 'POST'];
    const allowed = paths.map((path) => [
      path.slice('/v1'.length),
      methods.filter((method) => served.has(`${method} ${path}`)).join(', '),
    ]);

    expect(JSON.parse(String(unknown?.environment['ALLOWED_METHODS']))).toEqual(
      Object.fromEntries(allowed.filter(([, list]) => list !== '')),
    );
  });

  test('unknown-route serves all other methods and paths', () => {
    const paths = Object.keys(apiBodyOf(api).paths);
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/{proxy+}', '/api', '/v1', '/api/v1/ng', '/v1/ng/nin-basic']),
    );
    for (const path of paths) expectServedBy(`ANY ${path}`, 'unknown-route');
  });

  // A function checks the key with a consistent, uncached read (contract B4). An authoriser would add a call or a
  // cache.
  test('no route has an API Gateway authoriser, because the functions check API keys', () => {
    for (const { security } of served.values()) expect(security).toBeUndefined();
  });
});
