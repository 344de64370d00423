import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import {
  type DoubleRequest,
  type DoubleResponse,
  type ProviderResponse,
  startProviderDouble,
  type TestDouble,
} from './double.ts';
import { bodyOf } from './fixtures.ts';

/** A test double for QoreID as documented, with its test persona. Numbers that start with 90 select an error. */

export const QOREID_CREDENTIALS = { clientId: 'test-client', secret: 'test-secret' } as const;
export const QOREID_NAMES = { firstname: 'Bunch', lastname: 'Dillon' } as const;
export const QOREID_NUMBERS = { NIN: '63184876213', BVN: '95888168924' } as const;
/** Not published as test numbers. */
export const OTHER_NUMBERS = {
  RC: 'RC11000011',
  BN: 'BN7000',
  otherTIN: '12345678-0001',
  TIN: '12345678-0002',
  JTB: '1234567890',
  taxId: '1234567890123',
  NUBAN: '0123456789',
} as const;
export const QOREID_ERRORS = {
  pending: '90000000202',
  noRecord: '90000000200',
  badRequest: '90000000400',
  notFound400: '90000001400',
  forbidden: '90000000403',
  notFound: '90000000404',
  wrongAddress: '90000001404',
  invalid: '90000000422',
  rateLimited: '90000000429',
  broken: '90000000500',
  down: '90000000503',
} as const;

const ERRORS: Readonly<Record<string, DoubleResponse>> = {
  [QOREID_ERRORS.pending]: {
    status: 200,
    body: { id: 7, status: { state: 'pending', status: 'pending' } },
  },
  [QOREID_ERRORS.noRecord]: {
    status: 200,
    body: { id: 8, status: { state: 'complete', status: 'declined' } },
  },
  [QOREID_ERRORS.badRequest]: errorResponse(400, 'idNumber must be a number string'),
  [QOREID_ERRORS.notFound400]: errorResponse(400, 'BVN does not exist'),
  [QOREID_ERRORS.forbidden]: errorResponse(403, 'Forbidden resource'),
  [QOREID_ERRORS.notFound]: errorResponse(404, 'BVN not found'),
  [QOREID_ERRORS.wrongAddress]: errorResponse(404, 'Cannot POST /v1/ng/identities/bvn-premium'),
  [QOREID_ERRORS.invalid]: errorResponse(422, ['bvn is invalid']),
  [QOREID_ERRORS.rateLimited]: errorResponse(429, 'ThrottlerException: Too Many Requests'),
  [QOREID_ERRORS.broken]: errorResponse(500, 'Internal server error'),
  [QOREID_ERRORS.down]: errorResponse(503, 'Service Unavailable'),
};

function errorResponse(statusCode: number, message: string | string[]): DoubleResponse {
  return { status: statusCode, body: { statusCode, message } };
}

/** The records by check and number. Each has the product of the fixture on which it is based. */
const RECORDS: Readonly<Record<string, Omit<ProviderResponse, 'status'>>> = {
  // No sample of this product is published. The sample of NIN by phone has the same object.
  [`nin ${QOREID_NUMBERS.NIN}`]: {
    product: 'nin-by-phone',
    body: bodyOf('qoreid/nin-by-phone.found', { nin: { photo: PORTRAITS.igbo.m } }),
  },
  [`nin-premium ${QOREID_NUMBERS.NIN}`]: {
    product: 'nin-by-phone',
    body: bodyOf('qoreid/nin-by-phone.found', { nin: { photo: PORTRAITS.igbo.m } }),
  },
  [`bvn-basic ${QOREID_NUMBERS.BVN}`]: {
    product: 'bvn-basic',
    body: bodyOf('qoreid/bvn-basic.found', { bvn: { photo: PORTRAITS.igbo.m } }),
  },
  [`bvn-premium ${QOREID_NUMBERS.BVN}`]: {
    product: 'bvn-premium',
    body: bodyOf('qoreid/bvn-premium.found', { bvn: { photo: PORTRAITS.igbo.m } }),
  },
  [`cac-basic ${OTHER_NUMBERS.RC}`]: company('basic.found.1', { rcNumber: '11000011' }),
  [`cac-premium ${OTHER_NUMBERS.RC}`]: company('premium.found', { rcNumber: 11_000_011 }),
  [`cac-basic ${OTHER_NUMBERS.BN}`]: company('basic.found.1', { rcNumber: '7000', companyType: '' }),
  // A kind of entity other than the one requested.
  [`cac-premium ${OTHER_NUMBERS.BN}`]: company('premium.found', { rcNumber: 7_000 }),
  [`tin ${OTHER_NUMBERS.TIN}`]: taxpayer('tin.found.1', { tin: OTHER_NUMBERS.TIN }),
  [`tin ${OTHER_NUMBERS.otherTIN}`]: taxpayer('tin.found.2', { tin: OTHER_NUMBERS.otherTIN }),
  [`tin ${OTHER_NUMBERS.JTB}`]: taxpayer('tin.found.2', {
    tin: OTHER_NUMBERS.otherTIN,
    jittin: OTHER_NUMBERS.JTB,
  }),
  // No sample shows how this product returns a 13-digit number. The sample of TIN by RC number has it in `taxId`.
  [`tin ${OTHER_NUMBERS.taxId}`]: taxpayer('tin-by-rc.found.1', { taxId: OTHER_NUMBERS.taxId }),
  [`nuban ${OTHER_NUMBERS.NUBAN}`]: {
    product: 'account',
    body: bodyOf('qoreid/account.found', { nuban: { accountNumber: OTHER_NUMBERS.NUBAN } }),
  },
};

