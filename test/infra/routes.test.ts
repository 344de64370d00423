import { describe, expect, test } from '@jest/globals';
import { resourcesOf, synthesize } from './synthesis.ts';

/** Every route of the specification and decision A3, and the function that serves it. */
const SERVED_BY: readonly (readonly [string, string])[] = [
  ['POST /ng/nin-basic', 'nin-basic'],
  ['POST /ng/nin-premium', 'nin-premium'],
  ['POST /identities/verify', 'verify-identity'],
  ['POST /ng/nin/slip/download', 'nin-slip'],
  ['POST /ng/bvn-basic', 'bvn-basic'],
  ['POST /ng/bvn-premium', 'bvn-premium'],
  ['POST /ng/cac-basic', 'cac-basic'],
  ['POST /ng/cac-premium', 'cac-premium'],
  ['POST /ng/tin-basic', 'tin-basic'],
  ['POST /ng/nuban-basic', 'nuban-basic'],
  ['GET /banks', 'banks'],
  ['GET /wallet/balance', 'wallet-balance'],
  ['GET /wallet/transactions', 'wallet-transactions'],
  ['GET /verifications/{request_id}', 'verification'],
  ['GET /openapi.json', 'openapi'],
  ['GET /health', 'health'],
  ['GET /slips/check/{token}', 'slip-check'],
];

const { api } = synthesize();
const resources = resourcesOf(api, 'AWS::ApiGateway::Resource');
const aliases = resourcesOf(api, 'AWS::Lambda::Alias');
const functions = resourcesOf(api, 'AWS::Lambda::Function');

interface Reference {
  readonly Ref?: string;
}

/** The full path of a resource. The path of the root, which is not in the template, is empty. */
function pathOf({ Ref }: Reference): string {
  const resource = resources.get(Ref ?? '');
  if (!resource) return '';
  const { ParentId, PathPart } = resource.Properties as { ParentId: Reference; PathPart: string };
  return `${pathOf(ParentId)}/${PathPart}`;
}

const served = new Map(
  [...resourcesOf(api, 'AWS::ApiGateway::Method').values()].map(({ Properties }) => {
    const { HttpMethod, ResourceId, Integration, AuthorizationType } = Properties as {
      HttpMethod: string;
      ResourceId: Reference;
      Integration: { Type: string; Uri: unknown };
      AuthorizationType: string;
    };
    return [`${HttpMethod} ${pathOf(ResourceId) || '/'}`, { Integration, AuthorizationType }];
  }),
);

/** Expects the alias of the function in the URI of the integration, so that rollouts apply to the route. */
function expectServedBy(route: string, name: string): void {
  const integration = served.get(route)?.Integration;
  expect(integration?.Type).toBe('AWS_PROXY');
  const [, aliasId] = /\{"Ref":"(Rollout[A-Za-z0-9]+)"\}/.exec(JSON.stringify(integration?.Uri)) ?? [];
  const { FunctionName } = (aliases.get(aliasId ?? '')?.Properties ?? {}) as { FunctionName?: Reference };
  const { Metadata } = functions.get(FunctionName?.Ref ?? '') ?? {};
  expect(Metadata?.['aws:cdk:path']).toBe(`identity-prod-api/${name}/Resource`);
}

describe('the routes of the REST API', () => {
  test.each(SERVED_BY)('%s is served by %s below /v1 and /api/v1', (route, name) => {
    for (const prefix of ['/v1', '/api/v1']) expectServedBy(route.replace(' ', ` ${prefix}`), name);
  });

  test('there are no other routes, and none for OPTIONS', () => {
    const declared = [...served.keys()].filter((route) => !route.startsWith('ANY '));
    expect(declared).toHaveLength(2 * SERVED_BY.length);
  });

  test('unknown-route serves all other methods and paths', () => {
    const paths = ['/', ...[...resources.keys()].map((Ref) => pathOf({ Ref }))];
    expect(paths).toEqual(expect.arrayContaining(['/{proxy+}', '/v1', '/api/v1/ng', '/v1/ng/nin-basic']));
    for (const path of paths) expectServedBy(`ANY ${path}`, 'unknown-route');
  });

  test('no route has an authoriser of API Gateway, since the functions check API keys', () => {
    for (const { AuthorizationType } of served.values()) expect(AuthorizationType).toBe('NONE');
  });
});
