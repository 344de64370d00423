import { type DoubleResponse, startProviderDouble, type TestDouble } from './double.ts';
import { bodyOf } from './fixtures.ts';

/**
 * A test double for Paystack's account resolution, as documented. Paystack publishes no test account, but exempts bank
 * code 001 from test limits. No documented error was found, so it returns the errors that public clients expect.
 */

export const PAYSTACK_KEY = 'test-key';
export const PAYSTACK_NUMBERS = {
  account: '0123456789',
  withBankId: '0001234567',
  asInteger: '0001234568',
  unresolved: '0000000422',
  testLimit: '0000000403',
  unresolved400: '0000001400',
  unknownBank: '0000002400',
  invalidParameters: '0000000400',
  rateLimited: '0000000429',
  broken: '0000000500',
  falseInside: '0000000200',
} as const;

const RESPONSES: Readonly<Record<string, DoubleResponse>> = {
  [PAYSTACK_NUMBERS.account]: { status: 200, body: bodyOf('paystack/account.found.1') },
  [PAYSTACK_NUMBERS.withBankId]: { status: 200, body: bodyOf('paystack/account.found.2') },
  // Another company's published request collection shows the number as an integer.
  [PAYSTACK_NUMBERS.asInteger]: {
    status: 200,
    body: bodyOf('paystack/account.found.2', { data: { account_number: 1_234_568 } }),
  },
  [PAYSTACK_NUMBERS.unresolved]: errorResponse(
    422,
    'Could not resolve account name. Check parameters or try again.',
  ),
  [PAYSTACK_NUMBERS.unresolved400]: errorResponse(400, 'Could not resolve account name.'),
  [PAYSTACK_NUMBERS.unknownBank]: { status: 400, body: bodyOf('paystack/account.error') },
  [PAYSTACK_NUMBERS.testLimit]: errorResponse(400, 'Test mode daily limit of 3 live bank resolves exceeded.'),
  [PAYSTACK_NUMBERS.invalidParameters]: errorResponse(400, 'Invalid key value'),
  [PAYSTACK_NUMBERS.rateLimited]: errorResponse(429, 'Too many requests'),
  [PAYSTACK_NUMBERS.broken]: { status: 500, body: 'upstream error' },
  [PAYSTACK_NUMBERS.falseInside]: errorResponse(200, 'Something else'),
};

function errorResponse(status: number, message: string): DoubleResponse {
  return { status, body: { status: false, message } };
}

export function startPaystack(): Promise<TestDouble> {
  return startProviderDouble('paystack', ({ headers, path, query }) => {
    const respond = (): DoubleResponse => {
      if (headers['authorization'] !== `Bearer ${PAYSTACK_KEY}`) return errorResponse(401, 'Invalid key');
      if (path !== '/bank/resolve' || !query.get('bank_code')) return errorResponse(404, 'Not found');
      return (
        RESPONSES[query.get('account_number') ?? ''] ?? errorResponse(422, 'Could not resolve account name')
      );
    };
    return { ...respond(), product: 'account' };
  });
}
