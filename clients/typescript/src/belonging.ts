import type { Failure } from './errors.ts';
import type { CompanyType, IdType } from './records.ts';
import type { Json } from './responses.ts';

/**
 * Whether a response belongs to its request. It is foreign, that is, belongs to a different request, if the other side
 * of the connection sent a response too many.
 */

const NUMBER_FIELDS: Readonly<Record<IdType, string>> = {
  NIN: 'nin',
  BVN: 'bvn',
  CAC: 'rcNumber',
  TIN: 'tin',
  NUBAN: 'account_number',
};

/**
 * Whether the headers show that a response belongs to a different request. The API repeats the request's
 * Idempotency-Key. Errors of a gateway or a proxy have none.
 */
export function isForeign(response: Response, sent: Readonly<Record<string, string>>): boolean {
  const key = response.headers.get('Idempotency-Key');
  return key !== null && key !== sent['Idempotency-Key'];
}

/** Describes an attempt with a foreign response, of which it contains nothing. */
export function foreign(costs: boolean): Failure {
  return {
    kind: 'transport',
    message: 'The response is for a different request.',
    retryable: true,
    charged: costs ? undefined : false,
    mostRetries: Number.POSITIVE_INFINITY,
  };
}

export interface AskedNumber {
  readonly id_number: string;
  /** The type of a company whose number has digits only. */
  readonly company_type: CompanyType | undefined;
}

/** Whether the data of a successful response is the record of this number. */
export function isRecordOf(
  data: Json,
  response: Response,
  idType: IdType,
  { id_number, company_type }: AskedNumber,
): boolean {
  const found = data[NUMBER_FIELDS[idType]];
  // If a proxy removed the header too, nothing shows to which request the response belongs.
  if (found === undefined) return response.headers.has('Idempotency-Key');
  const letters = /[A-Z]/i.test(id_number) ? '' : (company_type ?? '');
  return significant(`${found}`) === significant(letters + id_number);
}

/** Whether the file name of a slip contains this NIN. */
export function isSlipOf(response: Response, nin: string): boolean {
  const name = response.headers.get('Content-Disposition');
  if (name === null) return response.headers.has('Idempotency-Key');
  return name.split(/\D+/).includes(nin.replace(/\D/g, ''));
}

/** Returns a number without separators and leading zeros, which registries omit. */
function significant(number: string): string {
  return number
    .toUpperCase()
    .replace(/\W/g, '')
    .replace(/^([A-Z]*)0+/, '$1');
}
