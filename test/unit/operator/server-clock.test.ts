import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { serverClock } from '../../../clients/operator/server-clock.ts';
import { HOUR_MS } from '../../../shared/core/clock.ts';

/** AWS's clock, read from the responses of a test double (contract P3). */

const HEADER = 'Sun, 22 Nov 2026 12:00:00 GMT';
const HEADER_MS = Date.parse(HEADER);

let localMs = 0;
let monotonicMs = 0;
beforeEach(() => {
  localMs = HEADER_MS;
  monotonicMs = 5_000;
  jest.spyOn(Date, 'now').mockImplementation(() => localMs);
  jest.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
});

type Middleware = (next: () => Promise<object>) => (args: object) => Promise<object>;

function clockWith(date: string | undefined) {
  let respond: Middleware = (next) => next;
  const middlewareStack = {
    add: (middleware: Middleware) => {
      respond = middleware;
    },
  };
  const clock = serverClock({ middlewareStack } as unknown as DynamoDBDocumentClient);
  const headers = date === undefined ? {} : { date };
  return { clock, receive: () => respond(async () => ({ response: { headers } }))({}) };
}

// The header contains only whole seconds, so AWS's clock may be up to 999 ms ahead of it.
test.each([0, 120_000, 120_999, -120_000])(
  'the server clock accepts a machine whose clock is %d ms off',
  async (errorMs) => {
    const { clock, receive } = clockWith(HEADER);
    localMs = HEADER_MS + errorMs;
    await receive();
    const timeMs = clock.changeTimeMs();
    expect(timeMs).toBeGreaterThanOrEqual(HEADER_MS);
    expect(timeMs).toBeLessThan(HEADER_MS + 1_000);
  },
);

test.each([
  [121_000, '2 minutes fast'],
  [-120_001, '2 minutes slow'],
  [7_200_000, '120 minutes fast'],
])('the server clock rejects a machine whose clock is %d ms off', async (errorMs, words) => {
  const { clock, receive } = clockWith(HEADER);
  localMs = HEADER_MS + errorMs;
  await receive();
  expect(() => clock.changeTimeMs()).toThrow(`The clock of this machine is ${words}`);
});

test("the server clock continues from the last response, even if the machine's clock is changed", async () => {
  const { clock, receive } = clockWith(HEADER);
  await receive();
  monotonicMs += 30_000;
  localMs -= HOUR_MS;
  expect(clock.changeTimeMs()).toBe(HEADER_MS + 30_000);
});

test('the server clock has no time before the first response, or if responses have no date', async () => {
  const { clock, receive } = clockWith(undefined);
  expect(() => clock.changeTimeMs()).toThrow('contains no time');
  await receive();
  expect(() => clock.changeTimeMs()).toThrow('contains no time');
});
