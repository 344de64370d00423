import { PORTRAITS, SIGNATURES } from '../../../shared/registries/sandbox/pictures.ts';
import {
  type DoubleRequest,
  type DoubleResponse,
  type ProviderResponse,
  startProviderDouble,
  type TestDouble,
} from './double.ts';
import { bodyOf } from './fixtures.ts';

/** A test double for Youverify as documented, with its test NIN. Numbers that start with 9 select an error. */

export const YOUVERIFY_KEY = 'test-token';
export const YOUVERIFY_NUMBERS = { NIN: '11111111111' } as const;
export const OTHER_NUMBERS = {
  BVN: '11111111111',
  TIN: '12345678-0001',
  JTB: '1234567890',
  unknownTIN: '12345678-0404',
} as const;
export const YOUVERIFY_ERRORS = {
  notFound: '90000000001',
  oddStatus: '90000000002',
  noResource: '90000000404',
  badRequest: '90000000400',
  funds: '90000000402',
  forbidden: '90000000403',
  rateLimited: '90000000429',
  broken: '90000000500',
  gatewayTimeout: '90000000504',
} as const;

const ERRORS: Readonly<Record<string, DoubleResponse>> = {
  [YOUVERIFY_ERRORS.notFound]: person({ status: 'not_found', idNumber: YOUVERIFY_ERRORS.notFound }),
  [YOUVERIFY_ERRORS.oddStatus]: person({ status: 'in_review', idNumber: YOUVERIFY_ERRORS.oddStatus }),
  [YOUVERIFY_ERRORS.noResource]: { status: 404, body: bodyOf('youverify/tin.error') },
  [YOUVERIFY_ERRORS.badRequest]: errorResponse(400, '"id" is invalid'),
  [YOUVERIFY_ERRORS.funds]: errorResponse(402, 'Insufficient fund'),
  [YOUVERIFY_ERRORS.forbidden]: errorResponse(403, 'Permission denied'),
  [YOUVERIFY_ERRORS.rateLimited]: errorResponse(429, 'Too many requests'),
  [YOUVERIFY_ERRORS.broken]: errorResponse(500, 'Something went wrong'),
  [YOUVERIFY_ERRORS.gatewayTimeout]: { status: 504, body: '<html></html>' },
};

function errorResponse(statusCode: number, message: string): DoubleResponse {
  return { status: statusCode, body: bodyOf('youverify/tin.error', { statusCode, message }) };
}

function person(values: Readonly<Record<string, string>>): DoubleResponse {
  const image = `data:image/jpg;base64,${PORTRAITS.igbo.f}`;
  const signature = `data:image/jpg;base64,${SIGNATURES[0]}`;
  return { status: 200, body: bodyOf('youverify/nin.found', { data: { image, signature, ...values } }) };
}

export function startYouverify(): Promise<TestDouble> {
  return startProviderDouble('youverify', (request) =>
    request.headers['token'] === YOUVERIFY_KEY
      ? respondTo(request)
      : { ...errorResponse(401, 'Unauthorized'), product: 'nin' },
  );
}

function respondTo({ path, json }: DoubleRequest): ProviderResponse {
  const id = String(json['id'] ?? json['tin']);
  const product = path.endsWith('/tin') ? 'tin' : 'nin';
  const isConsented = json['isSubjectConsent'] === true && (product === 'nin' || json['isConsent'] === true);
  const response = isConsented
    ? (ERRORS[id] ?? recordAt(path, id))
    : errorResponse(400, '"isSubjectConsent" must be true');
  return { ...response, product };
}

function recordAt(path: string, id: string): DoubleResponse {
  switch (path) {
    case '/v2/api/identity/ng/nin':
    // No BVN sample is published. The double responds with the NIN sample, as the adapter assumes.
    case '/v2/api/identity/ng/bvn':
      return person({ idNumber: id });
    case '/v2/api/verifications/ng/tin':
      return { status: 200, body: taxpayer(id) };
    default:
      return { status: 404, body: bodyOf('youverify/tin.error') };
  }
}

function taxpayer(tin: string): unknown {
  if (tin === OTHER_NUMBERS.unknownTIN) return bodyOf('youverify/tin.not-found', { data: { tin } });
  const numbers = tin === OTHER_NUMBERS.JTB ? { jtbTin: tin } : { tin };
  return bodyOf('youverify/tin.found', { data: numbers });
}
