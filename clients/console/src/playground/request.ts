import type { IdType } from '../../../../shared/core/id-types.ts';
import { numberFormat } from '../../../../shared/core/numbers.ts';
import { withEnding } from '../../../../shared/registries/sandbox/protocol.ts';
import type { TestRequestBody } from '../../../../shared/verifications/console/bodies.ts';

export interface TestInput {
  readonly service: TestRequestBody['service'];
  readonly number: string;
  /** For the unified gateway only. */
  readonly id_type: 'NIN' | 'BVN' | 'CAC';
  readonly level: 'basic' | 'advanced';
  readonly method: 'identity' | 'biometric';
  readonly slip_type: 'regular' | 'improved' | 'premium';
  readonly company_type: string;
  readonly bank_code: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly birthdate: string;
  readonly phone: string;
  readonly match_only: boolean;
  readonly consent: string;
  readonly reason: string;
  readonly reference: string;
}

export const GATEWAY = 'verify-identity';
export const SLIP = 'nin-slip';
export const FOUND = '0001';

export const CHOICES = {
  service: {
    'nin-basic': 'NIN Basic',
    'nin-premium': 'NIN Premium',
    'nin-slip': 'NIN slip (PDF)',
    'bvn-basic': 'BVN Basic',
    'bvn-premium': 'BVN Premium',
    'cac-basic': 'CAC Basic',
    'cac-premium': 'CAC Premium',
    'tin-basic': 'TIN',
    'nuban-basic': 'NUBAN',
    'verify-identity': 'Unified gateway',
  } satisfies Readonly<Record<TestInput['service'], string>>,
  id_type: { NIN: 'NIN', BVN: 'BVN', CAC: 'CAC' },
  level: { basic: 'Basic', advanced: 'Advanced' },
  method: { identity: 'Identity', biometric: 'Biometric: needs a photo' },
  slip_type: { regular: 'Regular', improved: 'Improved', premium: 'Premium' },
};

/** By the last four digits. Keys that begin with a zero stay in this order. */
export const ENDINGS: Readonly<Record<string, string>> = {
  '0001': 'Found',
  '0404': 'Not found',
  '0400': 'Registry error',
  '0503': 'Registry unavailable',
  '0504': 'Registry timeout, 20 s',
  '0500': 'Internal error',
  '0299': 'Found after 3 s',
  '0206': 'Found without a photo',
  '0301': 'Names with tone marks',
  '0302': 'Swapped names',
  '0303': 'Married name',
  '0304': 'Initials only',
  '0305': 'Swapped date of birth',
};

/** Returns the first input, or one like a request that the address describes (`sameRequest`). */
export function firstInput({
  service: asked = '',
  ending = '',
}: Readonly<Record<string, string>> = {}): TestInput {
  const service = Object.hasOwn(CHOICES.service, asked) ? (asked as TestInput['service']) : 'nin-basic';
  const number = exampleOf(
    typeOf({ service, id_type: 'NIN' }),
    Object.hasOwn(ENDINGS, ending) ? ending : FOUND,
  );
  return { ...EMPTY, service, number };
}

const EMPTY: Omit<TestInput, 'service' | 'number'> = {
  id_type: 'NIN',
  level: 'basic',
  method: 'identity',
  slip_type: 'regular',
  company_type: '',
  bank_code: '',
  firstname: '',
  lastname: '',
  birthdate: '',
  phone: '',
  match_only: false,
  consent: '',
  reason: '',
  reference: '',
};

export function typeOf({ service, id_type }: Pick<TestInput, 'service' | 'id_type'>): IdType {
  return service === GATEWAY ? id_type : (service.slice(0, service.indexOf('-')).toUpperCase() as IdType);
}

/** Whether a request looks up a person, whose details can be compared. */
export const isOfPerson = (input: TestInput) => ['NIN', 'BVN'].includes(typeOf(input));

export function exampleOf(idType: IdType, ending: string): string {
  return withEnding(numberFormat(idType).example, ending);
}

export function bodyOf(input: TestInput): Readonly<Record<string, unknown>> {
  const { service, number, id_type, level, method, slip_type, company_type, bank_code } = input;
  const { consent, reason, reference } = input;
  const type = typeOf(input);
  const texts = { ...matchOf(input), ...given({ consent, reason, reference }) };
  const company = type === 'CAC' ? given({ company_type }) : {};
  if (service === GATEWAY) {
    const params = { id_number: number, ...company };
    return { country: 'NG', id_type, level, ...(method !== 'identity' && { method }), params, ...texts };
  }
  if (service === SLIP) return { nin: number, slip_type, ...texts };
  return { id_number: number, ...company, ...(type === 'NUBAN' && given({ bank_code })), ...texts };
}

function matchOf(input: TestInput): Readonly<Record<string, unknown>> {
  if (!isOfPerson(input)) return {};
  const { service, firstname, lastname, birthdate, phone, match_only } = input;
  const match = given({ firstname, lastname, birthdate, phone });
  return {
    ...(Object.keys(match)[0] && { match }),
    ...(match_only && service !== SLIP && { match_only }),
  };
}

const given = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
