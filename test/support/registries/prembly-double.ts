import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type DoubleResponse, startDouble, type TestDouble } from './double.ts';

/** Prembly as its documentation describes it, with its published test numbers. Numbers that start with 9 select an error. */
export const PREMBLY_KEY = 'test-key';
export const PREMBLY_NUMBERS = {
  NIN: '12345678901',
  olderNIN: '12345678909',
  BVN: '54651333604',
  CAC: 'RC092932',
  TIN: '20304753-0001',
  NUBAN: '4444444444',
  bankCode: '214',
} as const;
export const PREMBLY_ERRORS = {
  notFound: '90000000001',
  sourceDown: '90000000002',
  walletEmpty: '90000000003',
  blocked: '90000000007',
  undocumented: '90000000042',
  fieldErrors: '90000000400',
  forbidden: '90000000403',
  rateLimited: '90000000429',
  gateway: '90000000502',
} as const;

const ERRORS: Readonly<Record<string, DoubleResponse>> = {
  [PREMBLY_ERRORS.notFound]: failed('01', { message: 'Record not found' }),
  // The status flag is true here and false elsewhere, so only the code is reliable.
  [PREMBLY_ERRORS.sourceDown]: failed('02', { status: true, detail: 'Kindly retry later' }),
  [PREMBLY_ERRORS.walletEmpty]: failed('03', { detail: 'Insufficient wallet balance' }),
  [PREMBLY_ERRORS.blocked]: failed('07', {
    billing_info: { was_charged: true, amount: 70, currency: 'NGN' },
  }),
  [PREMBLY_ERRORS.undocumented]: failed('42', {}),
  [PREMBLY_ERRORS.fieldErrors]: { status: 400, body: { status: false, detail: { number: ['Invalid.'] } } },
  [PREMBLY_ERRORS.forbidden]: { status: 403, body: { detail: 'Forbidden' } },
  [PREMBLY_ERRORS.rateLimited]: { status: 429, body: { detail: 'Throttled' } },
  [PREMBLY_ERRORS.gateway]: { status: 502, body: '<html>Bad gateway</html>' },
};

function failed(code: string, more: Record<string, unknown>): DoubleResponse {
  return { status: 200, body: { status: false, response_code: code, ...more } };
}

function found(key: string, record: unknown): DoubleResponse {
  const verification = { status: 'VERIFIED', reference: 'f29c1268-3e1f-43f4-92ef-feb9b71af6d2' };
  return {
    status: 200,
    body: { status: true, detail: 'Verified', response_code: '00', [key]: record, verification },
  };
}

export function startPrembly(): Promise<TestDouble> {
  return startDouble((request) => {
    if (request.headers['x-api-key'] !== PREMBLY_KEY) return { status: 401, body: { detail: 'Invalid key' } };
    const number = String(request.json['number'] ?? request.json['number_nin'] ?? request.json['rc_number']);
    return ERRORS[number] ?? respondTo(request, number);
  });
}

function respondTo(request: DoubleRequest, number: string): DoubleResponse {
  const { NIN, olderNIN, BVN, TIN, NUBAN } = PREMBLY_NUMBERS;
  const isNin = number === NIN || number === olderNIN;
  if (request.path === '/verification/vnin-basic' && isNin) return found('data', ninRecord(number));
  if (request.path === '/verification/vnin' && isNin) return found('nin_data', ninRecord(number));
  if (request.path === '/verification/bvn' && number === BVN) return found('bvn_data', bvnRecord(number));
  if (request.path === '/verification/cac' && number === '092932')
    return found('data', company('092932', []));
  if (request.path === '/verification/cac/advance' && number === '092932') {
    // The list starts with a company that has another number.
    return found('data', [company('7000', []), company('092932', AFFILIATES)]);
  }
  if (request.path === '/verification/tin' && number === TIN && request.json['channel'] === 'TIN') {
    return found('data', taxpayer(number));
  }
  if (
    request.path === '/verification/bank_account/basic' &&
    number === NUBAN &&
    request.json['bank_code'] === '214'
  ) {
    return found('account data', { account_number: number, account_name: 'TEST ACCOUNT', bank_id: 9 });
  }
  return failed('01', { message: 'Record not found' });
}

function ninRecord(nin: string): Record<string, unknown> {
  return {
    nin,
    firstname: 'TEST',
    surname: 'PERSON',
    middlename: '',
    telephoneno: '08012345678',
    gender: 'm',
    birthdate: '05-04-1990',
    residence_address: '1 Sample Street',
    residence_town: 'Ikeja',
    residence_lga: 'Ikeja',
    residence_state: 'Lagos',
    employmentstatus: 'employed',
    spoken_language: 'YORUBA',
    self_origin_state: 'Ogun',
    trackingId: 'S7Y0TESTTEST000',
    photo: PORTRAITS.igbo.m.replace(/.{64}/g, '$&\r\n'),
    signature: null,
    nok_firstname: 'NEXT',
  };
}

function bvnRecord(bvn: string): Record<string, unknown> {
  return {
    bvn: Number(bvn),
    firstName: 'Test',
    middleName: 'N/A',
    lastName: 'Person',
    dateOfBirth: '05-Apr-1990',
    phoneNumber1: '08012345678',
    gender: 'Male',
    enrollmentBank: '044',
    watchListed: 'NO',
    base64Image: `data:image/jpeg;base64,${PORTRAITS.igbo.m}`,
  };
}

function company(rcNumber: string, directors: unknown[]): Record<string, unknown> {
  return {
    rc_number: rcNumber,
    company_name: 'TEST COMPANY',
    company_type: 'PRIVATE_COMPANY_LIMITED_BY_SHARES',
    entity_type: 'RC',
    company_status: 'Active',
    company_address: '10 Sample Avenue',
    branchAddress: null,
    state: 'LAGOS',
    city: 'Ikeja',
    lga: null,
    registrationDate: '1986-06-14T00:00:00',
    email_address: 'office@example.com',
    directors,
  };
}

const AFFILIATES = [
  {
    surname: 'One',
    firstname: 'Test',
    gender: 'MALE',
    numSharesAlloted: 1,
    typeOfShares: 'ORDINARY',
    status: 'ACTIVE',
  },
  {
    surname: 'Two',
    firstname: 'Test',
    gender: 'FEMALE',
    numSharesAlloted: '2',
    dateOfAppointment: '2001-02-03',
  },
  { corporationName: 'HOLDINGS LIMITED', rcNumber: 7001, isCorporate: 'true', numSharesAlloted: null },
];

function taxpayer(tin: string): Record<string, unknown> {
  return {
    search: tin,
    taxpayer_name: 'TEST COMPANY',
    cac_reg_number: 'RC092932',
    firstin: tin,
    jittin: 'N/A',
    tax_office: 'MSTO IKEJA',
    phone_number: '2348012345678',
    email: 'office@example.com',
  };
}
