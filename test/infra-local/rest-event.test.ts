import { describe, expect, test } from '@jest/globals';
import { type RestRequest, type RestTarget, restEvent } from '../../infra/local/gateway/rest-event.ts';

const TARGET = {
  apiId: 'api',
  stage: 'local',
  resourcePath: '/v1/things/{id}',
  resourceId: 'r1',
  pathParameters: { id: '7' },
  binary: true,
};

function eventOf(request: Partial<RestRequest>, target: Partial<RestTarget> = {}) {
  return restEvent(
    {
      method: 'POST',
      url: '/v1/things/7',
      rawHeaders: ['Host', 'localhost:3000'],
      body: Buffer.alloc(0),
      sourceIp: '127.0.0.1',
      requestId: '0b7e3f62-0000-4000-8000-000000000000',
      startedAtMs: Date.UTC(2026, 10, 21, 11, 33, 41, 250),
      ...request,
    },
    { ...TARGET, ...target },
  );
}

describe('a function receives the event that API Gateway would send (payload version 1)', () => {
  test('the path is as the client sent it, and the resource as the template declares it', () => {
    const event = eventOf({ url: '/v1/things/7/?a=1' });
    expect(event.path).toBe('/v1/things/7/');
    expect(event.resource).toBe('/v1/things/{id}');
    expect(event.pathParameters).toEqual({ id: '7' });
    expect(eventOf({}, { pathParameters: {} }).pathParameters).toBeNull();
    expect(event.requestContext).toMatchObject({
      resourcePath: '/v1/things/{id}',
      stage: 'local',
      requestTimeEpoch: Date.UTC(2026, 10, 21, 11, 33, 41, 250),
      requestTime: '21/Nov/2026:11:33:41 +0000',
      domainName: 'localhost:3000',
      identity: { sourceIp: '127.0.0.1' },
    });
  });

  test.each([
    ['arn:aws:iam::000000000000:user/ada', /^AIDA[0-9A-F]{17}$/],
    ['arn:aws:sts::000000000000:assumed-role/operator/ada', /^AROA[0-9A-F]{17}:ada$/],
  ])('the identity of a signed request is that of %s', (arn, id) => {
    const caller = { principal: { arn, authorise: () => true }, accessKeyId: 'key' };
    const { identity } = eventOf({ caller }).requestContext;
    expect(identity).toMatchObject({ userArn: arn, accessKey: 'key', accountId: '000000000000' });
    expect(identity.caller).toMatch(id);
    expect(identity.user).toBe(identity.caller);
    expect(eventOf({}).requestContext.identity.userArn).toBeNull();
  });

  test('a body is encoded in base64, and a missing body is null', () => {
    const bytes = Buffer.from([0, 255, 123, 10]);
    const event = eventOf({ body: bytes });
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body ?? '', 'base64')).toEqual(bytes);
    expect(eventOf({})).toMatchObject({ body: null, isBase64Encoded: false });
  });

  test('a repeated header or parameter has all its values in one field and the last in another', () => {
    const event = eventOf({
      url: '/x?a=1&a=2&b=%C3%A9%20',
      rawHeaders: ['Host', 'h', 'Authorization', 'one', 'authorization', 'two'],
    });
    expect(event.multiValueHeaders['Authorization']).toEqual(['one', 'two']);
    expect(event.headers['Authorization']).toBe('two');
    expect(event.multiValueQueryStringParameters).toEqual({ a: ['1', '2'], b: ['é '] });
    expect(event.queryStringParameters).toEqual({ a: '2', b: 'é ' });
    expect(eventOf({}).queryStringParameters).toBeNull();
  });

  test('the protocol is https unless the client sends X-Forwarded-Proto', () => {
    expect(eventOf({}).headers['X-Forwarded-Proto']).toBe('https');
    const plain = eventOf({ rawHeaders: ['Host', 'h', 'x-forwarded-proto', 'http'] });
    expect(plain.headers['x-forwarded-proto']).toBe('http');
    expect(plain.headers['X-Forwarded-Proto']).toBeUndefined();
  });

  test('headers that concern only the connection are left out', () => {
    const event = eventOf({ rawHeaders: ['Host', 'h', 'Connection', 'keep-alive', 'Content-Length', '2'] });
    expect(Object.keys(event.headers)).not.toContain('Connection');
    expect(Object.keys(event.headers)).not.toContain('Content-Length');
  });

  test('names that JavaScript objects inherit are ordinary names', () => {
    const event = eventOf({
      url: '/x?constructor=1&__proto__=2',
      rawHeaders: ['Host', 'h', '__proto__', 'x', 'constructor', 'y'],
    });
    expect(JSON.parse(JSON.stringify(event.headers))).toMatchObject({ constructor: 'y' });
    expect(JSON.stringify(event.queryStringParameters)).toBe('{"constructor":"1","__proto__":"2"}');
  });
});