type Values = Readonly<Record<string, string | number>>;

function company(name: string, cac: Values): Omit<ProviderResponse, 'status'> {
  return {
    product: name.startsWith('basic') ? 'cac-basic' : 'cac-premium',
    body: bodyOf(`qoreid/cac-${name}`, { cac }),
  };
}

function taxpayer(name: string, tin: Values): Omit<ProviderResponse, 'status'> {
  return { product: name.replace(/\..*/, ''), body: bodyOf(`qoreid/${name}`, { tin }) };
}

export interface QoreidDouble extends TestDouble {
  /** Invalidates all tokens, as a restart of the provider would. */
  revoke(): void;
  /** Sets `expiresIn` for new tokens. If undefined, new tokens lack the field. */
  setLifetime(expiresIn: unknown): void;
}

export async function startQoreid(): Promise<QoreidDouble> {
  const tokens = new Set<string>();
  let lifetime: unknown = 7_200;
  const double = await startProviderDouble('qoreid', (request) => {
    if (request.path === '/token') return issueToken(request, tokens, lifetime);
    if (!tokens.has(request.headers['authorization'] ?? ''))
      return asProduct(errorResponse(401, 'Unauthorized'));
    return respondTo(request);
  });
  return {
    ...double,
    revoke: () => tokens.clear(),
    setLifetime: (expiresIn) => {
      lifetime = expiresIn;
    },
  };
}

function issueToken({ json }: DoubleRequest, tokens: Set<string>, expiresIn: unknown): ProviderResponse {
  if (json['secret'] !== QOREID_CREDENTIALS.secret)
    return asProduct(errorResponse(401, 'Invalid credentials'));
  const accessToken = `token-${Math.random().toString(36).slice(2)}`;
  tokens.add(`Bearer ${accessToken}`);
  return asProduct({ status: 201, body: { accessToken, expiresIn, tokenType: 'Bearer' } });
}

function respondTo({ path, json, method }: DoubleRequest): ProviderResponse {
  const [, version, , , check = '', number = ''] = path.split('/');
  const error = ERRORS[number];
  if (error) return asProduct(error, check);
  if (method !== (check === 'tin' ? 'GET' : 'POST') || version !== (check === 'tin' ? 'v2' : 'v1'))
    return asProduct(errorResponse(404, `Cannot ${method} ${path}`));
  if (/^(?:nin|bvn|nuban)/.test(check) && !(json['firstname'] && json['lastname']))
    return asProduct(errorResponse(400, ['firstname should not be empty', 'lastname should not be empty']));
  const found = RECORDS[`${check} ${number || json['regNumber'] || json['accountNumber']}`];
  if (found) return { status: 200, ...found };
  return asProduct(
    check === 'nuban'
      ? errorResponse(500, 'Destination bank unreachable')
      : errorResponse(404, 'The record was not found'),
  );
}

function asProduct(response: DoubleResponse, product?: string): ProviderResponse {
  return { ...response, product };
}
