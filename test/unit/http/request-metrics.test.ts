import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ServiceError } from '../../../shared/core/errors.ts';
import { apiFormat } from '../../../shared/http/api-format.ts';
import { chain } from '../../../shared/http/chain.ts';
import type { RequestLine } from '../../../shared/http/context.ts';
import type { Attempt } from '../../../shared/registries/ask-provider.ts';
import type { RegistryResult } from '../../../shared/registries/port.ts';
import { lookUpLine } from '../../../shared/verifications/look-up-line.ts';
import type { Command } from '../../../shared/verifications/requests.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** The metrics that a chain publishes, read from the embedded metric lines that it writes. */

interface Directive {
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string }[];
}
type Line = Readonly<Record<string, unknown>> & { readonly _aws: { CloudWatchMetrics: Directive[] } };

let output: CapturedOutput;
beforeEach(() => {
  output = captureOutput();
});
afterEach(() => output.restore());

interface Case {
  readonly error: Error;
  /** What the checks have found about the request. */
  readonly found?: Partial<
    Pick<RequestLine, 'detail' | 'newNetwork' | 'changesNetworks' | 'isProviderUnavailable'>
  >;
  /** `none`: the key is not known. */
  readonly env?: 'live' | 'test' | 'none';
  readonly creditsCharged?: number;
  readonly attempts?: readonly Attempt[];
  readonly service?: Command['service'];
  /** How long ago API Gateway received the request. */
  readonly ageMs?: number;
}

const NOT_FOUND = new ServiceError('NIN_NOT_FOUND');
const LIMITED = new ServiceError('RATE_LIMITED');

/** Returns the metric lines of one request that ends with an error. */
async function linesOf(request: Case): Promise<Line[]> {
  const { error, env = 'live', creditsCharged = 0, found = {}, attempts = [], ageMs = 0 } = request;
  const event = { requestContext: { requestTimeEpoch: Date.now() - ageMs } } as APIGatewayProxyEvent;
  const route = apiFormat({ name: 'nin-basic', idType: 'NIN' }, { isKeyed: true });
  const handler = chain(route, [], ({ line }) => {
    const known = env === 'none' ? {} : { env, organisation: 'invented', keyLabel: 'a key' };
    Object.assign(line, { service: request.service ?? 'nin-basic', creditsCharged, ...known, ...found });
    line.lookUps.push(...attempts.map(lookUpLine));
    throw error;
  });
  output = captureOutput();
  await handler(event, {} as Context);
  const lines = output.stdout.split('\n').filter((line) => line.includes('"CloudWatchMetrics"'));
  return lines.map((line) => JSON.parse(line) as Line);
}

async function lineOf(request: Case): Promise<Line> {
  const [line, ...others] = await linesOf(request);
  expect(others).toEqual([]);
  if (!line) throw new Error('No metrics were published.');
  return line;
}

/** Returns the names of the metrics with exactly these dimensions besides `service`. */
function namesIn({ _aws }: Line, ...dimensions: string[]): string[] {
  return _aws.CloudWatchMetrics.filter(({ Dimensions }) =>
    Dimensions.some((set) => set.join() === ['service', ...dimensions].join()),
  ).flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
}

function attempt(result: RegistryResult, name = 'dojah', startedMs = 1_000, endedMs = 1_412.4): Attempt {
  return { provider: { name, displayName: name }, env: 'live', idType: 'NIN', result, startedMs, endedMs };
}
const TIMEOUT = { kind: 'timeout', detail: 'after-sending', maybeBilled: true } as const;
const NO_RECORD = { kind: 'not-found', detail: 'http-404' } as const;
const UNSENT = { kind: 'failed', detail: 'consent-needed', excludedFromHealth: true } as const;

describe('the metrics for the objectives', () => {
  test('count a request with a live key, without a dimension for the route, code or customer', async () => {
    const line = await lineOf({ error: new ServiceError('INSUFFICIENT_FUNDS') });

    expect(line).toMatchObject({ failedRequests: 0, service: 'identity-test' });
    expect(line._aws.CloudWatchMetrics.map(({ Dimensions }) => Dimensions)).toEqual([[['service']]]);
    expect(namesIn(line)).toEqual(['failedRequests']);
  });

  test.each([
    ['a fault', { error: new Error('made up') }, 1],
    ['an unknown outcome', { error: new ServiceError('OUTCOME_UNKNOWN') }, 1],
    ['our own 503', { error: new ServiceError('SERVICE_UNAVAILABLE') }, 1],
    [
      'a 503 caused by a registry',
      { error: new ServiceError('SERVICE_UNAVAILABLE'), found: { isProviderUnavailable: true } },
      0,
    ],
    ['a number without a record', { error: NOT_FOUND }, 0],
    ['a fault before the key was read', { error: new Error('made up'), env: 'none' }, 1],
    ['a request with a rejected key', { error: new ServiceError('INVALID_API_KEY'), env: 'none' }, undefined],
    ['a fault that a test key may have simulated', { error: new Error('made up'), env: 'test' }, undefined],
  ] as const)('decide whether %s is a failed request', async (_, request, failed) => {
    const [line] = await linesOf(request);

    expect(line?.['failedRequests']).toBe(failed);
  });

  test('measure the latency of a look-up without the time of its providers, but not the latency of slips or other requests', async () => {
    const attempts = [attempt(TIMEOUT, 'prembly', 0, 5_000), attempt(NO_RECORD, 'dojah', 5_000, 5_412)];
    const request = { error: NOT_FOUND, attempts, ageMs: 5_500 };
    const own = (await lineOf(request))['ownLatency'];

    expect(own).toBeGreaterThanOrEqual(88);
    expect(own).toBeLessThan(5_000);
    expect(await lineOf({ ...request, service: 'nin-slip' })).not.toHaveProperty('ownLatency');
    expect(await lineOf({ ...request, attempts: [] })).not.toHaveProperty('ownLatency');
  });
});

