import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type ProviderResponse, startProviderDouble, type TestDouble } from './double.ts';
import { bodyOf, type Json } from './fixtures.ts';

/**
 * A test double for Dojah, with the bodies of its fixtures and its sandbox numbers. Numbers that start with 9 select an
 * error.
 */

export const DOJAH_KEYS = { appId: 'test-app', apiKey: 'test-key' } as const;
export const DOJAH_NUMBERS = { NIN: '70123456789', BVN: '22222222222', TIN: '18609323-0001' } as const;
/** Numbers that Dojah does not publish, for ID types without a sandbox number and for leading zeros. */
export const OTHER_NUMBERS = { NIN: '00123456789', CAC: 'RC0012345', NUBAN: '0012345678' } as const;
export const DOJAH_ERRORS = {
  badRequest: '90000000400',
  lowBalance: '90000000402',
  notFound: '90000000404',
  wrongAddress: '90000001404',
  tooSlow: '90000000408',
  sourceFailed: '90000000424',
  rateLimited: '90000000429',
  broken: '90000000500',
} as const;

const ERRORS: Readonly<Record<string, ProviderResponse>> = {
  [DOJAH_ERRORS.badRequest]: refused(400, 'bvn is not valid'),
  [DOJAH_ERRORS.lowBalance]: refused(402, 'Your balance is low, pls visit the dashboard'),
  [DOJAH_ERRORS.notFound]: refused(404, 'bvn not found'),
  [DOJAH_ERRORS.wrongAddress]: refused(404, 'Cannot GET this endpoint'),
  [DOJAH_ERRORS.tooSlow]: refused(408, 'Request timeout'),
  [DOJAH_ERRORS.sourceFailed]: refused(424, 'Service temporarily unavailable'),
  [DOJAH_ERRORS.rateLimited]: refused(429, 'Too many requests'),
  [DOJAH_ERRORS.broken]: refused(500, 'Unable to get identity'),
};

function refused(status: number, error: string): ProviderResponse {
  return { status, body: bodyOf('dojah/vnin.not-found', { error }), product: 'vnin' };
}

export function startDojah(): Promise<TestDouble> {
  return startProviderDouble('dojah', (request) => {
    const { headers, query } = request;
    if (headers['authorization'] !== DOJAH_KEYS.apiKey || headers['appid'] !== DOJAH_KEYS.appId) {
      return refused(401, 'Unauthorized');
    }
    const name =
      ['nin', 'bvn', 'rc_number', 'rc', 'tin', 'account_number'].find((one) => query.has(one)) ?? '';
    const number = query.get(name) ?? '';
    return ERRORS[number] ?? respondTo(request, number) ?? refused(404, `${name} not found`);
  });
}

function respondTo({ path, query, method }: DoubleRequest, number: string): ProviderResponse | undefined {
  if (method !== 'GET') return undefined;
  const type = query.get('company_type') ?? query.get('type');
  switch (`${path} ${number}`) {
    case `/api/v1/kyc/nin/advance ${DOJAH_NUMBERS.NIN}`:
    case `/api/v1/kyc/nin/advance ${OTHER_NUMBERS.NIN}`:
      return found('nin-advanced', ninBody(number));
    case `/api/v1/kyc/bvn/full ${DOJAH_NUMBERS.BVN}`:
      return found('bvn-basic', bvnBody(number));
    case `/api/v1/kyc/bvn/advance ${DOJAH_NUMBERS.BVN}`:
      return found('bvn-advanced', bodyOf('dojah/bvn-advanced.found.2', { entity: { watch_listed: false } }));
    case '/api/v1/kyc/cac/basic 0012345':
      return type === 'COMPANY' ? basicCompany(type, 12_345) : undefined;
    case '/api/v1/kyc/cac/advance 0012345':
      return type === 'co' ? advanceCompany('COMPANY', '0012345') : undefined;
    case '/api/v1/kyc/cac/basic 7000':
      return basicCompany('BUSINESS_NAME', 7_000);
    case '/api/v1/kyc/cac/advance 7000':
      return advanceCompany('BUSINESS NAME', '7000');
    case `/api/v1/kyc/tin ${DOJAH_NUMBERS.TIN}`:
      return found('tin', taxpayerBody(number));
    case `/api/v1/general/account ${OTHER_NUMBERS.NUBAN}`:
      return found('account', bodyOf('dojah/account.found', { entity: { account_number: Number(number) } }));
    default:
      return undefined;
  }
}

function found(product: string, body: Json): ProviderResponse {
  return { status: 200, body, product };
}

/** The number is an integer without leading zeros, as in Dojah's API description. */
export function ninBody(number: string): Json {
  return bodyOf('dojah/nin-advanced.found', {
    entity: { nin: Number(number), middle_name: null, photo: PORTRAITS.yoruba.f },
  });
}

export function bvnBody(number: string): Json {
  return bodyOf('dojah/bvn-basic.found.2', { entity: { bvn: Number(number), image: PORTRAITS.yoruba.f } });
}

export function taxpayerBody(number: string): Json {
  return bodyOf('dojah/tin.found.2', {
    entity: { search: number, firstin: number, phone_number: 8_000_000_001 },
  });
}

/** RC7000 and BN7000 both return the business name, so the adapter must compare the types. */
function basicCompany(type: string, number: number): ProviderResponse {
  const entity = { rc_number: number, type_of_company: type, status: 'Active' };
  return found('cac-basic', bodyOf('dojah/cac-basic.found.1', { entity }));
}

function advanceCompany(type: string, number: string): ProviderResponse {
  const entity = {
    RC_Number: number,
    Classification: type,
    Number_of_Affiliates: 2,
    Share_capital: '1,000,000',
  };
  return found('cac-advanced', bodyOf('dojah/cac-advanced.found', { entity }));
}
