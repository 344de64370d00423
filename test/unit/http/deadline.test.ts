import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import '../../security/environment.ts';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { showBalance } from '../../../shared/ledger/routes/wallet-balance.ts';
import { HOLD_LIFE_MS } from '../../../shared/ledger/rows/wallet.ts';
import { slipRoute } from '../../../shared/slips/routes/nin-slip.ts';
import { type Caller, codeOf, type EventInput, invoke } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { findsAll, ninRoute, SOME_NIN } from '../../security/routes-in-memory.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/**
 * Tests that every response is sent within 27.5 s of the request, whichever dependency does not respond. API Gateway
 * times out after 29 s, and then the caller does not know whether the request was charged.
 */

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const RESPOND_WITHIN_MS = 27_500;
const headers = { 'Idempotency-Key': ['a-key-of-the-client'] };

let output: CapturedOutput;
beforeEach(() => {
  jest.useFakeTimers({ now: START_MS });
  output = captureOutput();
});
afterEach(() => {
  output.restore();
  jest.useRealTimers();
});

/** Returns a service that runs on the fake timers and finds a record for every number, and a caller with 5 credits. */
async function timedService() {
  const service = memoryService();
  Object.defineProperty(service.clock, 'nowMs', { get: () => Date.now() });
  service.registry.lookUp = findsAll;
  return { service, who: await service.newCaller(5) };
}

type Route = (service: MemoryService) => ReturnType<typeof ninRoute>;
const nin: Route = ({ deps }) => ninRoute(deps);
const slip: Route = ({ deps }) => slipRoute(deps, { checkDays: 365, theme: undefined });
const balance: Route = ({ deps }) =>
  keyedRoute('wallet-balance', 'wallet:read', showBalance(deps.ledger.shards, deps.clock), deps);

/** Sends a request and waits. Returns the response and its duration. */
async function send(route: Route, service: MemoryService, who: Caller, more: EventInput = {}) {
  const sentMs = Date.now();
  const body = JSON.stringify({ nin: SOME_NIN, ...(route === slip && { slip_type: 'regular' }) });
  const input = { key: who.text, body: route === balance ? null : body, requestedAtMs: sentMs, ...more };
  const ended = invoke(route(service), input).then((response) => ({ response, tookMs: Date.now() - sentMs }));
  await jest.advanceTimersByTimeAsync(60_000);
  const { response, tookMs } = await ended;
  const credits = String(response.headers?.['X-Credits-Charged']);
  return { answer: `${response.statusCode} ${codeOf(response)}`, credits, tookMs };
}

/** Returns a function that recognises a call by its command, table and a part of its input. */
const calls =
  (name: string, tableName: string, part = '') =>
  (command: { readonly input: object }) => {
    const input = JSON.stringify(command.input);
    return (
      command.constructor.name === `${name}Command` &&
      input.includes(`"${tableName}"`) &&
      input.includes(part)
    );
  };

const UNAVAILABLE = { answer: '503 SERVICE_UNAVAILABLE', credits: '0' };

interface Step {
  readonly what: string;
  readonly hangs: MemoryService['hangs'];
  readonly route?: Route;
  /** How the earlier request under the same idempotency key ended. Undefined if there was none. */
  readonly earlier?: 'charged' | 'unlogged' | 'failed' | 'killed';
}