describe('the look-ups of a live key', () => {
  test('are counted once per provider that was called, and only the last has a result', async () => {
    const attempts = [attempt(TIMEOUT, 'prembly', 0, 5_000), attempt(NO_RECORD)];
    const line = await lineOf({ error: NOT_FOUND, attempts });

    expect(line).toMatchObject({
      ...{ lookUpLatency: [5_000, 412], failedLookUps: [1, 0], maybeBilled: 1 },
      ...{ provider: 'dojah', idType: 'NIN', foundResults: 0, failedResults: 0 },
    });
    expect(namesIn(line, 'provider', 'idType')).toEqual(['foundResults', 'failedResults']);
  });

  test.each([
    [
      { kind: 'failed', detail: 'VERIFICATION_FAILED' },
      { foundResults: 0, failedResults: 1 },
    ],
    [
      { kind: 'found', record: {} },
      { foundResults: 1, failedResults: 0 },
    ],
  ])('have the result %j', async (result, expected) => {
    const attempts = [attempt(result as RegistryResult)];

    expect(await lineOf({ error: NOT_FOUND, attempts })).toMatchObject(expected);
  });

  test('have no result if no provider responded', async () => {
    const line = await lineOf({ error: NOT_FOUND, attempts: [attempt(TIMEOUT)] });

    expect(line['failedLookUps']).toEqual([1]);
    expect(line).not.toHaveProperty('foundResults');
  });

  test('include neither a look-up that was not sent, nor one with a test key', async () => {
    const unsent = await lineOf({ error: NOT_FOUND, attempts: [attempt(UNSENT)] });
    const [tested] = await linesOf({ error: NOT_FOUND, attempts: [attempt(NO_RECORD)], env: 'test' });

    expect(namesIn(unsent)).toEqual(['failedRequests', 'ownLatency']);
    expect(tested).toBeUndefined();
  });
});

describe('faults', () => {
  test('are counted for the stage, and by route and version', async () => {
    process.env['AWS_LAMBDA_FUNCTION_VERSION'] = '42';
    const line = await lineOf({ error: new Error('made up') });
    delete process.env['AWS_LAMBDA_FUNCTION_VERSION'];

    expect(line).toMatchObject({ faults: 1, route: 'nin-basic', version: '42' });
    expect(namesIn(line)).toContain('faults');
    expect(namesIn(line, 'route', 'version')).toEqual(['versionFaults']);
  });

  test('of a test key are not counted, because the sandbox can simulate them', async () => {
    expect(await linesOf({ error: new Error('made up'), env: 'test' })).toEqual([]);
  });

  test('include an unknown outcome, and a fault after a charge, both counted as unconfirmed charges', async () => {
    const unknown = await lineOf({ error: new ServiceError('OUTCOME_UNKNOWN') });
    const late = await lineOf({ error: new Error('made up'), creditsCharged: 1 });

    for (const line of [unknown, late]) {
      expect(line).toMatchObject({ unconfirmedCharges: 1, failedRequests: 1 });
      expect(line).not.toHaveProperty('creditsCharged');
      expect(namesIn(line, 'route', 'version')).toEqual(['versionFaults']);
    }
  });
});

const SIGNS = ['rejectedKeys', 'rejectedWebhooks', 'guessLimited', 'newNetworks'];

describe('the abuse metrics', () => {
  test.each([
    ['a rejected key', 'rejectedKeys', { error: new ServiceError('INVALID_API_KEY') }],
    ['a rejected key on the gateway', 'rejectedKeys', { error: new ServiceError('AUTH_FAILURE') }],
    ['a forged webhook', 'rejectedWebhooks', { error: new ServiceError('INVALID_SIGNATURE') }],
    ['a guess limit', 'guessLimited', { error: LIMITED, found: { detail: 'guess-limit' } }],
    [
      'the guess limit of an organisation',
      'guessLimited',
      { error: LIMITED, found: { detail: 'guess-limit-organisation' } },
    ],
    ['a new network', 'newNetworks', { error: LIMITED, found: { newNetwork: '203.0.113.0/24' } }],
  ])('count %s as %s', async (_, name, request) => {
    const line = await lineOf(request);
    const counted = SIGNS.filter((sign) => Object.hasOwn(line, sign));

    expect(counted).toEqual([name]);
    expect(line[name]).toBe(1);
  });

  test('count neither the rate limit nor the new network of a test key, or of a key whose addresses change', async () => {
    const found = { newNetwork: '203.0.113.0/24' };
    expect(await linesOf({ error: LIMITED, env: 'test', found })).toEqual([]);
    const changing = await lineOf({ error: LIMITED, found: { ...found, changesNetworks: true } });
    expect(changing).not.toHaveProperty('newNetworks');
  });
});

test('the log line of a look-up says why a record has no photo', () => {
  const found = { kind: 'found', record: {} } as unknown as RegistryResult;
  const without = { ...found, pictureProblem: 'picture-incomplete' } as RegistryResult;
  expect(lookUpLine(attempt(without))).toMatchObject({ outcome: 'found', detail: 'picture-incomplete' });
  expect(lookUpLine(attempt(found)).detail).toBeUndefined();
});
