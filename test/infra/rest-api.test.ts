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

/** The responses that API Gateway generates itself (decision C1). */
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

describe('the responses that API Gateway generates', () => {
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

  test('there are no others, and none quotes the request', () => {
    expect([...gatewayResponses.keys()].sort()).toEqual(GATEWAY_CASES.map(([type]) => type).sort());
    for (const { ResponseTemplates } of gatewayResponses.values()) {
      const variables = ResponseTemplates['application/json'].match(/\$[\w.]+/g);
      expect(variables).toEqual(['$context.requestId']);
    }
  });

  test('a 5xx says that the request may have been charged and can be retried with the same Idempotency-Key', () => {
    for (const { StatusCode, ResponseTemplates } of gatewayResponses.values()) {
      const warns = /may have been charged\. If you sent an Idempotency-Key, retry with the same key/.test(
        ResponseTemplates['application/json'],
      );
      expect(warns).toBe(StatusCode.startsWith('5'));
    }
  });

  test('a throttled caller receives Retry-After', () => {
    expect(gatewayResponses.get('THROTTLED')?.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Retry-After': "'1'",
    });
  });
});

describe('the REST API', () => {
  test('is regional and passes every body unchanged', () => {
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  test('throttles, and logs routes but no paths, headers, queries or bodies', () => {
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

  test("retains the account's CloudWatch role", () => {
    const [account] = resourcesOf(api, 'AWS::ApiGateway::Account').values();
    const role = resourcesOf(api, 'AWS::IAM::Role').get('ApiCloudWatchRole73EC6FC4');

    expect(account).toMatchObject({ DeletionPolicy: 'Retain' });
    expect(role).toMatchObject({ DeletionPolicy: 'Retain' });
  });

  test('has one permission for each of its functions', () => {
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

  test('stays far below the limit of 500 resources per stack', () => {
    expect(Object.keys(api.toJSON()['Resources']).length).toBeLessThan(350);
    expect(functionsOf(api)).toHaveLength(22);
  });
});
