import type { Failure } from './errors.ts';
import type { CompanyType, IdType, PremiumIdType, SlipType } from './records.ts';
import type { Json, Success } from './responses.ts';

/** A response is foreign if the other side of the connection sent one too many. */

const NUMBER_FIELDS: Readonly<Record<IdType, string>> = {
  NIN: 'nin',
  BVN: 'bvn',
  CAC: 'rcNumber',
  TIN: 'tin',
  NUBAN: 'account_number',
};
/** Every Premium record has it, and no Basic record. */
const PREMIUM_FIELDS: Readonly<Record<PremiumIdType, string>> = {
  NIN: 'tracking_id',
  BVN: 'watch_listed',
  CAC: 'affiliatesData',
};

/** The API repeats the request's Idempotency-Key. Errors of a gateway or a proxy have none. */
export function isForeign({ headers }: Response, sent: Readonly<Record<string, string>>): boolean {
  const key = sent['Idempotency-Key'];
  const found = headers.get('Idempotency-Key');
  // A proxy may send the header twice.
  return found !== null && found !== key && found !== `${key}, ${key}`;
}

/** A proxy may have removed the key. */
export const hasKey = ({ headers }: Response): boolean => headers.has('Idempotency-Key');

/** Contains nothing of the response. */
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
   * Without the key, it cannot be told from the response to a similar request, because the record lacks what was asked
   * for.
   */
  readonly needsKey: boolean;
}

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

/** Without a name, its key decides. */
export function isSlipOf(response: Response, nin: string, slipType: SlipType, needsKey: boolean): boolean {
  const isNamed = hasFileName(response, `${slipType}_${nin.replace(/\D/g, '')}_slip.pdf`);
  return hasKey(response) ? isNamed !== false : isNamed === true && !needsKey;
}

/** Undefined without a name. */
export function hasFileName({ headers }: Response, name: string): boolean | undefined {
  return headers
    .get('Content-Disposition')
    ?.split(/[\s"';=]+/)
    .includes(name);
}

/** `filters` are fields that each row must have. `rows` is undefined if the list is missing. */
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

/** In capitals, without separators. */
const plain = (number: string): string => number.toUpperCase().replace(/\W/g, '');
