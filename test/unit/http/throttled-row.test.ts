import '../../security/environment.ts';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { codeOf, invoke } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { findsAll, ninRoute, SOME_NIN } from '../../security/routes-in-memory.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** DynamoDB throttles the reads of one row that the check of the API key needs, and leaves it out of the batch. */

let output: CapturedOutput;
let service: MemoryService;
let reads: number;
beforeEach(() => {
  jest.useFakeTimers({ now: Date.parse('2026-11-21T12:00:00.000Z') });
  output = captureOutput();
  service = memoryService();
  Object.defineProperty(service.clock, 'nowMs', { get: () => Date.now() });
  service.registry.lookUp = findsAll;
  reads = 0;
  service.onCall = ({ constructor: { name } }) => {
    if (name === 'BatchGetCommand') reads += 1;
  };
});
afterEach(() => {
  output.restore();
  jest.useRealTimers();
});

async function verify(key: string) {
  const sentMs = Date.now();
  const input = { key, body: JSON.stringify({ nin: SOME_NIN }), requestedAtMs: sentMs };
  const ended = invoke(ninRoute(service.deps), input).then((response) => ({
    answer: `${response.statusCode} ${codeOf(response)}`,
    credits: response.headers?.['X-Credits-Charged'],
    tookMs: Date.now() - sentMs,
  }));
  await jest.advanceTimersByTimeAsync(30_000);
  return ended;
}

describe('a request whose organisation has a throttled row', () => {
  test('waits while the row is throttled, and is charged once', async () => {
    const who = await service.newCaller(5);
    const freeMs = Date.now() + 1_000;
    service.throttles = ({ sk }) => sk === 'ORG' && Date.now() < freeMs;
    const { answer, credits, tookMs } = await verify(who.text);

    expect([answer, credits]).toEqual(['200 NIN_VERIFIED', '1']);
    expect(tookMs).toBeGreaterThanOrEqual(1_000);
    expect(tookMs).toBeLessThanOrEqual(1_320);
    expect(reads).toBeGreaterThan(3);
    expect(service.charges()).toHaveLength(1);
  });

  test('is rejected with SERVER_ERROR within 2 s, without a look-up and without a charge', async () => {
    const [who, other] = [await service.newCaller(5), await service.newCaller(5)];
    service.throttles = ({ pk, sk }) =>
      sk === 'ORG' && String(pk).includes(who.account.key?.organisationId ?? '');
    const { tookMs, ...response } = await verify(who.text);

    expect(response).toEqual({ answer: '500 SERVER_ERROR', credits: '0' });
    expect(tookMs).toBeLessThanOrEqual(2_000);
    expect(reads).toBeLessThanOrEqual(16);
    expect(service.registry.calls).toBe(0);
    expect(await service.balance(who)).toMatchObject({ available: 5, held: 0 });
    expect(output.both).toContain('ThrottlingException');
    expect(await verify(other.text)).toEqual({ answer: '200 NIN_VERIFIED', credits: '1', tookMs: 0 });
  });
});
