import { type Failure, IdentityError } from './errors.ts';
import type { CompanyType, IdType, SlipType } from './records.ts';

/** Before any request. Messages never contain an identity number or a key. */

export const PREMIUM_ID_TYPES: readonly IdType[] = ['NIN', 'BVN', 'CAC'];
export const COMPANY_TYPES: readonly CompanyType[] = ['RC', 'BN', 'IT', 'LP', 'LLP'];
export const SLIP_TYPES: readonly SlipType[] = ['regular', 'improved', 'premium'];

const digits = (count: number): string => `[0-9](?:[ -]?[0-9]){${count - 1}}`;

/** Permits white space around the number: ASCII, and the no-break spaces that copied text contains. */
function spaced(pattern: string): RegExp {
  const space = String.raw`[\t-\r \xa0\u202f\ufeff]*`;
  return new RegExp(`^${space}${pattern}${space}$`);
}

/** As in the API document; a test compares them. */
export const NUMBER_FORMATS: Readonly<Record<IdType, readonly [pattern: RegExp, description: string]>> = {
  NIN: [spaced(`(?:${digits(11)}|[A-Za-z][A-Za-z0-9]{15})`), 'exactly 11 digits, or a virtual NIN'],
  BVN: [spaced(digits(11)), 'exactly 11 digits'],
  CAC: [
    spaced('(?:(?:[Rr][Cc]|[Bb][Nn]|[Ii][Tt]|[Ll][Pp]|[Ll][Ll][Pp])[ -]?)?[0-9]{1,8}'),
    'RC, BN, IT, LP or LLP followed by 1 to 8 digits, or digits with companyType',
  ],
  TIN: [
    spaced('(?:[0-9]{8}-?[0-9]{4}|[0-9]{10,11}|[0-9]{13}|[Rr][Cc][ -]?[0-9]{1,8})'),
    '12 digits (a hyphen may follow the eighth), 10 or 13 digits, a NIN or an RC number',
  ],
  NUBAN: [spaced(digits(10)), 'exactly 10 digits'],
};
export const ID_TYPES = Object.keys(NUMBER_FORMATS) as readonly IdType[];

export function checkOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string))
    throw new TypeError(`${name} must be one of ${allowed.join(', ')}.`);
}

/** If a misspelt `matchOnly` were ignored, the call would return the record. */
export function checkOptions(options: object, ...known: readonly string[]): void {
  const unknown = Object.entries(options).find(
    ([name, value]) => value !== undefined && !known.includes(name),
  );
  if (!unknown) return;
  const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
  const meant = known.find((name) => plain(name) === plain(unknown[0]));
  const hint = meant ? `Did you mean "${meant}"?` : `Known options: ${known.join(', ')}.`;
  throw new TypeError(`Unknown option "${unknown[0]}". ${hint}`);
}

export function checkNumber(idType: IdType, idNumber: unknown, companyType?: CompanyType): void {
  const [pattern, description] = NUMBER_FORMATS[idType];
  const name = idType === 'CAC' ? 'CAC number' : idType;
  if (typeof idNumber !== 'string')
    throw new TypeError(`The ${name} must be a string: a number loses leading zeros.`);
  if (companyType !== undefined) {
    if (idType !== 'CAC') throw new TypeError('companyType is available for CAC only.');
    checkOneOf('companyType', companyType, COMPANY_TYPES);
  }
  const type = idNumber.toUpperCase().replace(/[^A-Z]/g, '');
  const lacksType = idType === 'CAC' && type === '' && companyType === undefined;
  if (lacksType || !pattern.test(idNumber)) throw malformedNumber(`The ${name} must be ${description}.`);
  if (companyType !== undefined && type !== '' && type !== companyType)
    throw malformedNumber('The CAC number and companyType name different types.');
}

export function checkBankCode(idType: IdType, bankCode: string | undefined): void {
  if (bankCode !== undefined && idType !== 'NUBAN')
    throw new TypeError('bankCode is available for NUBAN only.');
}

