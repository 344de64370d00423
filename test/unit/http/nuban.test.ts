import { describe, expect, jest, test } from '@jest/globals';
import type { Attempt } from '../../../shared/registries/ask-provider.ts';
import { NO_STATES } from '../../../shared/registries/health/state-copies.ts';
import { banksThatFit } from '../../../shared/registries/mapping/banks.ts';
import { BANK_NOT_SERVED } from '../../../shared/registries/mapping/results.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import { LIVE_PROVIDERS, SANDBOX } from '../../../shared/registries/providers/catalogue.ts';
import { registryRouter } from '../../../shared/registries/router.ts';
import { gatewayBody } from '../../../shared/verifications/requests.ts';
import { accountRoute, NUBAN_ROUTE } from '../../../shared/verifications/routes/nuban-basic.ts';
import { type Caller, invoke } from '../../security/in-process.ts';
import { memoryService } from '../../security/memory-service.ts';

/** Tests look-ups of accounts with and without a bank code (contract D8). Only the banks' results are scripted. */

const NUMBER = '0123456789';
const FITTING = banksThatFit(NUMBER);
const ECOBANK = '050';
const FCMB = '214';

type Bank = (code: string) => RegistryResult | Promise<RegistryResult>;

const account = (bankCode: string): RegistryResult => ({
  kind: 'found',
  record: {
    account_number: NUMBER,
    account_name: 'EXAMPLE ACCOUNT',
    bank_code: bankCode,
    bank_name: 'A Bank',
    currency: 'NGN',
  },
});
const NO_ACCOUNT: RegistryResult = { kind: 'not-found', detail: 'http-422' };
const SILENT: RegistryResult = { kind: 'timeout', detail: 'no-response', maybeBilled: true };

/** Scripts the banks: only those with these codes have the account. */
const accountsAt =
  (...codes: string[]): Bank =>
  (code) =>
    codes.includes(code) ? account(code) : NO_ACCOUNT;

/** Returns the NUBAN route of a live stage with one provider, Paystack unless `name` says otherwise. */
async function routeTo(bank: Bank, { mayAskBanks = false, name = 'paystack' as 'paystack' | 'dojah' } = {}) {
  const service = memoryService();
  const asked: RegistryQuery[] = [];
  const recorded: Attempt[] = [];
  const lookUp = async (query: RegistryQuery) => {
    asked.push(query);
    return bank(query.bankCode ?? '');
  };
  const makeProvider = (wanted: string): RegistryProvider =>
    wanted === 'sandbox' ? { ...SANDBOX, lookUp } : { name, ...LIVE_PROVIDERS[name], lookUp };
  const registries = registryRouter({
    routing: { NUBAN: [name] },
    makeProvider,
    recorder: {
      record: async (attempt) => void recorded.push(attempt),
      beginRead: () => NO_STATES,
      takeProbe: async () => true,
    },
    nowMs: () => service.clock.nowMs,
  });
  const deps = { ...service.deps, registries };
  const who = await service.newCaller(5);
  const verify = async (body: object, caller: Caller = who) => {
    const route = 'id_type' in body ? GATEWAY : NUBAN_ROUTE;
    const response = await invoke(accountRoute(route, deps, mayAskBanks), {
      key: caller.text,
      body: JSON.stringify(body),
      requestedAtMs: service.clock.nowMs,
    });
    return { status: response.statusCode, headers: response.headers ?? {}, ...JSON.parse(response.body) };
  };
  return { service, who, verify, asked, recorded };
}

type Route = Awaited<ReturnType<typeof routeTo>>;

/** Checks that nothing was charged or is still held. */
async function expectFree({ service, who }: Route, { headers }: { headers: object }): Promise<void> {
  expect(headers).toMatchObject({ 'X-Credits-Charged': '0' });
  expect(service.charges()).toEqual([]);
  expect(await service.balance(who)).toMatchObject({ available: 5, held: 0 });
}

const GATEWAY = { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody } as const;
const REQUIRED = { status: 400, success: false, code: 'NUBAN_VERIFICATION_FAILED' };

