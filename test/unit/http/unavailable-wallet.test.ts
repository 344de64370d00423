import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, verifyNin } from '../../security/routes-in-memory.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** A 503 can be the registry's fault or ours. Metrics and logs distinguish them, because we can fix only ours. */

let output: CapturedOutput;
beforeEach(() => {
  output = captureOutput();
});
afterEach(() => output.restore());

const reportedAsUnavailable = () => [
  output.both.includes('"wallet_unavailable":true'),
  output.both.includes('"unavailableWallets":1'),
];

const KEY = { 'Idempotency-Key': ['b6f6c1f0-7a52-4c3e-9d10-0d5a3f9a1c77'] };

describe.each([
  ['with an Idempotency-Key', KEY],
  ['without one', {}],
])('a request %s', (_, headers) => {
  test.each([
    ['does not respond', { name: 'TimeoutError' }],
    ['refuses connections', { code: 'ECONNREFUSED' }],
    ['a new version has no permission to write', { name: 'AccessDeniedException' }],
  ])('to a wallet that %s is not charged, and may be repeated', async (_case, problem) => {
    const service = memoryService();
    const who = await service.newCaller(5);
    service.registry.lookUp = findsAll;
    service.onCall = ({ input }) => {
      if (Reflect.get(input, 'TableName') === 'Wallets') throw Object.assign(new Error('made up'), problem);
    };
    const failed = await verifyNin(service, who, { headers });
    service.onCall = () => undefined;

    expect([failed.status, failed.code, failed.credits]).toEqual([503, 'SERVICE_UNAVAILABLE', '0']);
    expect(failed.headers['Retry-After']).toBe('5');
    expect(reportedAsUnavailable()).toEqual([true, true]);
    expect(output.both).toContain('"detail":"{\\"error_name\\":');
    expect(service.registry.calls).toBe(0);
    expect(await service.balance(who)).toMatchObject({ available: 5, held: 0 });
    expect((await verifyNin(service, who, { headers })).code).toBe('NIN_VERIFIED');
  });
});

test('a free replay that cannot be logged may be repeated', async () => {
  const service = memoryService();
  const who = await service.newCaller(5);
  service.registry.lookUp = findsAll;
  expect((await verifyNin(service, who, { headers: KEY })).code).toBe('NIN_VERIFIED');
  service.onCall = (command) => {
    if (command instanceof PutCommand) throw Object.assign(new Error('made up'), { name: 'TimeoutError' });
  };
  const { status, code, credits } = await verifyNin(service, who, { headers: KEY });
  expect([status, code, credits]).toEqual([503, 'SERVICE_UNAVAILABLE', '0']);
  expect(reportedAsUnavailable()).toEqual([true, true]);
});

test('an unreachable registry and a found record are not reported as an unavailable wallet', async () => {
  const service = memoryService();
  const who = await service.newCaller(5);
  service.registry.lookUp = async () => ({ kind: 'unreachable', detail: 'made up' });
  const unreachable = await verifyNin(service, who);
  service.registry.lookUp = findsAll;
  const found = await verifyNin(service, who);

  expect([unreachable.code, found.status]).toEqual(['SERVICE_UNAVAILABLE', 200]);
  expect(reportedAsUnavailable()).toEqual([false, false]);
});
