import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ServiceError } from '../../../shared/core/errors.ts';
import { respond } from '../../../shared/http/middleware/respond.ts';

/** What the answer middleware tells CloudWatch, read as the embedded metric lines that it writes. */

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
  readonly env?: 'live' | 'test';
  readonly creditsCharged?: number;
}

/** The metric line of one request that ends with an error. */
async function metricsOf({ error, env = 'live', creditsCharged = 0 }: Case): Promise<Line> {
  const { before, onError } = respond({ name: 'nin-basic', idType: 'NIN', isKeyed: true });
  const event = { requestContext: { requestTimeEpoch: Date.now() } };
  const caller = { env, organisation: { id: 'made-up' }, key: { label: 'a key' } };
  const request = {
    event,
    context: {} as { requestContext: object },
    error,
    response: undefined,
    internal: {},
  };
  await before?.(request as never);
  Object.assign(request.context.requestContext, { caller, creditsCharged });
  await onError?.(request as never);
  const lines = written.split('\n').filter((line) => line.includes('"CloudWatchMetrics"'));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Line;
}

describe('the metrics of an answer', () => {
  test('are counted by route and code, and all together', async () => {
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

  test('count a fault, but not one that a test key may have asked the sandbox for', async () => {
    expect(await metricsOf({ error: new Error('made up') })).toMatchObject({
      faults: 1,
      code: 'SERVER_ERROR',
    });
    written = '';
    expect(await metricsOf({ error: new Error('made up'), env: 'test' })).not.toHaveProperty('faults');
  });

  test('count a charge whose data did not leave: its outcome is unknown, or a fault came after it', async () => {
    const unknown = await metricsOf({ error: new ServiceError('OUTCOME_UNKNOWN') });
    written = '';
    const late = await metricsOf({ error: new Error('made up'), creditsCharged: 1 });

    expect(unknown['unconfirmedCharges']).toBe(1);
    expect(late).toMatchObject({ unconfirmedCharges: 1, creditsCharged: 0 });
  });
});