describe('a request without a bank code', () => {
  test('is rejected for live keys without a hold or a call to a provider, and the hint lists the banks whose check digit fits', async () => {
    const route = await routeTo(accountsAt(ECOBANK));
    const tables: unknown[] = [];
    route.service.onCall = ({ input }) => tables.push(Reflect.get(input, 'TableName'));
    const response = await route.verify({ id_number: NUMBER });
    route.service.onCall = () => undefined;

    expect(response).toMatchObject({
      ...REQUIRED,
      error: { reason: 'bank_code_required', field: 'bank_code', hint: response.message },
      summary: { verified: false, provider: '' },
    });
    expect(FITTING.length).toBeGreaterThan(5);
    for (const { shortName, cbnCode } of FITTING)
      expect(response.error.hint).toContain(`${shortName} (${cbnCode})`);
    expect(response.error.hint).not.toContain('(058)');
    expect(JSON.stringify(response)).not.toContain(NUMBER);
    expect(route.asked).toEqual([]);
    expect(tables).not.toContain('Wallets');
    await expectFree(route, response);
  });

  test('is looked up for test keys, because the sandbox finds the bank', async () => {
    const route = await routeTo(() => account(ECOBANK));
    const tester = await route.service.newCaller(5, 'test');
    expect(await route.verify({ id_number: NUMBER }, tester)).toMatchObject({ status: 200 });
    expect(route.asked).toHaveLength(1);
  });
});

describe('through the gateway', () => {
  const asked = (params: object) => ({ country: 'NG', id_type: 'NUBAN', params });

  test('an account is looked up at the bank of params.bank_code', async () => {
    const route = await routeTo(accountsAt('050'));
    const response = await route.verify(asked({ id_number: NUMBER, bank_code: '050' }));

    expect(response).toMatchObject({ status: 200, code: 'NUBAN_VERIFIED', verification_type: 'NUBAN' });
    expect(route.service.charges()).toHaveLength(1);
  });

  test.each([
    ['bank_code_required', { id_number: NUMBER }],
    ['unknown_bank', { id_number: NUMBER, bank_code: '999' }],
  ])('%s has the code of the gateway and names params.bank_code', async (reason, params) => {
    const route = await routeTo(accountsAt('999'));
    const response = await route.verify(asked(params));

    expect(response).toMatchObject({
      status: 400,
      code: 'VERIFICATION_FAILED',
      error: { reason, field: 'params.bank_code' },
    });
    expect(route.asked).toEqual([]);
    await expectFree(route, response);
  });
});

describe('a bank code', () => {
  test.each(['050', '000010'])('%s selects Ecobank at the provider', async (code) => {
    const route = await routeTo(accountsAt(code));
    const response = await route.verify({ id_number: NUMBER, bank_code: code });

    expect(response).toMatchObject({ status: 200, code: 'NUBAN_VERIFIED' });
    expect(route.asked.map(({ bank, bankCode }) => [bank?.cbnCode, bankCode])).toEqual([['050', code]]);
    expect(route.service.charges()).toHaveLength(1);
  });

  test.each(['live', 'test'] as const)('that belongs to no bank is rejected for %s keys', async (env) => {
    const route = await routeTo(accountsAt('999'));
    const who = await route.service.newCaller(5, env);
    const response = await route.verify({ id_number: NUMBER, bank_code: '999' }, who);

    expect(response).toMatchObject({
      ...REQUIRED,
      error: { reason: 'unknown_bank', field: 'bank_code', hint: expect.stringContaining('/v1/banks') },
    });
    expect(route.asked).toEqual([]);
    await expectFree({ ...route, who }, response);
  });

  test.each(['live', 'test'] as const)('of the wrong bank is named by its bank for %s keys', async (env) => {
    const route = await routeTo(accountsAt(ECOBANK));
    const who = await route.service.newCaller(5, env);
    const response = await route.verify({ id_number: NUMBER, bank_code: FCMB }, who);

    const hint =
      'First City Monument Bank Plc has no account with this number. Check the number and bank_code.';
    expect(response).toMatchObject({
      status: 400,
      code: 'NUBAN_NOT_FOUND',
      error: { reason: 'no_record', field: 'id_number', hint },
    });
    await expectFree({ ...route, who }, response);
  });

  test('of a bank that no provider serves is rejected by its name', async () => {
    const notServed = { kind: 'failed', detail: BANK_NOT_SERVED, excludedFromHealth: true } as const;
    const route = await routeTo(() => notServed);
    const response = await route.verify({ id_number: NUMBER, bank_code: '060002' });

    expect(response).toMatchObject({
      ...REQUIRED,
      error: { reason: 'unknown_bank', field: 'bank_code', hint: expect.stringContaining('QUEST MERCHANT') },
    });
    await expectFree(route, response);
  });

  test('is checked after the rest of the body and before the subscription', async () => {
    const route = await routeTo(accountsAt('999'));
    const unsubscribed = await route.service.newCaller(5, 'live', { organisation: { services: {} } });
    const verify = (body: object) => route.verify(body, unsubscribed);

    expect(await verify({ id_number: '12', bank_code: '999' })).toMatchObject({ code: 'NUBAN_NOT_FOUND' });
    expect(await verify({ id_number: NUMBER, bank_code: '999' })).toMatchObject(REQUIRED);
    expect(await verify({ id_number: NUMBER, bank_code: '050' })).toMatchObject({
      code: 'SUBSCRIPTION_REQUIRED',
    });
  });
});

