import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { TEST_TRAFFIC_KEY } from '../../shared/core/keys.ts';
import { logger } from '../../shared/core/logger.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll, verifyNin } from './routes-in-memory.ts';

/** The budget for test traffic in the real chain, with the real table modules over an in-memory store. */

const ONE_AT_ONCE = {
  requestsPerSecond: 100,
  concurrentRequests: 2,
  perOrganisation: { requestsPerSecond: 100, concurrentRequests: 1 },
};

afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns a service whose registry responds only when the test calls `respond`. */
async function slowService() {
  const service = memoryService({ testTraffic: ONE_AT_ONCE });
  const waiting: (() => void)[] = [];
  service.registry.lookUp = async (query) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return findsAll(query);
  };
  const respond = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const who = await service.newCaller(1_000, 'test');
  return { service, who, waiting, respond };
}

/** Resolves when the registry has received this number of look-ups. */
async function untilAsked({ registry }: MemoryService, calls: number) {
  while (registry.calls < calls) await new Promise((resolve) => setImmediate(resolve));
}

function leases({ writes }: MemoryService): number {
  const row = writes.findLast(({ pk }) => pk === TEST_TRAFFIC_KEY.pk)?.row;
  const set = row?.['p'];
  return set instanceof Set ? set.size : 0;
}

const touchesBudget = ({ input }: { readonly input: object }) =>
  JSON.stringify(input).includes(TEST_TRAFFIC_KEY.pk);

describe('a look-up beyond the budget for test traffic', () => {
  test('is rejected with 429, Retry-After and the policy of the rate limit, before anything is held', async () => {
    const { service, who, respond } = await slowService();
    const lines = jest.spyOn(logger, 'info');
    const first = verifyNin(service, who);
    await untilAsked(service, 1);
    const before = service.writes.filter(({ tableName }) => tableName === 'Wallets').length;
    const second = await verifyNin(service, who);

    expect(second).toMatchObject({ status: 429, code: 'RATE_LIMITED', credits: '0' });
    expect(second.headers).toMatchObject({
      'Retry-After': '2',
      'RateLimit-Policy': '"requests";q=20;w=2',
    });
    // The key itself is within its rate.
    expect(second.headers).not.toHaveProperty('RateLimit');
    expect(second.response.body).toContain('Live keys are not affected.');
    expect(lines).toHaveBeenCalledWith(
      'request',
      expect.objectContaining({ detail: 'test-traffic-organisation' }),
    );
    expect(service.writes.filter(({ tableName }) => tableName === 'Wallets')).toHaveLength(before);
    respond();
    expect((await first).status).toBe(200);
  });

  test('is rejected if the stage has reached its limit, even if its organisation has not', async () => {
    const { service, who, respond } = await slowService();
    const [other, third] = [await service.newCaller(10, 'test'), await service.newCaller(10, 'test')];
    const both = [verifyNin(service, who), verifyNin(service, other)];
    await untilAsked(service, 2);
    const lines = jest.spyOn(logger, 'info');

    expect((await verifyNin(service, third)).status).toBe(429);
    expect(lines).toHaveBeenCalledWith('request', expect.objectContaining({ detail: 'test-traffic-stage' }));
    respond();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('does not occur with live keys, which neither read nor write the budget', async () => {
    const { service, who, respond } = await slowService();
    const live = await service.newCaller(10, 'live');
    const test = verifyNin(service, who);
    await untilAsked(service, 1);
    const calls: boolean[] = [];
    service.onCall = (command) => calls.push(touchesBudget(command));
    const all = [1, 2, 3].map(() => verifyNin(service, live));
    await untilAsked(service, 4);
    respond();

    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await test).status).toBe(200);
    // Only the look-up with the test key writes to the budget, when it ends.
    expect(calls.filter(Boolean)).toHaveLength(1);
  });
});

describe('the place of a look-up in the budget', () => {
  test.each<[string, object, MemoryService['registry']['lookUp'], number]>([
    ['a record', {}, findsAll, 200],
    ['no record', {}, async () => ({ kind: 'not-found', detail: '' }), 400],
    ['a fault', {}, () => Promise.reject(new Error('made up')), 500],
    ['a body that is not valid', { nin: '123' }, findsAll, 400],
  ])('is free again after %s', async (_, more, lookUp, status) => {
    const service = memoryService({ testTraffic: ONE_AT_ONCE });
    const who = await service.newCaller(10, 'test');
    service.registry.lookUp = lookUp;

    expect((await verifyNin(service, who, more)).status).toBe(status);
    expect(leases(service)).toBe(0);
    expect((await verifyNin(service, who, more)).status).toBe(status);
  });

  test('is free again 30 s after its function was killed', async () => {
    const { service, who, waiting } = await slowService();
    void verifyNin(service, who);
    await untilAsked(service, 1);
    // The killed function receives no result.
    waiting.length = 0;
    service.registry.lookUp = findsAll;

    service.clock.nowMs += 28_000;
    expect((await verifyNin(service, who)).status).toBe(429);
    service.clock.nowMs += 2_000;
    expect((await verifyNin(service, who)).status).toBe(200);
  });
});

describe('if the row of the budget cannot be written', () => {
  const failing = (service: MemoryService, failsFrom: number) => {
    let writes = 0;
    service.onCall = (command) => {
      if (!touchesBudget(command) || 'RequestItems' in command.input) return;
      writes += 1;
      if (writes >= failsFrom) throw new Error('made up');
    };
  };

  test('a look-up with a test key fails as if the rate limiter failed, and nothing is charged', async () => {
    const service = memoryService({ testTraffic: ONE_AT_ONCE });
    const who = await service.newCaller(10, 'test');
    failing(service, 1);

    expect(await verifyNin(service, who)).toMatchObject({ status: 500, code: 'SERVER_ERROR', credits: '0' });
    expect((await service.balance(who)).available).toBe(10);
  });

  test('when the look-up ends, the response does not change', async () => {
    const service = memoryService({ testTraffic: ONE_AT_ONCE });
    const who = await service.newCaller(10, 'test');
    service.registry.lookUp = findsAll;
    const warnings = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
    failing(service, 2);

    expect(await verifyNin(service, who)).toMatchObject({ status: 200, credits: '1' });
    expect(warnings).toHaveBeenCalledWith(
      'The end of a look-up with a test key was not counted.',
      expect.anything(),
    );
  });

  test('look-ups with live keys are not affected', async () => {
    const service = memoryService({ testTraffic: ONE_AT_ONCE });
    const who = await service.newCaller(10, 'live');
    service.registry.lookUp = findsAll;
    failing(service, 1);

    expect((await verifyNin(service, who)).status).toBe(200);
  });
});
