import '../../security/environment.ts';

import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import { logger } from '../../../shared/core/logger.ts';
import type { LambdaHandler } from '../../../shared/http/chain.ts';
import { eraseNumber } from '../../../shared/ledger/erase.ts';
import { logListTable } from '../../../shared/verifications/log-list-table.ts';
import { numberTags } from '../../../shared/verifications/number-tag.ts';
import { showVerification } from '../../../shared/verifications/routes/verification.ts';
import { listRequests } from '../../../shared/verifications/routes/verifications.ts';
import { type Caller, type EventInput, eventOf } from '../../security/in-process.ts';
import { type MemoryService, memoryService, PEPPER } from '../../security/memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from '../../security/routes-in-memory.ts';

/** A customer can explain each charge from the API alone, by the ID or the Idempotency-Key of any of its requests. */

const START_MS = Date.now();
const KEY = 'application-4711-nin';

let service: MemoryService;
let who: Caller;
beforeEach(async () => {
  jest.spyOn(logger, 'info').mockImplementation(() => undefined);
  jest.spyOn(logger, 'error').mockImplementation(() => undefined);
  service = memoryService();
  service.clock.nowMs = START_MS;
  service.registry.lookUp = findsAll;
  who = await service.newCaller(10);
});

async function verify(key: string | undefined = KEY, more: EventInput = {}) {
  const headers = key === '' ? {} : { 'Idempotency-Key': [key] };
  const { response, ...rest } = await verifyNin(service, who, {
    headers,
    reference: 'customer-4711',
    ...more,
  });
  const json = JSON.parse(response.body);
  return { ...rest, json, id: String(json.meta.request_id) };
}

async function get(handler: LambdaHandler, input: EventInput, pathParameters: Record<string, string> = {}) {
  const event = eventOf({ key: who.text, requestedAtMs: service.clock.nowMs, ...input });
  const response = await handler(Object.assign(event, { pathParameters }), {
    getRemainingTimeInMillis: () => 28_000,
  } as Context);
  return { status: response.statusCode, json: JSON.parse(response.body) };
}

const show = (requestId: string) => {
  const deps = { log: service.deps.log, charges: service.deps.ledger.charges };
  const handler = keyedRoute('verification', 'verification:read', showVerification(deps), service.deps);
  return get(handler, {}, { request_id: requestId });
};

const list = (query: Record<string, string[]>) => {
  const { log, clock, rejectedRequests, ledger } = service.deps;
  const { charges, idempotency } = ledger;
  const logs = logListTable(service.client, 'VerificationLogs');
  const deps = { logs, log, rejectedRequests, charges, idempotency, clock, retentionDays: 365 };
  return get(keyedRoute('verifications', 'verification:read', listRequests(deps), service.deps), { query });
};

async function usesOf(key = KEY) {
  const { status, json } = await list({ idempotency_key: [key] });
  expect(status).toBe(200);
  return json.data;
}

function erase() {
  const wallet = { env: 'live', organisationId: who.account.organisation?.id ?? '' } as const;
  const { deps, erasures, clock } = service;
  const pause = async (ms: number) => {
    clock.nowMs += ms;
  };
  const tables = { erasures, idempotency: deps.ledger.idempotency, withdrawSlip: async () => false };
  return eraseNumber(wallet, numberTags(PEPPER, wallet, 'NIN', SOME_NIN), tables, { ...deps.clock, pause });
}

test('a free replay names the charged request in its response, the list and its own entry, also after an erasure', async () => {
  const first = await verify();
  const second = await verify();
  expect([first.credits, second.credits]).toEqual(['1', '0']);
  expect(first.json.meta).not.toHaveProperty('replay_of');
  expect(first.headers).not.toHaveProperty('X-Replay-Of');
  expect(second.json.meta.replay_of).toBe(first.id);
  expect(second.headers).toMatchObject({ 'X-Replay-Of': first.id });

  const entries = async () => {
    const { verifications } = (await list({})).json.data;
    const shown = [(await show(second.id)).json.data, (await show(first.id)).json.data];
    return [...verifications, ...shown].map(({ request_id, is_replay, replay_of }) => [
      request_id,
      is_replay,
      replay_of,
    ]);
  };
  service.clock.nowMs += 1_000;
  const expected = [
    [second.id, true, first.id],
    [first.id, false, null],
  ];
  expect(await entries()).toEqual([...expected, ...expected]);
  await erase();
  expect(await entries()).toEqual([...expected, ...expected]);
  expect((await show(second.id)).json.data.reference).toBeNull();
});

