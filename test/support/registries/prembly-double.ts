import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { type DoubleRequest, type ProviderResponse, startProviderDouble, type TestDouble } from './double.ts';
import { bodyOf, type Json } from './fixtures.ts';

/**
 * A test double for Prembly, with the bodies of its fixtures and its published test numbers. Numbers that start with 9
 * select an error.
 */

export const PREMBLY_KEY = 'test-key';
export const PREMBLY_NUMBERS = {
  NIN: '12345678901',
  olderNIN: '12345678909',
  BVN: '54651333604',
  CAC: 'RC092932',
  /** Not published as a test number. The response is a list that also contains BN7000 and RC7001. */
  listedCAC: 'RC7000',
  TIN: '20304753-0001',
  taxId: '2522520314833',
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

const ERRORS: Readonly<Record<string, ProviderResponse>> = {
  [PREMBLY_ERRORS.notFound]: failed('any.not-found'),
  // The status flag is true in this error and false in the next, so only the code is reliable.
  [PREMBLY_ERRORS.sourceDown]: failed('any.error.1'),
  [PREMBLY_ERRORS.walletEmpty]: failed('any.error.2'),
  [PREMBLY_ERRORS.blocked]: failed('any.error.2', { response_code: '07', message: 'Blocked' }),
  [PREMBLY_ERRORS.undocumented]: failed('any.error.2', { response_code: '42' }),
  [PREMBLY_ERRORS.fieldErrors]: refused(400, { status: false, detail: { number: ['Invalid.'] } }),
  [PREMBLY_ERRORS.forbidden]: refused(403, { detail: 'Forbidden' }),
  [PREMBLY_ERRORS.rateLimited]: refused(429, { detail: 'Throttled' }),
  [PREMBLY_ERRORS.gateway]: refused(502, '<html>Bad gateway</html>'),
};

function refused(status: number, body: unknown): ProviderResponse {
  return { status, body, product: 'any' };
}

function failed(fixture: string, values: Json = {}): ProviderResponse {
  return { status: 200, body: bodyOf(`prembly/${fixture}`, values), product: 'any' };
}

function found(product: string, variant: string, values: Json): ProviderResponse {
  return { status: 200, body: bodyOf(`prembly/${product}.${variant}`, values), product };
}

export function startPrembly(): Promise<TestDouble> {
  return startProviderDouble('prembly', (request) => {
    if (request.headers['x-api-key'] !== PREMBLY_KEY) return refused(401, { detail: 'Invalid key' });
    const { number, number_nin, rc_number, tax_number } = request.json;
    const asked = String(number ?? number_nin ?? rc_number ?? tax_number);
    return ERRORS[asked] ?? respondTo(request, asked) ?? failed('any.not-found');
  });
}

function respondTo({ path, json }: DoubleRequest, number: string): ProviderResponse | undefined {
  const { NIN, olderNIN, BVN, TIN, taxId, NUBAN } = PREMBLY_NUMBERS;
  switch (`${path} ${number}`) {
    case `/verification/vnin-basic ${NIN}`:
    case `/verification/vnin-basic ${olderNIN}`:
      return found('nin-basic', 'found', { nin_data: { photo: PORTRAIT } });
    case `/verification/vnin ${NIN}`:
    case `/verification/vnin ${olderNIN}`:
      return found('nin-advanced', 'found', { nin_data: { nin: number, photo: PORTRAIT, email: '****' } });
    case `/verification/bvn ${BVN}`:
      return found('bvn-advanced', 'found', { data: { bvn: Number(number), middleName: 'N/A' } });
    case `/verification/tin ${TIN}`:
      return json['channel'] === 'TIN' ? found('tin', 'found.1', {}) : undefined;
    case `/verification/ng/business_tax ${taxId}`:
      return found('business-tax', 'found', { data: { tin: number } });
    case `/verification/bank_account/basic ${NUBAN}`:
      return json['bank_code'] === '214' ? found('account', 'found', {}) : undefined;
    default:
      return json['company_type'] === 'RC' ? company(`${path} ${number}`) : undefined;
  }
}

function company(address: string): ProviderResponse | undefined {
  switch (address) {
    case '/verification/cac 092932':
      return found('cac-basic', 'found.1', {});
    case '/verification/cac/advance 092932':
      return found('cac-advanced', 'found.2', { data: { directors: DIRECTORS } });
    case '/verification/cac/advance 7000':
      return found('cac-advanced', 'found.1', {
        data: [
          { rc_number: '7000', entity_type: 'BN', company_name: 'EXAMPLE SHOP' },
          { rc_number: '7001', entity_type: 'RC', company_name: 'EXAMPLE FARM' },
          { rc_number: '7000', entity_type: 'RC', company_name: 'EXAMPLE CLUB' },
        ],
      });
    default:
      return undefined;
  }
}

const PORTRAIT = PORTRAITS.igbo.m.replace(/.{64}/g, '$&\r\n');

const DIRECTORS = [
  { surname: 'ONE', gender: 'MALE', numSharesAlloted: 1, typeOfShares: 'ORDINARY' },
  { surname: 'TWO', gender: 'FEMALE', numSharesAlloted: '2', dateOfAppointment: '2001-02-03' },
  { surname: '', firstname: '', corporationName: 'HOLDINGS LIMITED', rcNumber: 7001, numSharesAlloted: null },
];
