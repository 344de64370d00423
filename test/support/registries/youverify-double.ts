import { PORTRAITS, SIGNATURES } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type DoubleResponse, startDouble, type TestDouble } from './double.ts';

/** Youverify as its documentation describes it, with its test NIN. Numbers that start with 9 select an error. */
export const YOUVERIFY_KEY = 'test-token';
export const YOUVERIFY_NUMBERS = { NIN: '11111111111' } as const;
/** Not published. */
export const OTHER_NUMBERS = { BVN: '11111111111', TIN: '00000000-0001' } as const;
export const YOUVERIFY_ERRORS = {
  notFound: '90000000001',
  oddStatus: '90000000002',
  notFoundStatus: '90000000404',
  wrongAddress: '90000001404',
  badRequest: '90000000400',
  funds: '90000000402',
  forbidden: '90000000403',
  rateLimited: '90000000429',
  broken: '90000000500',
  gatewayTimeout: '90000000504',
} as const;

const ERRORS: Readonly<Record<string, DoubleResponse>> = {
  [YOUVERIFY_ERRORS.notFound]: found({ status: 'not_found', reason: 'No record', firstName: null }),
  [YOUVERIFY_ERRORS.oddStatus]: found({ status: 'in_review', firstName: null }),
  [YOUVERIFY_ERRORS.notFoundStatus]: errorResponse(404, 'Identity not found'),
  [YOUVERIFY_ERRORS.wrongAddress]: errorResponse(404, 'Route not found'),
  [YOUVERIFY_ERRORS.badRequest]: errorResponse(400, '"id" is invalid'),
  [YOUVERIFY_ERRORS.funds]: errorResponse(402, 'Insufficient fund'),
  [YOUVERIFY_ERRORS.forbidden]: errorResponse(403, 'Permission denied'),
  [YOUVERIFY_ERRORS.rateLimited]: errorResponse(429, 'Too many requests'),
  [YOUVERIFY_ERRORS.broken]: errorResponse(500, 'Something went wrong'),
  [YOUVERIFY_ERRORS.gatewayTimeout]: { status: 504, body: '<html></html>' },
};

function found(data: unknown): DoubleResponse {
  return { status: 200, body: { success: true, statusCode: 200, message: 'success', data, links: [] } };
}

function errorResponse(statusCode: number, message: string): DoubleResponse {
  return { status: statusCode, body: { success: false, statusCode, message, name: 'Error', data: {} } };
}

export function startYouverify(): Promise<TestDouble> {
  return startDouble((request) => {
    if (request.headers['token'] !== YOUVERIFY_KEY) return errorResponse(401, 'Unauthorized');
    return ERRORS[String(request.json['id'])] ?? respondTo(request);
  });
}

function respondTo({ path, json }: DoubleRequest): DoubleResponse {
  if (path === '/v2/api/verifications/ng/tin' && json['tin'] === OTHER_NUMBERS.TIN) {
    return found({
      name: 'SAMPLE LIMITED',
      registrationNumber: 'RC11111',
      tin: json['tin'],
      jtbTin: null,
      taxOffice: 'MSTO EPE',
    });
  }
  if (json['isSubjectConsent'] !== true) return errorResponse(400, '"isSubjectConsent" must be true');
  const isNin = path === '/v2/api/identity/ng/nin' && json['id'] === YOUVERIFY_NUMBERS.NIN;
  const isBvn = path === '/v2/api/identity/ng/bvn' && json['id'] === OTHER_NUMBERS.BVN;
  return isNin || isBvn ? found(person(String(json['id']))) : found({ status: 'not_found' });
}

function person(idNumber: string): unknown {
  return {
    id: '62cc1d2fb4a0f5001c6a9c5e',
    status: 'found',
    idNumber,
    firstName: 'Sarah',
    middleName: 'Jane',
    lastName: 'Doe',
    dateOfBirth: '1988-04-04',
    gender: 'Female',
    mobile: '+2348000000000',
    email: null,
    image: `data:image/jpg;base64,${PORTRAITS.igbo.f}`,
    signature: `data:image/jpg;base64,${SIGNATURES[0]}`,
    address: { town: 'LEKKI', lga: 'Eti-Osa', state: 'Lagos', addressLine: '1 Sample Street' },
    birthState: 'Edo',
    birthLGA: 'Oredo',
    birthCountry: 'nigeria',
    religion: 'christianity',
    nokState: 'Lagos',
    allValidationPassed: true,
    validations: { data: {}, validationMessages: '' },
  };
}
