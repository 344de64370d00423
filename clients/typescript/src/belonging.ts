import type { Failure } from './errors.ts';
import type { CompanyType, IdType, PremiumIdType, SlipType } from './records.ts';
import type { Json, Success } from './responses.ts';

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
/** A field that every Premium record has, and no Basic record. */
const PREMIUM_FIELDS: Readonly<Record<PremiumIdType, string>> = {
  NIN: 'tracking_id',
  BVN: 'watch_listed',
  CAC: 'affiliatesData',
};

/**
 * Whether the headers show that a response belongs to a different request. The API repeats the request's
 * Idempotency-Key. Errors of a gateway or a proxy have none.
 */
export function isForeign({ headers }: Response, sent: Readonly<Record<string, string>>): boolean {
  const key = sent['Idempotency-Key'];
  const found = headers.get('Idempotency-Key');
  // A proxy may send the header twice.
  return found !== null && found !== key && found !== `${key}, ${key}`;
}

/** Whether a response, which is not foreign, has the key of its request. A proxy may have removed it. */
export const hasKey = ({ headers }: Response): boolean => headers.has('Idempotency-Key');

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

export interface AskedRecord {
  readonly idType: IdType;
  readonly idNumber: string;
  /** The type of a company whose number has digits only. */
  readonly companyType?: CompanyType | undefined;
  readonly bankCode?: string | undefined;
  readonly isPremium: boolean;
  /**
   * Whether a response without the key cannot be told from one to a similar request, because the record does not
   * contain what was asked for, such as the claimed details.
   */
  readonly needsKey: boolean;
}

/** Whether a successful response contains the record that was asked for. */
export function isRecordOf({ code, data, match }: Success, response: Response, asked: AskedRecord): boolean {
  const { idType, idNumber, companyType = '', bankCode, isPremium, needsKey } = asked;
  const found = data[NUMBER_FIELDS[idType]];
  const letters = /[A-Z]/i.test(idNumber) ? '' : companyType;
  const isRight = plain(`${found}`) === plain(letters + idNumber);
  if (code !== `${idType}_VERIFIED`) return false;
  if (hasKey(response)) return isRight || found === undefined;
  const premiumField = PREMIUM_FIELDS[idType as PremiumIdType];
  const hasLevel = !premiumField || premiumField in data === isPremium;
  // The API may return a different code of the same bank, or have chosen the bank itself.
  const hasBank = idType !== 'NUBAN' || (bankCode !== undefined && bankCode === data['bank_code']);
  return isRight && hasLevel && hasBank && match === undefined && !needsKey;
}

/** Whether the file of a slip has the right name. Without a name, its key decides. */
export function isSlipOf(response: Response, nin: string, slipType: SlipType, needsKey: boolean): boolean {
  const isNamed = hasFileName(response, `${slipType}_${nin.replace(/\D/g, '')}_slip.pdf`);
  return hasKey(response) ? isNamed !== false : isNamed === true && !needsKey;
}

/** Whether a file has this name. Undefined if it has none. */
export function hasFileName({ headers }: Response, name: string): boolean | undefined {
  return headers
    .get('Content-Disposition')
    ?.split(/[\s"';=]+/)
    .includes(name);
}

/**
 * Whether data is the page of a list that a query selects. `filters` are fields that each row must have. `rows` is
 * undefined if the list is missing.
 */
export function isPageOf(data: Json, rows: unknown, query: Json, filters: Json): boolean {
  const { from, to, cursor } = query;
  const at = (time: unknown) => Date.parse(`${time}`);
  return (
    Array.isArray(rows) &&
    rows.every((row) =>
      Object.entries(filters).every(([name, value]) => (value ?? row?.[name]) === row?.[name]),
    ) &&
    (from === undefined || at(from) === at(data['from'])) &&
    // The API replaces an end in the future with the time.
    (to === undefined || at(data['to']) <= at(to)) &&
    // Otherwise, it is the page before.
    (cursor === undefined || cursor !== data['next_cursor'])
  );
}

/** Returns a number in capitals and without separators. */
const plain = (number: string): string => number.toUpperCase().replace(/\W/g, '');
