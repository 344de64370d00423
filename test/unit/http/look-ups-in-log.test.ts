import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import { LIVE_PROVIDERS } from '../../../shared/registries/providers/catalogue.ts';
import { registryRouter } from '../../../shared/registries/router.ts';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, verifyNin } from '../../security/routes-in-memory.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** The attempts of a look-up reach the log line and the metrics of its request. The providers are scripted. */

let output: CapturedOutput;
beforeEach(() => {
  output = captureOutput();
});
afterEach(() => output.restore());

type LookUp = (query: RegistryQuery) => Promise<RegistryResult>;

/** A service whose NIN look-ups are routed to two providers. Each takes `tookMs`. */
function routedService(lookUps: { readonly prembly: LookUp; readonly dojah: LookUp }, tookMs: number) {
  const service = memoryService();
  const makeProvider = (name: string): RegistryProvider => {
    const known = name === 'prembly' ? 'prembly' : 'dojah';
    const lookUp: LookUp = (query) => {
      service.clock.nowMs += tookMs;
      return lookUps[known](query);
    };
    return { name, ...LIVE_PROVIDERS[known], lookUp };
  };
  const registries = registryRouter({
    routing: { NIN: ['prembly', 'dojah'] },
    makeProvider,
    recorder: { record: async () => undefined, takeProbe: async () => true },
    nowMs: () => service.clock.nowMs,
  });
  return Object.assign(service, { deps: { ...service.deps, registries } });
}

function lines(): Record<string, unknown>[] {
  return output.both
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
const requestLine = () => lines().find(({ message }) => message === 'request');
const metricLines = () => lines().filter(({ _aws }) => _aws !== undefined);

const unreachable: LookUp = async () => ({ kind: 'unreachable', detail: 'ECONNREFUSED', maybeBilled: false });
const overdue: LookUp = async () => ({ kind: 'timeout', detail: 'no-response', maybeBilled: true });

test('a failover is in one log line and one metrics line', async () => {
  const service = routedService({ prembly: overdue, dojah: findsAll }, 400);
  const who = await service.newCaller(5);
  const { code } = await verifyNin(service, who);

  expect(code).toBe('NIN_VERIFIED');
  expect(requestLine()).toMatchObject({
    provider: 'Dojah',
    look_ups: [
      {
        provider: 'prembly',
        outcome: 'timeout',
        latency_ms: 400,
        detail: 'no-response',
        maybe_billed: true,
      },
      { provider: 'dojah', outcome: 'found', latency_ms: 400 },
    ],
  });
  expect(metricLines()).toEqual([
    expect.objectContaining({
      failedRequests: 0,
      failedLookUps: [1, 0],
      lookUpLatency: [400, 400],
      maybeBilled: 1,
      foundResults: 1,
      provider: 'dojah',
      creditsCharged: 1,
    }),
  ]);
});

test('an outage of all providers is not our failure, and the time of the providers is not our latency', async () => {
  const service = routedService({ prembly: unreachable, dojah: unreachable }, 3_000);
  const who = await service.newCaller(5);
  const { code } = await verifyNin(service, who);

  expect(code).toBe('SERVICE_UNAVAILABLE');
  expect(metricLines()).toEqual([
    expect.objectContaining({ failedRequests: 0, failedLookUps: [1, 1], ownLatency: 0 }),
  ]);
});

test('a registry whose breakers are open is not our failure', async () => {
  const service = routedService({ prembly: findsAll, dojah: findsAll }, 400);
  service.deps.registries.availability = () => ({ kind: 'unavailable', retryAfterSeconds: 5 });
  const who = await service.newCaller(5);

  expect((await verifyNin(service, who)).code).toBe('SERVICE_UNAVAILABLE');
  expect(metricLines()).toEqual([expect.objectContaining({ failedRequests: 0 })]);
});

test('a wallet that does not respond is our failure', async () => {
  const service = routedService({ prembly: findsAll, dojah: findsAll }, 400);
  const who = await service.newCaller(5);
  service.onCall = ({ input }) => {
    if (Reflect.get(input, 'TableName') === 'Wallets')
      throw Object.assign(new Error(), { name: 'TimeoutError' });
  };

  expect((await verifyNin(service, who)).code).toBe('SERVICE_UNAVAILABLE');
  expect(metricLines()).toEqual([expect.objectContaining({ failedRequests: 1, unavailableWallets: 1 })]);
});