describe('GET /v1/verifications?idempotency_key= says of a key', () => {
  test('that its request was charged, with all requests, also after an erasure', async () => {
    service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
    const missed = await verify();
    service.registry.lookUp = findsAll;
    const charged = await verify();
    const replay = await verify();
    const use = {
      route: 'nin-basic',
      key_state: 'charged',
      request_id: charged.id,
      requested_at: new Date(START_MS).toISOString(),
      credits_charged: 1,
      replays_left: 2,
    };
    const before = await usesOf();
    expect(before.key_uses).toEqual([use]);
    const idsOf = (data: { verifications: { request_id: string }[] }) =>
      data.verifications.map(({ request_id }) => request_id);
    expect(new Set(idsOf(before))).toEqual(new Set([replay.id, charged.id, missed.id]));
    expect(before).toMatchObject({ rejected: [], next_cursor: null });

    await erase();
    const after = await usesOf();
    expect(after.key_uses).toEqual([{ ...use, replays_left: 0 }]);
    expect(new Set(idsOf(after))).toEqual(new Set([replay.id, charged.id]));
    expect(JSON.stringify(after)).not.toContain('customer-4711');
  });

  test('that its request was not charged', async () => {
    service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
    const { id } = await verify();
    expect((await usesOf()).key_uses).toMatchObject([
      { key_state: 'not_charged', request_id: id, credits_charged: 0, replays_left: 0 },
    ]);
  });

  test('that its request is in progress, and was not charged if no charge followed in time', async () => {
    service.registry.lookUp = async () => {
      expect((await usesOf()).key_uses).toMatchObject([{ key_state: 'in_progress', credits_charged: 0 }]);
      service.clock.nowMs += 3 * MINUTE_MS;
      expect((await usesOf()).key_uses).toMatchObject([{ key_state: 'not_charged' }]);
      service.clock.nowMs = START_MS;
      return { kind: 'not-found', detail: '' };
    };
    await verify();
  });

  test('nothing if it is unknown, is of another wallet or was used more than 30 days ago', async () => {
    await verify();
    expect(await usesOf('another-key')).toMatchObject({ key_uses: [], verifications: [] });
    const owner = who;
    who = await service.newCaller(1);
    expect(await usesOf()).toMatchObject({ key_uses: [], verifications: [] });
    who = owner;
    service.clock.nowMs += 30 * DAY_MS;
    expect((await usesOf()).key_uses).toEqual([]);
  });

  test('how many replays are left until 24 hours later', async () => {
    await verify();
    service.clock.nowMs += DAY_MS - 1;
    expect((await usesOf()).key_uses).toMatchObject([{ replays_left: 3 }]);
    service.clock.nowMs += 1;
    expect((await usesOf()).key_uses).toMatchObject([{ key_state: 'charged', replays_left: 0 }]);
  });

  test('an error if it is malformed or combined with another parameter', async () => {
    expect(await list({ idempotency_key: ['short'] })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_SCHEMA', error: { reason: 'wrong_format', field: 'idempotency_key' } },
    });
    expect(await list({ idempotency_key: [KEY], limit: ['5'] })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_SCHEMA', error: { reason: 'wrong_value', field: 'limit' } },
    });
  });
});

describe('429 and 5xx say what is known of the Idempotency-Key:', () => {
  const keyCharged = ({ headers }: { headers?: Readonly<Record<string, unknown>> }) =>
    headers?.['Idempotency-Key-Charged'];
  const unreachable = async () => ({ kind: 'unreachable', detail: '' }) as const;

  test('a failed replay names the charged request', async () => {
    const { id } = await verify();
    service.registry.lookUp = unreachable;
    const failed = await verify();
    expect([failed.status, failed.credits]).toEqual([503, '0']);
    expect(failed.headers).toMatchObject({ 'Idempotency-Key-Charged': 'true' });
    expect(failed.json.meta).toMatchObject({ replay_of: id });
    expect(failed.json.message).toContain('A request with this Idempotency-Key was charged.');
  });

  test.each([
    ['503', 503, unreachable],
    ['504', 504, async () => ({ kind: 'timeout', detail: '' }) as const],
    [
      '500',
      500,
      async () => {
        throw new Error('made up');
      },
    ],
  ])('%s after a request that was not charged', async (_, status, lookUp) => {
    service.registry.lookUp = lookUp;
    const failed = await verify();
    expect([failed.status, keyCharged(failed)]).toEqual([status, 'false']);
    expect(failed.json.message).toContain('No request with this Idempotency-Key was charged.');
  });

  test('429 before the key was read: the list shows it', async () => {
    who = await service.newCaller(1, 'live', { organisation: { rateLimit: { perSecond: 1, burst: 1 } } });
    await verify('');
    const rejected = await verify();
    expect([rejected.status, keyCharged(rejected)]).toEqual([429, undefined]);
    expect(rejected.json.message).toContain('GET /v1/verifications?idempotency_key=...');
  });

  test('503 OUTCOME_UNKNOWN: neither the request nor the key is known', async () => {
    service.onCall = ({ input }) => {
      const text = JSON.stringify(input);
      if (text.includes('CHARGE') || text.includes('VerificationLogs')) throw new Error('made up');
    };
    const unknown = await verify();
    expect([unknown.json.code, keyCharged(unknown)]).toEqual(['OUTCOME_UNKNOWN', undefined]);
  });

  test('not without a key, and in words only where the caller may not know', async () => {
    expect(keyCharged(await verify())).toBe('true');
    service.registry.lookUp = unreachable;
    const without = await verify('');
    expect(keyCharged(without)).toBeUndefined();
    expect(without.json.message).not.toContain('Idempotency-Key');
    service.registry.lookUp = async () => ({ kind: 'not-found', detail: '' });
    const missed = await verify('key-without-record');
    expect(keyCharged(missed)).toBe('false');
    expect(missed.json.message).not.toContain('Idempotency-Key');
  });
});
