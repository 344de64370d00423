import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MINUTE_MS } from '../../../shared/core/clock.ts';
import { REFRESH_INTERVAL_MS, refreshSecret, secret } from '../../../shared/core/secrets.ts';
import { type SecretDouble, startSecretDouble } from '../../security/secret-double.ts';
import { captureOutput } from '../../support/captured-output.ts';

/** The value of a rotated secret that an instance uses (docs/design/security.md, "Secrets"). */

/** Waits for background work after a request. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await setTimeout(10);
}

/** Makes the next call get no response. Returns a function that waits for this call, and lets its time run out. */
function hang(): () => Promise<void> {
  jest.useFakeTimers({
    doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
  });
  double.hangs = 1;
  return async () => {
    await until(async () => double.hangs === 0);
    // The call ends after 2 s, and is sent again after at most 0.1 s.
    await jest.advanceTimersByTimeAsync(2_200);
  };
}

const stored = { current: 'first' };
let nowMs = Date.now();
let double: SecretDouble;

beforeAll(async () => {
  double = await startSecretDouble(stored);
  jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
});
afterAll(() => double.close());
afterEach(() => {
  jest.useRealTimers();
});
/** Each test begins with a fresh value in the cache. */
beforeEach(async () => {
  nowMs += 20 * MINUTE_MS;
  stored.current = 'first';
  expect(await secret('SLIP')).toEqual({ current: 'first' });
});

describe('after a rotation,', () => {
  test('an instance uses the old value for 5 minutes, unless it refreshes the secret', async () => {
    stored.current = 'second';
    nowMs += 4 * MINUTE_MS;
    expect(await secret('SLIP')).toEqual({ current: 'first' });
    expect(await refreshSecret('SLIP')).toEqual({ current: 'second' });
    expect(await secret('SLIP')).toEqual({ current: 'second' });
  });

  test('once the value is 5 minutes old, an instance still uses it and refreshes it in the background', async () => {
    stored.current = 'second';
    nowMs += 5 * MINUTE_MS;
    const answered = double.answered;
    expect(await Promise.all([secret('SLIP'), secret('SLIP')])).toEqual([
      { current: 'first' },
      { current: 'first' },
    ]);
    await until(async () => (await secret('SLIP'))['current'] === 'second');
    expect(double.answered - answered).toBe(1);
  });

  test('once the value is 15 minutes old, a request waits for the refresh', async () => {
    stored.current = 'second';
    nowMs += 15 * MINUTE_MS;
    expect(await secret('SLIP')).toEqual({ current: 'second' });
  });

  test('a failed refresh keeps the old value, is reported, and is repeated after 5 minutes', async () => {
    Reflect.set(stored, 'current', 7);
    const output = captureOutput();
    nowMs += 5 * MINUTE_MS;
    expect(await secret('SLIP')).toEqual({ current: 'first' });
    await until(async () => output.stdout.includes('failedSecretRefreshes'));
    output.restore();
    expect(output.stdout).toContain('"failedSecretRefreshes":1');
    expect(output.both).toMatch(/"variable":"SLIP_SECRET","error_name":"Error","error_at":"[^"]*secrets.ts/);
    const answered = double.answered;
    nowMs += 4 * MINUTE_MS;
    expect(await secret('SLIP')).toEqual({ current: 'first' });
    expect(double.answered).toBe(answered);
    stored.current = 'second';
    nowMs += MINUTE_MS;
    await secret('SLIP');
    await until(async () => (await secret('SLIP'))['current'] === 'second');
  });

  test('a failed refresh of a value that is 15 minutes old is repeated by the next request, which does not wait', async () => {
    Reflect.set(stored, 'current', 7);
    nowMs += 15 * MINUTE_MS;
    expect(await secret('SLIP')).toEqual({ current: 'first' });
    stored.current = 'second';
    expect(await secret('SLIP')).toEqual({ current: 'first' });
    await until(async () => (await secret('SLIP'))['current'] === 'second');
  });

  test('a refresh in the background does not replace a newer value', async () => {
    stored.current = 'second';
    nowMs += 5 * MINUTE_MS;
    const timeOut = hang();
    expect(await secret('SLIP')).toEqual({ current: 'first' });
    await until(async () => double.hangs === 0);
    stored.current = 'third';
    expect(await refreshSecret('SLIP')).toEqual({ current: 'third' });
    const answered = double.answered;
    stored.current = 'second';
    await timeOut();
    await until(async () => double.answered > answered);
    await setTimeout(50);
    expect(await secret('SLIP')).toEqual({ current: 'third' });
  });

  test('an instance refreshes a secret at most once a second', async () => {
    nowMs += MINUTE_MS;
    expect(await refreshSecret('SLIP')).toEqual({ current: 'first' });
    stored.current = 'second';
    nowMs += REFRESH_INTERVAL_MS - 1;
    expect(await refreshSecret('SLIP')).toBeUndefined();
    nowMs += 1;
    expect(await refreshSecret('SLIP')).toEqual({ current: 'second' });
  });

  test('a failed refresh throws, and the instance keeps the old value', async () => {
    nowMs += MINUTE_MS;
    Reflect.set(stored, 'current', 7);
    await expect(refreshSecret('SLIP')).rejects.toThrow('The secret SLIP is not a JSON object of strings.');
    expect(await secret('SLIP')).toEqual({ current: 'first' });
  });

  test('a call that gets no response is sent again', async () => {
    stored.current = 'second';
    nowMs += MINUTE_MS;
    const timeOut = hang();
    const refreshed = refreshSecret('SLIP');
    await timeOut();
    expect(await refreshed).toEqual({ current: 'second' });
  });
});
