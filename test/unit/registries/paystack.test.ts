import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allowsFailover } from '../../../shared/registries/ask-provider.ts';
import type { RegistryProvider } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import type { TestDouble } from '../../support/registries/double.ts';
import { PAYSTACK_KEY, PAYSTACK_NUMBERS, startPaystack } from '../../support/registries/paystack-double.ts';

let double: TestDouble;
let paystack: RegistryProvider;

beforeAll(async () => {
  double = await startPaystack();
  const secret = { apiKey: PAYSTACK_KEY, baseUrl: double.baseUrl };
  paystack = liveProvider('paystack', { credentials: async () => secret, allowLocal: true });
});
afterAll(() => double.stop());

test.each([
  ['in the API reference', PAYSTACK_NUMBERS.account, 'AMINA SPECIMEN'],
  ['in the guide, with the ID of the bank', PAYSTACK_NUMBERS.withBankId, 'Specimen Amina Abeni'],
  ['with its number as a JSON number', PAYSTACK_NUMBERS.asInteger, 'Specimen Amina Abeni'],
])('the account %s resolves', async (_, number, account_name) => {
  expect(await recordOf(paystack, 'NUBAN', number, { bankCode: '044' })).toEqual({
    account_number: number,
    account_name,
    bank_code: '044',
    bank_name: 'Access Bank Plc',
    currency: 'NGN',
  });
});

test("a bank's NIP code is sent as its CBN code, and the record has the code of the query", async () => {
  const account = await recordOf(paystack, 'NUBAN', PAYSTACK_NUMBERS.account, { bankCode: '000014' });
  expect(account.bank_code).toBe('000014');
  expect(double.requests.at(-1)?.query.get('bank_code')).toBe('044');
});

test.each([
  ['422 with a sentence', PAYSTACK_NUMBERS.unresolved, { kind: 'not-found', detail: 'http-422' }],
  ['the limit of test keys', PAYSTACK_NUMBERS.testLimit, { kind: 'unreachable', detail: 'test-limit' }],
  ['a 400 with the same sentence', PAYSTACK_NUMBERS.unresolved400, { kind: 'not-found', detail: 'http-400' }],
  [
    'of a bank that it does not serve',
    PAYSTACK_NUMBERS.unknownBank,
    { kind: 'failed', detail: 'bank-not-served', excludedFromHealth: true },
  ],
  ['400', PAYSTACK_NUMBERS.invalidParameters, { kind: 'failed', detail: 'http-400' }],
  ['429', PAYSTACK_NUMBERS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
  ['500', PAYSTACK_NUMBERS.broken, { kind: 'unreachable', detail: 'http-500', maybeBilled: true }],
  [
    'a 200 with status false',
    PAYSTACK_NUMBERS.falseInside,
    { kind: 'failed', detail: 'unexpected-shape:status' },
  ],
])('the error %s has the right result', async (_, number, outcome) => {
  expect(await ask(paystack, 'NUBAN', number, { bankCode: '044' })).toEqual(outcome);
});

test('a rejected key (401) makes the provider unreachable', async () => {
  const secret = { apiKey: 'wrong', baseUrl: double.baseUrl };
  const unauthorised = liveProvider('paystack', { credentials: async () => secret, allowLocal: true });
  const result = await ask(unauthorised, 'NUBAN', PAYSTACK_NUMBERS.account, { bankCode: '044' });
  expect(result).toEqual({ kind: 'unreachable', detail: 'credentials-refused' });
});

test('a bank without a Paystack code is not looked up, and permits another provider', async () => {
  const before = double.requests.length;
  const result = await ask(paystack, 'NUBAN', PAYSTACK_NUMBERS.account, { bankCode: '060002' });
  expect(result).toEqual({ kind: 'failed', detail: 'bank-not-served', excludedFromHealth: true });
  expect(allowsFailover(result)).toBe(true);
  expect(double.requests).toHaveLength(before);
});

test('without a bank code, nothing is sent', async () => {
  const before = double.requests.length;
  const result = await ask(paystack, 'NUBAN', PAYSTACK_NUMBERS.account);
  expect(result).toEqual({ kind: 'failed', detail: 'bank-code-needed', excludedFromHealth: true });
  expect(double.requests).toHaveLength(before);
});
