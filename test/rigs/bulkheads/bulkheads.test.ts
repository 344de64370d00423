import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BulkheadService, type LookUpResponse, startBulkheadService } from './service.ts';

/** Sends test traffic that is slow on purpose alongside live traffic. Counts responses: their times do not matter. */

const TEST_REQUESTS = 200;
/** The look-ups that one organisation may have in progress (stage-app.ts). */
const IN_PROGRESS = 2;
const LIVE_CLIENTS = 2;

/** Stops a run that hangs. On a busy machine, the service may take minutes to start. */
const START_MS = 600_000;

let service: BulkheadService;
beforeAll(async () => {
  service = await startBulkheadService({ bulkheads: 'on', registryTimeoutMs: 20_000 });
}, START_MS);
afterAll(() => service?.stop());

/** Sends live look-ups one after the other, until `isOver()`. */
async function sendLive(responses: LookUpResponse[], isOver: () => boolean): Promise<void> {
  do {
    responses.push(await service.lookUp('live', '0001'));
    await sleep(50);
  } while (!isOver());
}

const counts = (responses: readonly LookUpResponse[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(responses, ({ status, code }) => `${status} ${code}`)).map(
      ([name, group = []]) => [name, group.length],
    ),
  );

test('200 parallel test look-ups of numbers that end in 0504 cause no live 429 and no live 5xx', async () => {
  let isOver = false;
  const live: LookUpResponse[] = [];
  const slow = Promise.all(Array.from({ length: TEST_REQUESTS }, () => service.lookUp('test', '0504')));
  const clients = Array.from({ length: LIVE_CLIENTS }, () => sendLive(live, () => isOver));
  const responses = await slow;
  isOver = true;
  await Promise.all(clients);

  expect(counts(live)).toEqual({ '200 NIN_VERIFIED': live.length });
  expect(live.length).toBeGreaterThan(LIVE_CLIENTS);
  expect(counts(responses)).toEqual({
    '504 TIMEOUT': IN_PROGRESS,
    '429 RATE_LIMITED': TEST_REQUESTS - IN_PROGRESS,
  });
  for (const { status, retryAfter } of responses)
    if (status === 429) expect(Number(retryAfter)).toBeGreaterThan(0);

  // The budget is available again.
  expect(await service.lookUp('test', '0001')).toMatchObject({ status: 200 });
}, 240_000);
