import { DAY_MS } from '../../shared/core/clock.ts';
import './environment.ts';

import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { creditWallet } from '../../shared/ledger/top-up.ts';
import { operator } from '../../shared/operators/operator.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { deploymentFrom } from '../support/deployment-from.ts';
import { startDouble } from '../support/registries/double.ts';
import {
  BEHAVIOURS,
  type Behaviour,
  type HostileServer,
  startHostileServer,
} from '../support/registries/hostile-server.ts';
import { bodyWith, HOSTILE_TEXTS } from '../support/registries/hostile-sizes.ts';
import { unsigned } from '../support/sandbox-server.ts';
import {
  type ApiResponse,
  number,
  organisation,
  post,
  registryCalls,
  type TestOrganisation,
} from '../support/service.ts';
import { expectHarmless, expectRejected } from './attack.ts';
import { captureLines } from './captured.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';

/** Attacks on the wallet (S25 to S34). test/api/charging.test.ts sends 500 requests at once. */

captureLines();

const NIN = '/v1/ng/nin-basic';
const AT_ONCE = 100;
const verify = (who: TestOrganisation, nin: string, idempotencyKey?: string) =>
  post(
    NIN,
    { nin },
    { key: who.live, ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }) },
  );
const atOnce = (act: () => Promise<ApiResponse>) => Promise.all(Array.from({ length: AT_ONCE }, act));
const callsOf = (responses: readonly ApiResponse[]) =>
  responses.reduce((sum, { json }) => sum + registryCalls(json?.meta.request_id ?? ''), 0);
const KEY = 'a-key-of-the-attackers-own';

const hostile: HostileServer = await startHostileServer();
afterAll(() => hostile.stop());

/**
 * Returns an in-memory service that calls a registry at this URL through the sandbox adapter, by default with a short
 * deadline.
 */
function serviceAsking(url: string, waitMs = 300): MemoryService {
  const service = memoryService();
  const provider = sandboxProvider({ url, secret: async () => 'secret', sign: unsigned });
  service.registry.lookUp = (query) => provider.lookUp({ ...query, deadlineMs: Date.now() + waitMs });
  return service;
}

