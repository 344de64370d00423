import { afterEach, beforeEach, expect, test } from '@jest/globals';
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

test.each([
  ['does not respond', 'TimeoutError'],
  ['a new version has no permission to write', 'AccessDeniedException'],
])('a wallet that %s is reported as unavailable, without a charge or a registry call', async (_, name) => {
  const service = memoryService();
  const who = await service.newCaller(5);
  service.registry.lookUp = findsAll;
  service.onCall = ({ input }) => {
    if (Reflect.get(input, 'TableName') === 'Wallets') throw Object.assign(new Error('made up'), { name });
  };
  const { status, code, credits } = await verifyNin(service, who);
  service.onCall = () => undefined;

  expect([status, code, credits]).toEqual([503, 'SERVICE_UNAVAILABLE', '0']);
  expect(reportedAsUnavailable()).toEqual([true, true]);
  expect(service.registry.calls).toBe(0);
  expect(await service.balance(who)).toMatchObject({ available: 5, held: 0 });
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
