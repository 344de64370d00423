import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NO_STATES } from '../../../shared/registries/health/state-copies.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import { LIVE_PROVIDERS } from '../../../shared/registries/providers/catalogue.ts';
import { registryRouter } from '../../../shared/registries/router.ts';
import { memoryService } from '../../security/memory-service.ts';
import { findsAll, verifyNin } from '../../security/routes-in-memory.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/**
 * Tests that the attempts of a look-up are in the log line, the metrics and the log row of its request. The providers
 * are scripted.
 */

let output: CapturedOutput;
beforeEach(() => {
  output = captureOutput();
});
afterEach(() => output.restore());

type LookUp = (query: RegistryQuery) => Promise<RegistryResult>;

/** Returns a service whose NIN look-ups are routed to two providers. Each takes `tookMs`. */
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
    recorder: { record: async () => undefined, beginRead: () => NO_STATES, takeProbe: async () => true },
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

test('a failover is recorded in one log line and one metrics line', async () => {
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

describe('the log row', () => {
  /** Returns a routed service whose database calls take 10 ms each. */
  function timedService(prembly: LookUp, dojah: LookUp) {
    const service = routedService({ prembly, dojah }, 400);
    service.onCall = () => {
      service.clock.nowMs += 10;
    };
    return service;
  }
  const rowsOf = (service: ReturnType<typeof routedService>) => service.logRows().map(({ row }) => row);

  test('names the code and the providers that failed first, and its times add up to the latency', async () => {
    const service = timedService(overdue, findsAll);
    const who = await service.newCaller(5);
    await verifyNin(service, who);

    // One call reads the key, one counts the request, and the third reserves credits.
    expect(rowsOf(service)).toEqual([
      expect.objectContaining({
        ...{ outcome: 'FOUND', provider: 'dojah', code: 'NIN_VERIFIED', failedProviders: ['prembly'] },
        ...{ latencyMs: 830, checksMs: 20, ledgerMs: 10, registryMs: 800 },
      }),
    ]);
  });

  test('counts the claim of an idempotency key as ledger time, and a replay has its own times', async () => {
    const service = timedService(findsAll, findsAll);
    const who = await service.newCaller(5);
    const headers = { 'Idempotency-Key': ['a-key-of-this-test'] };
    await verifyNin(service, who, { headers });
    await verifyNin(service, who, { headers });

    const [first, replay] = rowsOf(service);
    expect(first).toMatchObject({ code: 'NIN_VERIFIED', checksMs: 20, ledgerMs: 20, registryMs: 400 });
    expect(replay).toMatchObject({ code: 'NIN_VERIFIED', creditsCharged: 0, registryMs: 400 });
    expect(replay?.['replayOf']).toBe(first?.['operationId']);
    for (const row of [first, replay]) expect(row).not.toHaveProperty('failedProviders');
  });

  test('names the code of an outage and of our own fault', async () => {
    const outage = timedService(unreachable, overdue);
    await verifyNin(outage, await outage.newCaller(5));
    const fault = timedService(findsAll, findsAll);
    fault.deps.registries.lookUp = async () => {
      throw new Error('made up');
    };
    await verifyNin(fault, await fault.newCaller(5));

    expect(rowsOf(outage)).toEqual([
      expect.objectContaining({ outcome: 'TIMEOUT', code: 'TIMEOUT', failedProviders: ['prembly'] }),
    ]);
    expect(rowsOf(fault)).toEqual([
      expect.objectContaining({
        ...{ outcome: 'ERROR', code: 'SERVER_ERROR', latencyMs: 30 },
        ...{ checksMs: 20, ledgerMs: 10, registryMs: 0 },
      }),
    ]);
  });

  test('has no code if the record arrived too late to be charged, because the response contains a different code', async () => {
    const late: LookUp = async (query) => {
      service.clock.nowMs += 26_000;
      return findsAll(query);
    };
    const service = timedService(late, late);
    const { code } = await verifyNin(service, await service.newCaller(5));

    expect(code).toBe('TIMEOUT');
    expect(rowsOf(service)).toEqual([expect.objectContaining({ outcome: 'TIMEOUT', ledgerMs: 10 })]);
    expect(rowsOf(service)[0]?.['code']).toBeUndefined();
  });

  test('keeps its code, providers and times after an erasure, because they contain no identity data', async () => {
    const service = timedService(overdue, findsAll);
    const who = await service.newCaller(5);
    await verifyNin(service, who, { consent: 'given in branch' });
    const [change] = service.logRows();
    const { organisation, key } = who.account ?? {};
    if (!change || !organisation || !key) throw new Error('Nothing was logged.');
    const wallet = { env: key.env, organisationId: organisation.id };
    const numberTag = change.pk.split('#')[2] ?? '';
    const [row] = await service.erasures.rowsOf(wallet, numberTag);
    if (row) await service.erasures.anonymise(wallet, row);

    const [erased] = rowsOf(service);
    expect(erased).toMatchObject({ code: 'NIN_VERIFIED', failedProviders: ['prembly'], registryMs: 800 });
    expect(erased).not.toHaveProperty('consent');
    const [charge] = service.charges();
    for (const name of ['code', 'failedProviders', 'registryMs', 'ledgerMs', 'checksMs', 'course'])
      expect(charge?.row).not.toHaveProperty(name);
  });
});

test("an outage of all providers is not our failure, and the providers' time is not our latency", async () => {
  const service = routedService({ prembly: unreachable, dojah: unreachable }, 3_000);
  const who = await service.newCaller(5);
  const { code } = await verifyNin(service, who);

  expect(code).toBe('SERVICE_UNAVAILABLE');
  expect(metricLines()).toEqual([
    expect.objectContaining({ failedRequests: 0, failedLookUps: [1, 1], ownLatency: 0 }),
  ]);
});

test('a rejection is not our failure if all breakers of a registry are open', async () => {
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
