import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { memoryService } from '../../security/memory-service.ts';
import { askNin, findsAll } from '../../security/routes-in-memory.ts';

/** A 503 is a registry's or ours: CloudWatch and the log must tell them apart, since only one of them is ours to mend. */

let written = '';
beforeEach(() => {
  written = '';
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const toldOfSilence = () => [
  written.includes('"wallet_unavailable":true'),
  written.includes('"unavailableWallets":1'),
];

test.each([
  ['is not reached', 'TimeoutError'],
  ['may not be written by a new version', 'AccessDeniedException'],
])('a wallet that %s is told as such, uncharged and unasked', async (_, name) => {
  const service = memoryService();
  const who = await service.newCaller(5);
  service.registry.answer = findsAll;
  service.onCall = ({ input }) => {
    if (Reflect.get(input, 'TableName') === 'Wallets') throw Object.assign(new Error('made up'), { name });
  };
  const { status, code, credits } = await askNin(service, who);
  service.onCall = () => undefined;

  expect([status, code, credits]).toEqual([503, 'SERVICE_UNAVAILABLE', '0']);
  expect(toldOfSilence()).toEqual([true, true]);
  expect(service.registry.asked).toBe(0);
  expect(await service.balance(who)).toMatchObject({ available: 5, held: 0 });
});

test('a registry that is unreachable is no silent wallet, and an answer is none', async () => {
  const service = memoryService();
  const who = await service.newCaller(5);
  service.registry.answer = async () => ({ kind: 'unreachable', detail: 'made up' });
  const unreachable = await askNin(service, who);
  service.registry.answer = findsAll;
  const found = await askNin(service, who);

  expect([unreachable.code, found.status]).toEqual(['SERVICE_UNAVAILABLE', 200]);
  expect(toldOfSilence()).toEqual([false, false]);
});