describe('money', () => {
  test('S25: 100 simultaneous requests for one credit', async () => {
    const who = await organisation({ credits: 1 });
    const responses = await atOnce(() => verify(who, number()));
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(responses.length - rejected.length).toBe(1);
    for (const response of rejected) expectHarmless(response, { status: 402, code: 'INSUFFICIENT_FUNDS' });
    expect(callsOf(responses)).toBe(1);
    expect((await who.balance()).available).toBe(0);
  });

  test('S26: 100 simultaneous requests with one idempotency key', async () => {
    const who = await organisation({ credits: 50 });
    const nin = number();
    const responses = await atOnce(() => verify(who, nin, KEY));
    const charged = responses.filter(({ headers }) => headers.get('x-credits-charged') === '1');
    const replayed = responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(charged).toHaveLength(1);
    expect(replayed.length).toBeLessThanOrEqual(3);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(AT_ONCE - 1 - replayed.length);
    expect((await who.balance()).available).toBe(49);
  });

  test('S27: the same idempotency key for a different number', async () => {
    const who = await organisation();
    await verify(who, number(), KEY);
    const other = number();
    await expectRejected(who, { status: 422, code: 'IDEMPOTENCY_KEY_REUSED', hidden: [other] }, () =>
      verify(who, other, KEY),
    );
  });

  test('S28: the same idempotency key in another organisation', async () => {
    const [one, two] = [await organisation(), await organisation()];
    const nin = number();
    for (const who of [one, two]) {
      const response = await verify(who, nin, KEY);
      expect([response.status, response.headers.get('x-credits-charged')]).toEqual([200, '1']);
      expect(response.headers.has('idempotent-replayed')).toBe(false);
      expect((await who.balance()).available).toBe(9);
    }
  });

  test('S29: a fourth replay, a replay after a day, and a replay of an expired row', async () => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    const who = await service.newCaller(10);
    const headers = { 'Idempotency-Key': [KEY] };
    const ask = () => verifyNin(service, who, { headers });
    const shown = [];
    for (let times = 0; times < 5; times += 1) shown.push(await ask());
    expect(shown.map(({ status, credits }) => `${status} ${credits}`)).toEqual([
      ...['200 1', '200 0', '200 0', '200 0', '409 0'],
    ]);
    expect(shown.at(-1)?.code).toBe('REPLAY_EXHAUSTED');
    expect(service.registry.calls).toBe(4);

    const late = await service.newCaller(10);
    await verifyNin(service, late, { headers });
    service.clock.nowMs += DAY_MS + 1000;
    expect((await verifyNin(service, late, { headers })).code).toBe('REPLAY_EXHAUSTED');
    // The row is past its time to live. It counts as deleted, so the key counts as new.
    service.clock.nowMs += 31 * DAY_MS;
    const again = await verifyNin(service, late, { headers });
    expect([again.status, again.credits]).toEqual([200, '1']);
    expect((await service.balance(late)).available).toBe(8);
  });

  test.each(Object.keys(BEHAVIOURS) as Behaviour[])(
    'S30: a registry that responds badly (%s)',
    async (behaviour) => {
      hostile.behaviour = behaviour;
      const service = serviceAsking(hostile.baseUrl);
      const who = await service.newCaller(3);
      const { status, credits, response } = await verifyNin(service, who);
      expect([400, 503, 504]).toContain(status);
      expect([credits, service.charges()]).toEqual(['0', []]);
      expect(await service.balance(who)).toEqual({ available: 3, held: 0, credited: 3 });
      expect(response.body).not.toContain(SOME_NIN);
    },
  );

  test('S30: a registry that returns a different number, an error with status 200, or an empty record', async () => {
    let body: unknown;
    const double = await startDouble(() => ({ status: 200, body }));
    const service = serviceAsking(double.baseUrl);
    const who = await service.newCaller(9);
    const bodies = [
      { found: true, entry: { nin: '99999999999', firstname: 'Ada' } },
      { found: false, error: { code: 'SOURCE_ERROR' } },
      { found: true, entry: {} },
      { found: true },
      { error: 'down' },
    ];
    for (body of bodies) {
      const { status, code, credits } = await verifyNin(service, who);
      expect([status, code, credits]).toEqual([400, 'NIN_VERIFICATION_FAILED', '0']);
    }
    expect((await service.balance(who)).available).toBe(9);
    await double.stop();
  });

  test.each([...Object.entries(HOSTILE_TEXTS), ['a photo of 1.9 MB', JSON.stringify('A'.repeat(1_900_000))]])(
    'S30: a registry that returns more than the service accepts: %s',
    async (name, json) => {
      const field = name.startsWith('a photo') ? 'photo' : 'firstname';
      const record = { nin: SOME_NIN, surname: 'OBI' };
      const double = await startDouble(() => ({
        status: 200,
        body: bodyWith('sandbox', 'NIN', record, field, json),
      }));
      const service = serviceAsking(double.baseUrl, 20_000);
      const who = await service.newCaller(3);
      const { status, code, credits, response } = await verifyNin(service, who);
      expect([status, code, credits]).toEqual([400, 'NIN_VERIFICATION_FAILED', '0']);
      expect(service.charges()).toEqual([]);
      expect(await service.balance(who)).toEqual({ available: 3, held: 0, credited: 3 });
      expect(response.body.length).toBeLessThan(1_000);
      await double.stop();
    },
  );

  test.each([
    [19.9, 200],
    [20.1, 200],
    [25.4, 200],
    [25.6, 504],
    [26.4, 504],
    [26.6, 504],
    [29.5, 504],
    [31, 504],
  ])('S31: a registry that responds %d seconds after the request started: %d', async (seconds, status) => {
    const service = memoryService();
    const who = await service.newCaller(2);
    service.registry.lookUp = async (query) => {
      service.clock.nowMs += seconds * 1000;
      return findsAll(query);
    };
    const shown = await verifyNin(service, who);
    // A caller that receives a timeout is not charged, and a caller that is charged receives the data.
    expect(shown.status).toBe(status);
    expect(service.charges()).toHaveLength(status === 200 ? 1 : 0);
    expect((await service.balance(who)).available).toBe(status === 200 ? 1 : 2);
    expect(shown.response.body.includes(SOME_NIN)).toBe(status === 200);
  });

  test('S32: a repeated top-up, a forged one, and one with a different amount', async () => {
    const who = await organisation({ credits: 0 });
    const environment = process.env as Record<string, string>;
    const admin = operator(deploymentFrom(environment));
    const wallet = { env: 'live', organisationId: who.id } as const;
    const paid = { reference: `INV-${who.id}`, amount: 5, actor: 'ada', reason: '' };
    const results = await Promise.all(Array.from({ length: 10 }, () => admin.topUp(wallet, paid)));
    expect(results.filter(({ existed }) => !existed)).toHaveLength(1);
    await expect(admin.topUp(wallet, { ...paid, amount: 500 })).rejects.toThrow(
      'is already used for a top-up of 5',
    );
    expect((await who.balance()).available).toBe(5);
    // No route of the API adds credits on request. payments.test.ts forges Paystack webhooks.
    const forge = (path: string) => post(path, { event: 'charge.success', amount: 5000 }, { key: who.live });
    for (const path of ['/v1/webhooks', '/v1/webhooks/paystack', '/v1/wallet/top-up'])
      await expectRejected(who, { status: 404, code: 'ROUTE_NOT_FOUND' }, () => forge(path));
    await expectRejected(who, { status: 405, code: 'METHOD_NOT_ALLOWED' }, () =>
      forge('/v1/wallet/transactions'),
    );
  });

  test.each([-1, 0, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])(
    'S33: a credit of %d',
    async (amount) => {
      const service = memoryService();
      const who = await service.newCaller(7);
      const { ledger, clock, credits } = service.deps;
      const wallet = { env: 'live', organisationId: who.account.organisation?.id ?? '' } as const;
      const order = { reference: 'INV-2', kind: 'TOP_UP', amount, actor: 'ada', reason: '' } as const;
      const tables = { credits, shards: ledger.shards };
      await expect(creditWallet(wallet, 1, order, tables, clock)).rejects.toThrow(/amount|positive/);
      expect(await service.balance(who)).toEqual({ available: 7, held: 0, credited: 7 });
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('S34: %d conflicts in a row', async (conflicts) => {
    const service = memoryService();
    service.registry.lookUp = findsAll;
    let left = conflicts;
    // A conflict cancels the transaction of a top-up, and makes a plain write fail.
    service.onCall = ({ input }) => {
      const isTransaction = 'TransactItems' in input;
      const isOfWallet = 'TableName' in input && input.TableName === 'Wallets' && 'UpdateExpression' in input;
      if (left === 0 || !(isTransaction || isOfWallet)) return;
      left -= 1;
      if (isTransaction)
        throw new TransactionCanceledException({
          message: '',
          $metadata: {},
          CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
        });
      throw Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
    };
    const who = await service.newCaller(5);
    expect((await service.balance(who)).credited).toBe(5);
    left = 0;
    await verifyNin(service, who);
    left = conflicts;
    const met = await verifyNin(service, who);
    left = 0;
    // The request is rejected without a charge, or served with one.
    expect(['200 1', '503 0']).toContain(`${met.status} ${met.credits}`);
    const { available, held } = await service.balance(who);
    const charges = service.charges().length;
    expect(charges).toBe(met.status === 200 ? 2 : 1);
    expect(available).toBe(5 - charges);
    expect(held).toBeLessThanOrEqual(charges);
  });
});
