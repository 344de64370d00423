import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import { functionsOf, type Properties, resourcesOf, synthesize } from './synthesis.ts';

const { api } = synthesize();

function only(type: string): Properties {
  const [resource, ...others] = resourcesOf(api, type).values();
  if (!resource || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
  return resource.Properties;
}

const gatewayResponses = new Map(
  [...resourcesOf(api, 'AWS::ApiGateway::GatewayResponse').values()].map(({ Properties }) => [
    Properties['ResponseType'] as string,
    Properties as {
      StatusCode: string;
      ResponseTemplates: { 'application/json': string };
      ResponseParameters: Record<string, string>;
    },
  ]),
);

/** Decision C1: what API Gateway answers by itself. */
const GATEWAY_CASES: readonly (readonly [string, number, ErrorCode])[] = [
  ['DEFAULT_4XX', 404, 'ROUTE_NOT_FOUND'],
  ['MISSING_AUTHENTICATION_TOKEN', 404, 'ROUTE_NOT_FOUND'],
  ['ACCESS_DENIED', 404, 'ROUTE_NOT_FOUND'],
  ['INVALID_SIGNATURE', 404, 'ROUTE_NOT_FOUND'],
  ['EXPIRED_TOKEN', 404, 'ROUTE_NOT_FOUND'],
  ['RESOURCE_NOT_FOUND', 404, 'ROUTE_NOT_FOUND'],
  ['THROTTLED', 429, 'RATE_LIMITED'],
  ['QUOTA_EXCEEDED', 429, 'RATE_LIMITED'],
  ['WAF_FILTERED', 429, 'RATE_LIMITED'],
  ['REQUEST_TOO_LARGE', 413, 'PAYLOAD_TOO_LARGE'],
  ['INTEGRATION_TIMEOUT', 504, 'TIMEOUT'],
  ['INTEGRATION_FAILURE', 500, 'SERVER_ERROR'],
  ['DEFAULT_5XX', 500, 'SERVER_ERROR'],
];

describe('the answers of API Gateway itself', () => {
  test.each(GATEWAY_CASES)('%s is %i %s in the envelope', (type, status, code) => {
    const response = gatewayResponses.get(type);
    const body = response?.ResponseTemplates['application/json'] ?? '';

    expect(response?.StatusCode).toBe(String(status));
    expect(JSON.parse(body)).toEqual({
      success: false,
      code,
      message: expect.stringContaining(CATALOGUE[code].message),
      verification_type: '',
      summary: { verified: false, verification_type: '', provider: '', confidence_score: 0 },
      data: null,
      meta: { request_id: '$context.requestId', timestamp: '' },
    });
    expect(body).toContain('"confidence_score":0.0}');
    expect(response?.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
    });
  });

  test('there are no others, and none quotes what came in', () => {
    expect([...gatewayResponses.keys()].sort()).toEqual(GATEWAY_CASES.map(([type]) => type).sort());
    for (const { ResponseTemplates } of gatewayResponses.values()) {
      const variables = ResponseTemplates['application/json'].match(/\$[\w.]+/g);
      expect(variables).toEqual(['$context.requestId']);
    }
  });

  test('a 5xx says that the call may have been charged and can be repeated under the same Idempotency-Key', () => {
    for (const { StatusCode, ResponseTemplates } of gatewayResponses.values()) {
      const says = /may have been charged.*same Idempotency-Key/.test(ResponseTemplates['application/json']);
      expect(says).toBe(StatusCode.startsWith('5'));
    }
  });

  test('a throttled caller is told when to come back', () => {
    expect(gatewayResponses.get('THROTTLED')?.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Retry-After': "'1'",
    });
  });
});

describe('the REST API', () => {
  test('is regional and passes every body as it is', () => {
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  test('throttles, and logs routes without paths, headers, queries or bodies', () => {
    const stage = only('AWS::ApiGateway::Stage');
    const { Format } = stage['AccessLogSetting'] as { Format: string };

    expect(JSON.parse(Format)).toEqual({
      requestId: '$context.requestId',
      time: '$context.requestTimeEpoch',
      ip: '$context.identity.sourceIp',
      method: '$context.httpMethod',
      route: '$context.resourcePath',
      status: '$context.status',
      latencyMs: '$context.responseLatency',
      integrationLatencyMs: '$context.integrationLatency',
      responseBytes: '$context.responseLength',
      errorType: '$context.error.responseType',
    });
    expect(stage['MethodSettings']).toEqual([
      expect.objectContaining({
        ResourcePath: '/*',
        HttpMethod: '*',
        LoggingLevel: 'OFF',
        DataTraceEnabled: false,
        ThrottlingRateLimit: 1_000,
        ThrottlingBurstLimit: 2_000,
      }),
    ]);
  });

  test("keeps the account's CloudWatch role when the stack goes", () => {
    const [account] = resourcesOf(api, 'AWS::ApiGateway::Account').values();
    const role = resourcesOf(api, 'AWS::IAM::Role').get('ApiCloudWatchRole73EC6FC4');

    expect(account).toMatchObject({ DeletionPolicy: 'Retain' });
    expect(role).toMatchObject({ DeletionPolicy: 'Retain' });
  });

  test('may call each of its functions, by one permission each', () => {
    const permitted = [...resourcesOf(api, 'AWS::Lambda::Permission').values()]
      .filter(({ Properties }) => Properties['Principal'] === 'apigateway.amazonaws.com')
      .map(({ Properties }) => JSON.stringify(Properties['FunctionName']));
    const called = [...resourcesOf(api, 'AWS::ApiGateway::Method').values()].map(({ Properties }) => {
      const { Uri } = Properties['Integration'] as { Uri: { 'Fn::Join': [string, unknown[]] } };
      return JSON.stringify(Uri['Fn::Join'][1].find((part) => JSON.stringify(part).includes('alias')));
    });

    expect(called).not.toContain(undefined);

    expect(permitted.sort()).toEqual([...new Set(called)].sort());
  });

  test('leaves room in the stack: far fewer than the 500 resources of CloudFormation', () => {
    expect(Object.keys(api.toJSON()['Resources']).length).toBeLessThan(350);
    expect(functionsOf(api)).toHaveLength(21);
  });
});
