import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../../shared/core/errors.ts';
import type { Caller, RequestContext } from '../../../shared/http/context.ts';
import { beginRequest, respond } from '../../../shared/http/middleware/respond.ts';

/** The metrics that the respond middleware publishes, read from the embedded metric lines that it writes. */

type Line = Readonly<Record<string, unknown>> & {
  readonly _aws: { readonly CloudWatchMetrics: readonly { readonly Dimensions: readonly string[][] }[] };
};

let written = '';
beforeEach(() => {
  written = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

interface Case {
  readonly error: Error;
  /** What the checks have found out about the request. */
  readonly found?: Partial<Pick<RequestContext, 'detail' | 'newNetwork'>>;
  readonly env?: 'live' | 'test';
  readonly creditsCharged?: number;
}

/** The metric line of one request that ends with an error. */
async function metricsOf({ error, env = 'live', creditsCharged = 0, found = {} }: Case): Promise<Line> {
  const options = { name: 'nin-basic', idType: 'NIN', isKeyed: true } as const;
  const event = { requestContext: { requestTimeEpoch: Date.now() } } as APIGatewayProxyEvent;
  const requestContext = beginRequest(event, options);
  requestContext.caller = { env, organisation: { id: 'invented' }, key: { label: 'a key' } } as Caller;
  Object.assign(requestContext, found);
  const result = new ServiceError('SERVER_ERROR');
  if (creditsCharged > 0) requestContext.credit = { kind: 'settled', creditsCharged, result };
  const request = { event, context: { requestContext }, error, response: undefined, internal: {} };
  await respond(options).onError?.(request as never);
  const lines = written.split('\n').filter((line) => line.includes('"CloudWatchMetrics"'));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Line;
}

const SIGNS = ['rejectedKeys', 'guessLimited', 'newNetworks'];
const LIMITED = new ServiceError('RATE_LIMITED');

describe('the metrics of a response', () => {
  test('are published by route and code, and for the whole stage', async () => {
    const line = await metricsOf({ error: new ServiceError('INSUFFICIENT_FUNDS') });

    expect(line).toMatchObject({
      responses: 1,
      creditsCharged: 0,
      route: 'nin-basic',
      code: 'INSUFFICIENT_FUNDS',
    });
    expect(line._aws.CloudWatchMetrics[0]?.Dimensions).toEqual([['service', 'route', 'code'], ['service']]);
    expect(line).not.toHaveProperty('faults');
    expect(line).not.toHaveProperty('unconfirmedCharges');
  });

  test('count a fault, but not of a test key, which can ask the sandbox for one', async () => {
    expect(await metricsOf({ error: new Error('made up') })).toMatchObject({
      faults: 1,
      code: 'SERVER_ERROR',
    });
    written = '';
    expect(await metricsOf({ error: new Error('made up'), env: 'test' })).not.toHaveProperty('faults');
  });

  test('count a charge without a record: its outcome is unknown, or a fault followed it', async () => {
    const unknown = await metricsOf({ error: new ServiceError('OUTCOME_UNKNOWN') });
    written = '';
    const late = await metricsOf({ error: new Error('made up'), creditsCharged: 1 });

    expect(unknown['unconfirmedCharges']).toBe(1);
    expect(late).toMatchObject({ unconfirmedCharges: 1, creditsCharged: 0, code: 'OUTCOME_UNKNOWN' });
  });

  test.each([
    ['a rejected key', 'rejectedKeys', { error: new ServiceError('INVALID_API_KEY') }],
    ['a rejected key on the gateway', 'rejectedKeys', { error: new ServiceError('AUTH_FAILURE') }],
    ['a guess limit', 'guessLimited', { error: LIMITED, found: { detail: 'guess-limit' } }],
    [
      'that of an organisation',
      'guessLimited',
      { error: LIMITED, found: { detail: 'guess-limit-organisation' } },
    ],
    ['a new network', 'newNetworks', { error: LIMITED, found: { newNetwork: '203.0.113.0/24' } }],
  ])('count %s as %s', async (_, name, request) => {
    const line = await metricsOf(request);
    const counted = SIGNS.filter((sign) => Object.hasOwn(line, sign));

    expect(counted).toEqual([name]);
    expect(line[name]).toBe(1);
  });

  test('count neither the rate limit nor the new network of a test key as a sign of abuse', async () => {
    const line = await metricsOf({ error: LIMITED, env: 'test', found: { newNetwork: '203.0.113.0/24' } });

    expect(SIGNS.filter((sign) => Object.hasOwn(line, sign))).toEqual([]);
  });
});
