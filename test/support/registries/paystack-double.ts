import { type DoubleResponse, startDouble, type TestDouble } from './double.ts';

/** Paystack's account resolution as documented. It publishes no test account; bank code 001 is exempt from test limits. */
export const PAYSTACK_KEY = 'test-key';
export const PAYSTACK_NUMBERS = {
  account: '0001234567',
  asInteger: '0001234568',
  unresolved: '0000000422',
  testLimit: '0000000403',
  invalidParameters: '0000000400',
  rateLimited: '0000000429',
  broken: '0000000500',
  falseInside: '0000000200',
} as const;

const RESPONSES: Readonly<Record<string, DoubleResponse>> = {
  [PAYSTACK_NUMBERS.account]: resolved('0001234567'),
  [PAYSTACK_NUMBERS.asInteger]: resolved(1_234_568),
  [PAYSTACK_NUMBERS.unresolved]: errorResponse(
    422,
    'Could not resolve account name. Check parameters or try again.',
  ),
  [PAYSTACK_NUMBERS.testLimit]: errorResponse(400, 'Test mode daily limit of 3 live bank resolves exceeded.'),
  [PAYSTACK_NUMBERS.invalidParameters]: errorResponse(400, 'Unknown bank code'),
  [PAYSTACK_NUMBERS.rateLimited]: errorResponse(429, 'Too many requests'),
  [PAYSTACK_NUMBERS.broken]: { status: 500, body: 'upstream error' },
  [PAYSTACK_NUMBERS.falseInside]: errorResponse(200, 'Something else'),
};

function resolved(account_number: unknown): DoubleResponse {
  const data = { account_number, account_name: 'DOE JANE LOREN', bank_id: 9 };
  return { status: 200, body: { status: true, message: 'Account number resolved', data } };
}

function errorResponse(status: number, message: string): DoubleResponse {
  return { status, body: { status: false, message } };
}

export function startPaystack(): Promise<TestDouble> {
  return startDouble(({ headers, path, query }) => {
    if (headers['authorization'] !== `Bearer ${PAYSTACK_KEY}`) return errorResponse(401, 'Invalid key');
    if (path !== '/bank/resolve' || !query.get('bank_code')) return errorResponse(404, 'Not found');
    return (
      RESPONSES[query.get('account_number') ?? ''] ?? errorResponse(422, 'Could not resolve account name')
    );
  });
}