const ACCOUNT = calls('BatchGet', 'ApiKeys');
const STEPS: readonly Step[] = [
  { what: 'the read of the account', hangs: ACCOUNT },
  { what: 'the read of the account of a free route', hangs: ACCOUNT, route: balance },
  { what: 'the rate limiter', hangs: calls('Update', 'ApiKeys') },
  { what: 'the wallet of a free route', hangs: calls('Get', 'Wallets'), route: balance },
  { what: 'the log of a slip', hangs: calls('Query', 'VerificationLogs'), route: slip },
  { what: 'the claim of the idempotency key', hangs: calls('Put', 'Wallets', 'fingerprint') },
  {
    what: 'the charge row of an earlier attempt',
    hangs: calls('Get', 'Wallets', 'CHARGE'),
    earlier: 'failed',
  },
  { what: 'the decision of an abandoned attempt', hangs: calls('Put', 'Wallets', 'VOID'), earlier: 'killed' },
  { what: 'the take-over of the key', hangs: calls('Update', 'Wallets', 'IDEMPOTENCY'), earlier: 'failed' },
  { what: 'the count of a replay', hangs: calls('Update', 'Wallets', 'ADD replays'), earlier: 'charged' },
  {
    what: 'the log rows that a replay reads',
    hangs: calls('BatchGet', 'VerificationLogs'),
    earlier: 'charged',
  },
  {
    what: 'the missing log row of a replay',
    hangs: calls('TransactWrite', 'VerificationLogs'),
    earlier: 'unlogged',
  },
  { what: 'the reserve', hangs: calls('Update', 'Wallets', 'size(holds)') },
  { what: 'the read of the shard after a lost response', hangs: calls('Get', 'Wallets', 'WALLET') },
];

async function sendEarlier(earlier: Step['earlier'], service: MemoryService, who: Caller): Promise<void> {
  if (!earlier) return;
  if (earlier === 'failed') service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
  if (earlier === 'unlogged') service.hangs = calls('Put', 'VerificationLogs');
  // A killed request leaves its key and its hold, but no charge row.
  if (earlier === 'killed') service.hangs = calls('Put', 'Wallets', 'requestedAt');
  await send(nin, service, who, { headers });
  service.hangs = () => false;
  service.registry.lookUp = findsAll;
  await jest.advanceTimersByTimeAsync(HOLD_LIFE_MS);
}

describe('the response is 503 in time, without a charge, if a step before the look-up takes too long:', () => {
  test.each(STEPS)('$what', async ({ hangs, route = nin, earlier }) => {
    const { service, who } = await timedService();
    await sendEarlier(earlier, service, who);
    const before = { lookUps: service.registry.calls, charges: service.charges().length };
    const hung: object[] = [];
    if (hangs === STEPS.at(-1)?.hangs) loseReserve(service);
    service.hangs = (command) => hangs(command) && hung.push(command) > 0;
    const { tookMs, ...response } = await send(route, service, who, { headers });

    expect(hung.length).toBeGreaterThan(0);
    expect(response).toEqual(UNAVAILABLE);
    expect(tookMs).toBeGreaterThan(20_000);
    expect(tookMs).toBeLessThanOrEqual(RESPOND_WITHIN_MS);
    expect({ lookUps: service.registry.calls, charges: service.charges().length }).toEqual(before);
    expect(output.both).toContain('"wallet_unavailable":true');
  });

  test('the claim of the idempotency key, whose attempt is voided if it ends after the response', async () => {
    const { service, who } = await timedService();
    delay(service.deps.ledger.idempotency, 'claim');

    expect(await send(nin, service, who, { headers })).toMatchObject(UNAVAILABLE);
    expect(service.writes.map(({ row }) => row?.['state'])).toContain('VOID');
  });

  test('the read of the pepper', async () => {
    const { service, who } = await timedService();
    Object.assign(service.deps, { pepper: () => new Promise(() => undefined) });
    const { tookMs, ...response } = await send(nin, service, who);

    expect(response).toEqual(UNAVAILABLE);
    expect(tookMs).toBeLessThanOrEqual(RESPOND_WITHIN_MS);
    expect(service.registry.calls).toBe(0);
  });

  test('the start of the function, 25.5 s after the request', async () => {
    const { service, who } = await timedService();
    const { tookMs, ...response } = await send(nin, service, who, { requestedAtMs: START_MS - 25_500 });

    expect([response, tookMs]).toEqual([UNAVAILABLE, 0]);
    expect(service.registry.calls).toBe(0);
  });
});

