import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type DoubleResponse, startDouble, type TestDouble } from './double.ts';

/** QoreID as its documents describe it, with their test personas. Numbers that start with 9 choose an error. */
export const QOREID_CREDENTIALS = { clientId: 'stand-in-client', secret: 'stand-in-secret' } as const;
/** A client whose contract wants names with every person. */
export const MATCH_ONLY = { clientId: 'match-only', secret: 'stand-in-secret' } as const;
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

const BAD: Readonly<Record<string, DoubleResponse>> = {
  [QOREID_ERRORS.pending]: {
    status: 200,
    body: { id: 7, summary: {}, status: { state: 'pending', status: 'pending' } },
  },
  [QOREID_ERRORS.noRecord]: {
    status: 200,
    body: { id: 8, status: { state: 'complete', status: 'declined' } },
  },
  [QOREID_ERRORS.badRequest]: refused(400, 'idNumber must be a number string'),
  [QOREID_ERRORS.forbidden]: refused(403, 'Forbidden resource'),
  [QOREID_ERRORS.notFound]: refused(404, 'BVN not found'),
  [QOREID_ERRORS.wrongAddress]: refused(404, 'Cannot POST /v1/ng/identities/bvn-premium'),
  [QOREID_ERRORS.invalid]: refused(422, ['bvn is invalid']),
  [QOREID_ERRORS.rateLimited]: refused(429, 'ThrottlerException: Too Many Requests'),
  [QOREID_ERRORS.broken]: refused(500, 'Internal server error'),
  [QOREID_ERRORS.down]: refused(503, 'Service Unavailable'),
};

function refused(statusCode: number, message: string | string[]): DoubleResponse {
  return { status: statusCode, body: { statusCode, message } };
}

function found(key: string, record: unknown, summary: unknown): DoubleResponse {
  const status = { state: 'complete', status: 'verified' };
  return { status: 200, body: { id: 1105, summary: { [`${key}_check`]: summary }, status, [key]: record } };
}

/** `revoke()` makes every token that was given so far stale, as a restart on their side would. */
export async function startQoreid(): Promise<TestDouble & { revoke(): void }> {
  const tokens = new Map<string, string>();
  const double = await startDouble((request) => {
    if (request.path === '/token') return giveToken(request, tokens);
    const client = tokens.get(request.headers['authorization'] ?? '');
    if (!client) return refused(401, 'Unauthorized');
    return answerTo(request, client === MATCH_ONLY.clientId);
  });
  return { ...double, revoke: () => tokens.clear() };
}

function giveToken({ json }: DoubleRequest, tokens: Map<string, string>): DoubleResponse {
  if (json['secret'] !== QOREID_CREDENTIALS.secret) return refused(401, 'Invalid credentials');
  const accessToken = `token-${Math.random().toString(36).slice(2)}`;
  tokens.set(`Bearer ${accessToken}`, String(json['clientId']));
  return { status: 201, body: { accessToken, expiresIn: 7200, tokenType: 'Bearer' } };
}

function answerTo({ path, json, method }: DoubleRequest, needsNames: boolean): DoubleResponse {
  const [, version, , , check = '', number = ''] = path.split('/');
  const bad = BAD[number];
  if (bad) return bad;
  if (method !== 'POST') return refused(404, `Cannot ${method} ${path}`);
  const isPerson = /^(?:nin|bvn|nuban)/.test(check);
  if (isPerson && needsNames && !json['firstname']) return refused(400, ['firstname should not be empty']);
  const match = { status: 'NO_MATCH', fieldMatches: { firstname: false, lastname: false } };
  switch (`${version} ${check}`) {
    case 'v1 nin':
    case 'v1 nin-premium':
      return number === QOREID_NUMBERS.NIN ? found('nin', nin(number), match) : refused(404, 'NIN not found');
    case 'v1 bvn-basic':
    case 'v1 bvn-premium':
      return number === QOREID_NUMBERS.BVN || number === QOREID_NUMBERS.otherBVN
        ? found('bvn', bvn(number), match)
        : refused(404, 'BVN not found');
    case 'v1 cac-basic':
    case 'v1 cac-premium':
      return json['regNumber'] === OTHER_NUMBERS.CAC
        ? found('cac', CAC, 'verified')
        : refused(404, 'Not found');
    case 'v2 tin':
      return number === OTHER_NUMBERS.TIN
        ? found('tin', tin(number), 'verified')
        : refused(404, 'TIN not found');
    case 'v1 nuban':
      return json['accountNumber'] === OTHER_NUMBERS.NUBAN
        ? found('nuban', { accountName: 'DILLON BUNCH', accountNumber: json['accountNumber'] }, match)
        : refused(500, 'Destination bank unreachable');
    default:
      return refused(404, `Cannot POST ${path}`);
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

/** Where a person lives comes as a line of text here. */
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
