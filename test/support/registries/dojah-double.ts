import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type DoubleResponse, startDouble, type TestDouble } from './double.ts';

/** Dojah as its documentation describes it, with its sandbox numbers. Numbers that start with 9 select an error. */
export const DOJAH_KEYS = { appId: 'test-app', apiKey: 'test-key' } as const;
export const DOJAH_NUMBERS = { NIN: '70123456789', BVN: '22222222222', TIN: '18609323-0001' } as const;
/** Not published. For ID types without a sandbox number, and for leading zeros. */
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
  textInside: '90000009999',
} as const;

const ERRORS: Readonly<Record<string, DoubleResponse>> = {
  [DOJAH_ERRORS.badRequest]: { status: 400, body: { error: 'bvn is not valid' } },
  [DOJAH_ERRORS.lowBalance]: { status: 402, body: { error: 'Your balance is low, pls visit the dashboard' } },
  [DOJAH_ERRORS.notFound]: { status: 404, body: { error: 'bvn not found' } },
  [DOJAH_ERRORS.wrongAddress]: { status: 404, body: { error: 'Cannot GET this endpoint' } },
  [DOJAH_ERRORS.tooSlow]: { status: 408, body: { error: 'Request timeout' } },
  [DOJAH_ERRORS.sourceFailed]: { status: 424, body: { error: 'Service temporarily unavailable' } },
  [DOJAH_ERRORS.rateLimited]: { status: 429, body: { error: 'Too many requests' } },
  [DOJAH_ERRORS.broken]: { status: 500, body: { error: 'Unable to get identity' } },
  [DOJAH_ERRORS.textInside]: { status: 200, body: { entity: 'Service is being worked on' } },
};

export function startDojah(): Promise<TestDouble> {
  return startDouble((request) => {
    const { headers, query } = request;
    if (headers['authorization'] !== DOJAH_KEYS.apiKey || headers['appid'] !== DOJAH_KEYS.appId) {
      return { status: 401, body: { error: 'Unauthorized' } };
    }
    const name = ['nin', 'bvn', 'rc_number', 'tin', 'account_number'].find((one) => query.has(one)) ?? '';
    const number = query.get(name) ?? '';
    const entity = ERRORS[number] ? undefined : entityOf(request, number);
    return ERRORS[number] ?? (entity ? { status: 200, body: { entity } } : notFound(name));
  });
}

function notFound(name: string): DoubleResponse {
  return { status: 404, body: { error: `${name} not found` } };
}

function entityOf({ path, query, method }: DoubleRequest, number: string): unknown {
  if (method !== 'GET') return undefined;
  switch (`${path} ${number}`) {
    case `/api/v1/kyc/nin/advance ${DOJAH_NUMBERS.NIN}`:
    case `/api/v1/kyc/nin/advance ${OTHER_NUMBERS.NIN}`:
      return nin(number);
    case `/api/v1/kyc/bvn/full ${DOJAH_NUMBERS.BVN}`:
      return bvn(number);
    case `/api/v1/kyc/bvn/advance ${DOJAH_NUMBERS.BVN}`:
      return { ...bvn(number), enrollment_bank: '044', watch_listed: false, registration_date: '2015-02-03' };
    case '/api/v1/kyc/cac/basic 0012345':
      return query.get('company_type') === 'COMPANY' ? basicCompany() : undefined;
    case '/api/v1/kyc/cac/advance 0012345':
      return advanceCompany();
    case `/api/v1/kyc/tin ${DOJAH_NUMBERS.TIN}`:
      return taxpayer(number);
    case `/api/v1/general/account ${OTHER_NUMBERS.NUBAN}`:
      return { account_number: Number(number), account_name: 'DOE JOHN' };
    default:
      return undefined;
  }
}

/** The number is an integer without leading zeros, as in Dojah's API description. */
export function nin(number: string): unknown {
  return {
    nin: Number(number),
    first_name: 'John',
    last_name: 'Doe',
    middle_name: null,
    gender: 'Male',
    date_of_birth: '1982-01-01',
    phone_number: '08012345678',
    email: 'abc@example.com',
    photo: PORTRAITS.yoruba.m,
    residence_address_line_1: '1 Sample Street',
    residence_town: 'Ikeja',
    residence_lga: 'Ikeja',
    residence_state: 'Lagos',
    origin_state: 'Ogun',
    nspoken_lang: 'YORUBA',
  };
}

export function bvn(number: string): Record<string, unknown> {
  return {
    bvn: Number(number),
    first_name: 'JOHN',
    last_name: 'DOE',
    middle_name: 'AHMED',
    gender: 'Male',
    date_of_birth: '1997-05-16',
    phone_number1: '08012345678',
    phone_number2: '08012345679',
    image: PORTRAITS.yoruba.m,
  };
}

export function taxpayer(number: string): unknown {
  return {
    search: number,
    taxpayer_name: 'JOHN DOE',
    jittin: 'N/A',
    tax_office: 'MSTO EPE',
    phone_number: 8012345678,
  };
}

function basicCompany(): unknown {
  return {
    rc_number: 12345,
    company_name: 'TEST COMPANY LTD',
    type_of_company: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
    address: '10 Sample Avenue',
    status: 'Active',
    date_of_registration: '2004-09-08T00:00:00.000Z',
    business: 'SOFTWARE',
  };
}

function advanceCompany(): unknown {
  return {
    RC_Number: '0012345',
    Name_of_Company: 'TEST COMPANY LTD',
    Classification: 'COMPANY',
    Date_of_Registration: '2004-09-08',
    Head_Office_Address: '10 Sample Avenue',
    Number_of_Affiliates: 2,
    Share_capital: '1,000,000',
    Share_capital_in_words: 'ONE MILLION',
    affiliates: [
      { surname: 'DOE', firstname: 'JOHN', affiliateType: 'DIRECTOR' },
      { surname: 'DOE', firstname: 'JOHN', affiliateType: 'SHAREHOLDER', numSharesAlloted: 600_000 },
    ],
  };
}