describe('a live request without a bank code in a stage with nubanResolve', () => {
  const mayAskBanks = true;

  test('queries every bank whose check digit fits, in parallel, and returns the only account for one credit', async () => {
    let waiting = 0;
    let release = () => {};
    const allAsked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const route = await routeTo(
      async (code) => {
        waiting += 1;
        if (waiting === FITTING.length) release();
        await allAsked;
        return accountsAt(ECOBANK)(code);
      },
      { mayAskBanks },
    );
    const response = await route.verify({ id_number: NUMBER });

    expect(response).toMatchObject({
      status: 200,
      code: 'NUBAN_VERIFIED',
      data: { account_number: NUMBER, bank_code: ECOBANK },
      summary: { provider: 'Paystack' },
      headers: { 'X-Credits-Charged': '1' },
    });
    expect(route.asked.map(({ bank }) => bank)).toEqual(FITTING);
    expect(route.service.charges()).toHaveLength(1);
  });

  test.each<[string, Bank]>([
    ['two banks have the account', accountsAt(ECOBANK, FCMB)],
    ['no bank has the account', accountsAt()],
    ['one bank does not respond', (code) => (code === FCMB ? SILENT : accountsAt(ECOBANK)(code))],
    ['one bank does not respond and no other has it', (code) => (code === FCMB ? SILENT : NO_ACCOUNT)],
    [
      'one response is not valid',
      (code) => (code === FCMB ? { kind: 'failed', detail: 'x' } : accountsAt(ECOBANK)(code)),
    ],
    ['the provider is down', () => ({ kind: 'unreachable', detail: 'refused' })],
  ])('is rejected and free if %s', async (_, bank) => {
    const route = await routeTo(bank, { mayAskBanks });
    const response = await route.verify({ id_number: NUMBER });

    expect(response).toMatchObject({
      ...REQUIRED,
      data: null,
      error: {
        reason: 'bank_code_required',
        field: 'bank_code',
        hint: expect.stringContaining('Ecobank (050)'),
      },
    });
    expect(JSON.stringify(response)).not.toContain('EXAMPLE ACCOUNT');
    expect(route.asked).toHaveLength(FITTING.length);
    await expectFree(route, response);
  });

  test('calls no provider that bills name enquiries', async () => {
    const route = await routeTo(accountsAt(ECOBANK), { mayAskBanks, name: 'dojah' });
    const response = await route.verify({ id_number: NUMBER });

    expect(response).toMatchObject({ ...REQUIRED, error: { reason: 'bank_code_required' } });
    expect(route.asked).toEqual([]);
    await expectFree(route, response);
  });

  test.each<[string, Bank, RegistryResult['kind']]>([
    ['one bank does not respond', (code) => (code === FCMB ? SILENT : NO_ACCOUNT), 'not-found'],
    ['one bank has the account', accountsAt(ECOBANK), 'found'],
    ['no bank responds', () => SILENT, 'timeout'],
  ])("records the provider's health once if %s", async (_, bank, kind) => {
    const route = await routeTo(bank, { mayAskBanks });
    await route.verify({ id_number: NUMBER });
    expect(route.recorded.map(({ result }) => result.kind)).toEqual([kind]);
  });

  test.each<[number, string, Bank]>([
    [1, 'no bank has the account', accountsAt()],
    [1, 'two banks have the account', accountsAt(ECOBANK, FCMB)],
    [0, 'one bank does not respond', (code) => (code === FCMB ? SILENT : NO_ACCOUNT)],
    [0, 'the provider is down', () => ({ kind: 'unreachable', detail: 'refused' })],
  ])('counts %i guesses if %s', async (guesses, _, bank) => {
    const route = await routeTo(bank, { mayAskBanks });
    const recordMiss = jest.spyOn(route.service.deps.limiter, 'recordMiss');
    await route.verify({ id_number: NUMBER });
    expect(recordMiss).toHaveBeenCalledTimes(guesses);
  });
});
