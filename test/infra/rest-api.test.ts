import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { StageConfig } from '../../infra/config.ts';
import { keylessTotal } from '../../infra/constructs/console/console-limits.ts';
import { prod } from '../../infra/stages/prod.ts';
import { CATALOGUE, type ErrorCode } from '../../shared/core/errors.ts';
import {
  apiBodyOf,
  operationsOf,
  type Properties,
  resourcesOf,
  synthesize,
  type Template,
} from './synthesis.ts';

const { api } = synthesize();
const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0f3b',
};

function only(type: string): Properties {
  const [resource, ...others] = resourcesOf(api, type).values();
  if (!resource || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
  return resource.Properties;
}

const body = apiBodyOf(api);
const gatewayResponses = new Map(Object.entries(body['x-amazon-apigateway-gateway-responses']));

/** The responses that API Gateway generates itself (contract C1). */
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
  ['UNSUPPORTED_MEDIA_TYPE', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['INTEGRATION_TIMEOUT', 504, 'TIMEOUT'],
  ['INTEGRATION_FAILURE', 500, 'SERVER_ERROR'],
  ['DEFAULT_5XX', 500, 'SERVER_ERROR'],
];

/** The error in the body (contract C7), and a message if the catalogue's does not fit. */
const BODY_ERRORS: Partial<Record<ErrorCode, { readonly error: object; readonly message?: string }>> = {
  PAYLOAD_TOO_LARGE: { error: { reason: 'too_large', field: '', hint: 'Send at most 4,096 bytes.' } },
  UNSUPPORTED_MEDIA_TYPE: {
    error: {
      reason: 'wrong_content_encoding',
      field: 'Content-Encoding',
      hint: 'Send the body uncompressed, without the Content-Encoding header.',
    },
    message:
      'The service does not accept compressed request bodies. Send the body uncompressed, without the Content-Encoding header.',
  },
};

describe('the responses that API Gateway generates:', () => {
  test.each(GATEWAY_CASES)('%s has the status %i and the code %s in the envelope', (type, status, code) => {
    const response = gatewayResponses.get(type);
    const text = response?.responseTemplates['application/json'] ?? '';
    const reason = code === 'RATE_LIMITED' ? 'rate_limit' : '';

    expect(response?.statusCode).toBe(String(status));
    expect(JSON.parse(text)).toEqual({
      success: false,
      code,
      message: expect.stringContaining(CATALOGUE[code].message),
      ...(reason && { error: { reason, field: '', hint: expect.stringMatching(/\.$/) } }),
      ...BODY_ERRORS[code],
      verification_type: '',
      summary: { verified: false, verification_type: '', provider: '', confidence_score: 0 },
      data: null,
      meta: { request_id: '$context.requestId', timestamp: '' },
    });
    expect(text).toContain('"confidence_score":0.0}');
    expect(response?.responseParameters).toMatchObject({
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
    });
  });

  test('there are no others, and none quotes the request', () => {
    expect([...gatewayResponses.keys()].sort()).toEqual(GATEWAY_CASES.map(([type]) => type).sort());
    for (const { responseTemplates } of gatewayResponses.values()) {
      const variables = responseTemplates['application/json'].match(/\$[\w.]+/g);
      expect(variables).toEqual(['$context.requestId']);
    }
  });

  test('a 5xx says that the request may have been charged and can be retried with the same Idempotency-Key', () => {
    for (const { statusCode, responseTemplates } of gatewayResponses.values()) {
      const warns = /may have been charged\. If you sent an Idempotency-Key, retry with the same key/.test(
        responseTemplates['application/json'],
      );
      expect(warns).toBe(statusCode.startsWith('5'));
    }
  });

  test('a throttled caller receives Retry-After', () => {
    expect(gatewayResponses.get('THROTTLED')?.responseParameters).toMatchObject({
      'gatewayresponse.header.Retry-After': "'1'",
    });
  });
});

describe('the REST API', () => {
  test('is regional and passes every body unchanged', () => {
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Parameters: { endpointConfigurationTypes: 'REGIONAL' },
      Mode: 'overwrite',
    });
    expect(body['x-amazon-apigateway-binary-media-types']).toEqual(['*/*']);
    // With this setting, API Gateway would compress slips, and decompress the request bodies that the service rejects.
    expect(only('AWS::ApiGateway::RestApi')).not.toHaveProperty('MinimumCompressionSize');
    expect(body).not.toHaveProperty('x-amazon-apigateway-minimum-compression-size');
  });

  test('has no detailed metrics, and logs routes but no paths, headers, queries or bodies', () => {
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
      lambdaStatus: '$context.integrationStatus',
      responseBytes: '$context.responseLength',
      lambdaRequestId: '$context.awsEndpointRequestId',
      errorType: '$context.error.responseType',
    });
    // Detailed metrics are billed as custom metrics, one of each kind for each method.
    for (const { LoggingLevel = 'OFF', DataTraceEnabled = false, MetricsEnabled = false } of settingsOf(api))
      expect([LoggingLevel, DataTraceEnabled, MetricsEnabled]).toEqual(['OFF', false, false]);
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
      .map(({ Properties }) => Properties['FunctionName']);
    const called = [...operationsOf(api).values()].map((operation) => {
      const { uri, credentials } = operation['x-amazon-apigateway-integration'];
      expect(credentials).toBeUndefined();
      return /\/functions\/(.+)\/invocations/.exec(JSON.stringify(uri))?.[1];
    });

    expect(called).not.toContain(undefined);
    expect(permitted.sort()).toEqual([...new Set(called)].sort());
  });

  test('is deployed only when it may invoke all of its functions', () => {
    const [deployment] = resourcesOf(api, 'AWS::ApiGateway::Deployment').values();
    const permissions = [...resourcesOf(api, 'AWS::Lambda::Permission')]
      .filter(([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com')
      .map(([id]) => id);

    expect(permissions.length).toBeGreaterThan(0);
    expect(deployment?.DependsOn).toEqual(expect.arrayContaining(permissions));
  });

  test('can be called at the URL that API Gateway generates, unless it is closed', () => {
    const closed = synthesize('prod', {
      operations: { accountConcurrency: 1_000, domain, generatedUrl: 'closed' },
    });
    const servers = (disableExecuteApiEndpoint: boolean) => [
      { url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint } },
    ];
    expect(body.servers).toEqual(servers(false));
    expect(apiBodyOf(closed.api).servers).toEqual(servers(true));
  });
});

