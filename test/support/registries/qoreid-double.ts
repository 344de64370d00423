import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type DoubleResponse, startDouble, type TestDouble } from './double.ts';

/** QoreID as its documentation describes it, with its test personas. Numbers that start with 9 select an error. */
export const QOREID_CREDENTIALS = { clientId: 'test-client', secret: 'test-secret' } as const;
/** A client whose contract requires names for look-ups of people. */
export const MATCH_ONLY = { clientId: 'match-only', secret: 'test-secret' } as const;
export const QOREID_NUMBERS = { NIN: '63184876213', BVN: '95888168924', otherBVN: '22222222222' } as const;
/** Not published. */
export const OTHER_NUMBERS = { CAC: 'RC11000011', TIN: '12345678-0001', NUBAN: '0123456789' } as const;
export const QOREID_ERRORS = {
  pending: '90000000202',
  noRecord: '90000000200',
  badRequest: '90000000400',
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
    body: { id: 7, summary: {}, status: { state: 'pending', status: 'pending' } },
  },
  [QOREID_ERRORS.noRecord]: {
    status: 200,
    body: { id: 8, status: { state: 'complete', status: 'declined' } },
  },
  [QOREID_ERRORS.badRequest]: errorResponse(400, 'idNumber must be a number string'),
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

function found(key: string, record: unknown, summary: unknown): DoubleResponse {
  const status = { state: 'complete', status: 'verified' };
  return { status: 200, body: { id: 1105, summary: { [`${key}_check`]: summary }, status, [key]: record } };
}

/** `revoke()` invalidates all tokens, as a restart of the provider would. */
export async function startQoreid(): Promise<TestDouble & { revoke(): void }> {
  const tokens = new Map<string, string>();
  const double = await startDouble((request) => {
    if (request.path === '/token') return issueToken(request, tokens);
    const client = tokens.get(request.headers['authorization'] ?? '');
    if (!client) return errorResponse(401, 'Unauthorized');
    return respondTo(request, client === MATCH_ONLY.clientId);
  });
  return { ...double, revoke: () => tokens.clear() };
}

function issueToken({ json }: DoubleRequest, tokens: Map<string, string>): DoubleResponse {
  if (json['secret'] !== QOREID_CREDENTIALS.secret) return errorResponse(401, 'Invalid credentials');
  const accessToken = `token-${Math.random().toString(36).slice(2)}`;
  tokens.set(`Bearer ${accessToken}`, String(json['clientId']));
  return { status: 201, body: { accessToken, expiresIn: 7200, tokenType: 'Bearer' } };
}

function respondTo({ path, json, method }: DoubleRequest, needsNames: boolean): DoubleResponse {
  const [, version, , , check = '', number = ''] = path.split('/');
  const error = ERRORS[number];
  if (error) return error;
  if (method !== 'POST') return errorResponse(404, `Cannot ${method} ${path}`);
  const isPerson = /^(?:nin|bvn|nuban)/.test(check);
  if (isPerson && needsNames && !json['firstname'])
    return errorResponse(400, ['firstname should not be empty']);
  const match = { status: 'NO_MATCH', fieldMatches: { firstname: false, lastname: false } };
  switch (`${version} ${check}`) {
    case 'v1 nin':
    case 'v1 nin-premium':
      return number === QOREID_NUMBERS.NIN
        ? found('nin', nin(number), match)
        : errorResponse(404, 'NIN not found');
    case 'v1 bvn-basic':
    case 'v1 bvn-premium':
      return number === QOREID_NUMBERS.BVN || number === QOREID_NUMBERS.otherBVN
        ? found('bvn', bvn(number), match)
        : errorResponse(404, 'BVN not found');
    case 'v1 cac-basic':
    case 'v1 cac-premium':
      return json['regNumber'] === OTHER_NUMBERS.CAC
        ? found('cac', CAC, 'verified')
        : errorResponse(404, 'Not found');
    case 'v2 tin':
      return number === OTHER_NUMBERS.TIN
        ? found('tin', tin(number), 'verified')
        : errorResponse(404, 'TIN not found');
    case 'v1 nuban':
      return json['accountNumber'] === OTHER_NUMBERS.NUBAN
        ? found('nuban', { accountName: 'DILLON BUNCH', accountNumber: json['accountNumber'] }, match)
        : errorResponse(500, 'Destination bank unreachable');
    default:
      return errorResponse(404, `Cannot POST ${path}`);
  }
}

function nin(number: string): unknown {
  return {
    nin: number,
    firstname: 'Bunch',
    lastname: 'Dillon',
    middlename: '',
    phone: '08000000000',
    gender: 'm',
    birthdate: '07-07-1995',
    photo: PORTRAITS.igbo.m,
    residence: { address1: '17 Sample Close', town: 'Magodo', lga: 'Kosofe', state: 'Lagos' },
  };
}

/** The address is a line of text in this response. */
function bvn(number: string): unknown {
  return {
    bvn: number,
    firstname: 'Samson',
    lastname: 'Jabo',
    phone: '08000000001',
    gender: 'Male',
    birthdate: '07-Jul-1995',
    photo: '',
    watchListed: false,
    address: '17 Sample Close',
  };
}

const CAC = {
  rcNumber: 11_000_011,
  companyName: 'Test Company',
  companyType: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
  registrationDate: '2017-04-17T13:33:22.770+00:00',
  branchAddress: 'Test Company Address',
  companyEmail: 'testcompany@example.com',
  city: 'Ikeja',
  lga: 'Ikeja',
  state: 'Lagos',
  status: 'ACTIVE',
  shareCapital: 1_000_000,
  shareCapitalInWords: 'ONE MILLION',
  affiliates: 4,
};

function tin(number: string): unknown {
  return { taxId: number, companyName: 'Test Company', rcNumber: 'RC11000011', type: 'COMPANY' };
}