/** Numbers come from people, so a malformed one is no error of the program. */
const malformedNumber = (message: string) =>
  notSent({ kind: 'validation', message, reason: 'wrong_format', field: 'id_number' });

const wrongKey = (message: string, reason: string) =>
  notSent({ kind: 'authentication', message, reason, field: 'Authorization' });

function notSent(failure: Pick<Failure, 'kind' | 'message' | 'reason' | 'field'>): IdentityError {
  return new IdentityError(
    { ...failure, retryable: false, charged: false, mostRetries: 0 },
    false,
    undefined,
  );
}

/** Whether `verify` would send the number. Only the registry knows whether it exists. */
const isValid = (idType: IdType, number: unknown, companyType?: CompanyType): boolean => {
  try {
    checkNumber(idType, number, companyType);
    return true;
  } catch {
    return false;
  }
};
export const isValidNin = (number: unknown): boolean => isValid('NIN', number);
export const isValidBvn = (number: unknown): boolean => isValid('BVN', number);
export const isValidTin = (number: unknown): boolean => isValid('TIN', number);
export const isValidNuban = (number: unknown): boolean => isValid('NUBAN', number);
/** A number without letters needs `companyType`. */
export const isValidCac = (number: unknown, companyType?: CompanyType): boolean =>
  isValid('CAC', number, companyType);

export function checkIdempotencyKey(key: unknown): void {
  // HTTP removes spaces at both ends of a header value.
  if (typeof key !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{6,253}[\x21-\x7e]$/.test(key))
    throw new TypeError(
      'idempotencyKey must have 8 to 255 printable ASCII characters, and no space at either end.',
    );
}

export function checkRequestId(requestId: unknown): void {
  if (typeof requestId !== 'string' || !/^req_[0-9a-f]{12}$/.test(requestId))
    throw new TypeError('A request ID must be req_ followed by 12 characters from 0-9 and a-f.');
}

/** It could lead to a different path. */
export function checkPathPart(name: string, value: unknown): void {
  if (typeof value !== 'string' || !/^[A-Za-z0-9][\w.:-]*$/.test(value))
    throw new TypeError(`${name} must consist of letters, digits and the characters - . _ :`);
}

/** Safe to send in a header. */
export function checkedApiKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || apiKey === '')
    throw wrongKey(
      'No API key: pass apiKey, or set the environment variable NG_IDENTITY_API_KEY.',
      'missing_key',
    );
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw wrongKey(
      'The API key contains a space, a line break or another invalid character.',
      'malformed_key',
    );
  return apiKey;
}

/** Https, or http to this machine, without a trailing slash. */
export function checkedBaseUrl(baseUrl: string | undefined): string {
  if (!baseUrl)
    throw new TypeError('No base URL: pass baseUrl, or set the environment variable NG_IDENTITY_BASE_URL.');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TypeError('baseUrl must look like https://api.example.com.');
  }
  const { protocol, hostname, username, password, search, hash } = url;
  if (username || password || search || hash)
    throw new TypeError('baseUrl must have no user, password, query or fragment.');
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback))
    throw new TypeError('baseUrl must start with https://, because http would send the API key unencrypted.');
  // The paths of the API begin with /api/v1.
  return url.origin + url.pathname.replace(/(?:\/api)?(?:\/v1)?\/*$/, '');
}

export function checkedNumber(name: string, value: number, smallest: number, largest: number): number {
  if (typeof value !== 'number' || !(value >= smallest && value <= largest))
    throw new TypeError(`${name} must be a number from ${smallest} to ${largest}.`);
  return value;
}

/** For example, each call needs its own Idempotency-Key. */
const OWN_HEADERS = /^(accept|authorization|content-type|idempotency-key|user-agent)$/i;

export function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = Object.keys(headers).find((name) => OWN_HEADERS.test(name));
  if (own) throw new TypeError(`The client sets the header ${own} itself.`);
  return headers;
}