/** The limits, logs and metrics of one method, or of all methods without settings of their own. */
interface MethodSetting {
  readonly ResourcePath: string;
  readonly HttpMethod: string;
  readonly LoggingLevel?: string;
  readonly DataTraceEnabled?: boolean;
  readonly MetricsEnabled?: boolean;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

function settingsOf(template: Template): readonly MethodSetting[] {
  const [stage] = resourcesOf(template, 'AWS::ApiGateway::Stage').values();
  return stage?.Properties['MethodSettings'] as readonly MethodSetting[];
}

describe('the limits of the REST API', () => {
  /** Returns the limits by method, such as `GET /v1/banks`, or `* /*` for the default of all other methods. */
  const limitsOf = (template: Template) =>
    new Map(
      settingsOf(template).map((one) => [
        `${one.HttpMethod} ${one.ResourcePath.replaceAll('~1', '/').replace('//', '/')}`,
        [one.ThrottlingRateLimit, one.ThrottlingBurstLimit],
      ]),
    );
  const limits = limitsOf(api);

  const KEYLESS = ['/health', '/openapi.json', '/slips/check/{token}'];
  const under = (paths: readonly string[], method: string) =>
    ['/v1', '/api/v1'].flatMap((prefix) => paths.map((path) => `${method} ${prefix}${path}`));
  const keylessMethods = (method: string) => under(KEYLESS, method);

  test('belong to methods that exist, but not to ANY, for which API Gateway rejects limits', () => {
    const own = [...limits.keys()].filter((method) => method !== '* /*');
    const declared = [...operationsOf(api).keys()].filter((method) => !method.startsWith('ANY '));
    const withDefault = under([...KEYLESS, '/payments/return'], 'HEAD');
    expect(own.concat(withDefault).sort()).toEqual(declared.sort());
  });

  test('are lower for routes without a key, and lowest for everything else', () => {
    expect(limits.get('POST /v1/ng/nin-basic')).toEqual([1_000, 2_000]);
    expect(limits.get('GET /api/v1/verifications/{request_id}')).toEqual([1_000, 2_000]);
    expect(limits.get('HEAD /v1/wallet/balance')).toEqual([1_000, 2_000]);
    for (const method of keylessMethods('GET')) expect(limits.get(method)).toEqual([18, 36]);
    for (const method of [...under(['/payments/paystack'], 'POST'), ...under(['/payments/return'], 'GET')])
      expect(limits.get(method)).toEqual([5, 10]);
    for (const method of under(['/slips/check/{token}'], 'POST')) expect(limits.get(method)).toEqual([10, 8]);
    expect(limits.get('* /*')).toEqual([1, 2]);
  });

  test('are low for exactly the routes that need no key', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    };
    const isKeyless = (route: string) => {
      const [method = '', path = ''] = route.split(' ');
      return paths[`${path}/`]?.[method.toLowerCase()]?.security?.length === 0;
    };
    const canonical = [...limits].filter(([method]) => method.includes(' /api/v1/'));
    const low = canonical.filter(([, [rateLimit = 0]]) => rateLimit <= 18).map(([method]) => method);
    expect(low).toHaveLength(6);
    expect(low).toEqual(canonical.map(([method]) => method).filter(isKeyless));
  });