/** Applies reserves but loses their responses. */
function loseReserve(service: MemoryService): void {
  const isReserve = calls('Update', 'Wallets', 'size(holds)');
  service.onCall = (command) => {
    if (isReserve(command)) throw Object.assign(new Error('made up'), { name: 'TimeoutError' });
  };
}

/** Delays the result of the first call to the method until after the response to its request. */
function delay<Name extends string>(table: Record<Name, (...args: never[]) => unknown>, name: Name): void {
  const method = table[name];
  table[name] = async (...args) => {
    table[name] = method;
    const result = await method(...args);
    await new Promise((resolve) => setTimeout(resolve, RESPOND_WITHIN_MS));
    return result;
  };
}

describe('in a replay,', () => {
  const replay = async (change: (service: MemoryService) => void) => {
    const { service, who } = await timedService();
    expect(await send(nin, service, who, { headers })).toMatchObject({
      answer: '200 NIN_VERIFIED',
      credits: '1',
    });
    change(service);
    const result = await send(nin, service, who, { headers });
    service.hangs = () => false;
    service.registry.lookUp = findsAll;
    return { service, who, result };
  };

  test.each<[string, (service: MemoryService) => void]>([
    [
      'a registry that never responds',
      (service) => {
        service.registry.lookUp = () => new Promise(() => undefined);
      },
    ],
    [
      'its own log row',
      (service) => {
        service.hangs = calls('Put', 'VerificationLogs', 'replayOf');
      },
    ],
  ])('%s leads to 503 in time, and does not use up a replay', async (_, change) => {
    const { service, who, result } = await replay(change);
    const { tookMs, ...response } = result;

    expect(response).toEqual(UNAVAILABLE);
    expect(tookMs).toBeLessThanOrEqual(RESPOND_WITHIN_MS);
    expect(service.charges()).toHaveLength(1);
    for (let times = 0; times < 3; times += 1)
      expect((await send(nin, service, who, { headers })).answer).toBe('200 NIN_VERIFIED');
  });

  test.each<[string, Step['earlier'], (service: MemoryService) => void]>([
    [
      'the count of the replay',
      'charged',
      ({ deps: { ledger } }) => delay(ledger.idempotency, 'countReplay'),
    ],
    [
      'the missing log row of its charge',
      'unlogged',
      ({ deps: { ledger } }) => delay(ledger.log, 'writeUnlessErased'),
    ],
  ])('%s that ends after the response does not use up a replay', async (_, earlier, slowDown) => {
    const { service, who } = await timedService();
    await sendEarlier(earlier, service, who);
    slowDown(service);

    expect(await send(nin, service, who, { headers })).toMatchObject(UNAVAILABLE);
    for (let times = 0; times < 3; times += 1)
      expect((await send(nin, service, who, { headers })).answer).toBe('200 NIN_VERIFIED');
    expect((await send(nin, service, who, { headers })).answer).toBe('409 REPLAY_EXHAUSTED');
    expect(service.charges()).toHaveLength(1);
  });

  test('the response is sent in time even if counting a look-up without a record never ends', async () => {
    const { result } = await replay((service) => {
      service.registry.lookUp = async () => {
        service.hangs = calls('Update', 'ApiKeys');
        return { kind: 'not-found', detail: '' };
      };
    });

    expect(result.answer).toBe('400 NIN_NOT_FOUND');
    expect(result.tookMs).toBeLessThanOrEqual(RESPOND_WITHIN_MS);
  });
});

test.each([
  ['the charge row', calls('Put', 'Wallets', 'CHARGED')],
  ['the log row', calls('Put', 'VerificationLogs')],
])(
  'if writing %s of a found record never ends, the response is an unknown outcome, in time',
  async (_, hangs) => {
    const { service, who } = await timedService();
    service.hangs = hangs;
    const { tookMs, ...response } = await send(nin, service, who);

    expect(response).toEqual({ answer: '503 OUTCOME_UNKNOWN', credits: 'unknown' });
    expect(tookMs).toBeLessThanOrEqual(RESPOND_WITHIN_MS);
  },
);