  test('are all 0 if throttling is 0, so that a restore can reject all requests', () => {
    const closed = synthesize('prod', { throttling: { rateLimit: 0, burstLimit: 0 } });
    expect(new Set([...limitsOf(closed.api).values()].flat())).toEqual(new Set([0]));
  });

  test('for requests without a key are added up as if each HTTP method of a path had its own limit', () => {
    const methods = ['get', 'head', 'options', 'put', 'post', 'patch', 'delete'];
    const all = Object.keys(body.paths).flatMap((path) =>
      methods.map((method) => limits.get(`${method.toUpperCase()} ${path}`) ?? limits.get('* /*') ?? []),
    );
    const keyless = all.filter(([rateLimit]) => rateLimit !== 1_000);
    const sum = (index: number) => keyless.reduce((total, limit) => total + (limit[index] ?? 0), 0);
    const { rateLimit, burstLimit } = keylessTotal(prod);

    expect([rateLimit, burstLimit]).toEqual([sum(0), sum(1)]);
  });
});

describe('the deployment of the REST API', () => {
  const idWith = (changes: Partial<StageConfig> = {}): string => {
    const [id, ...others] = resourcesOf(
      synthesize('prod', changes).api,
      'AWS::ApiGateway::Deployment',
    ).keys();
    if (!id || others.length > 0) throw new Error('There is not exactly one deployment.');
    return id;
  };
  const unchanged = idWith();

  test.each<[string, Partial<StageConfig>]>([
    ['the same sources', {}],
    ['a new version of every function', { functionMemoryMb: 1_024 }],
    ['a new provider', { registries: { NIN: ['prembly'] } }],
    ['another rollout', { operations: { accountConcurrency: 1_000 } }],
  ])('stays for %s', (_what, changes) => {
    expect(idWith(changes)).toBe(unchanged);
  });

  test.each<[string, Partial<StageConfig>]>([
    ['a closed URL', { operations: { accountConcurrency: 1_000, domain, generatedUrl: 'closed' } }],
    ['other limits', { throttling: { rateLimit: 0, burstLimit: 0 } }],
  ])('is replaced for %s', (_what, changes) => {
    expect(idWith(changes)).not.toBe(unchanged);
  });
});
