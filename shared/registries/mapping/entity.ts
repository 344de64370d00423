import type { CompanyType } from '../../core/id-types.ts';
import { companyNumber } from '../../core/numbers.ts';
import type { RegistryQuery, RegistryResult } from '../port.ts';
import type { CacRecord } from './records/cac.ts';
import { failure, significantDigits } from './results.ts';

/**
 * The entity in a response, for comparison with the query. RC7000 and BN7000 are different entities, so both the number
 * and the type must be the same (contract D6).
 */
export interface ResponseEntity {
  /** The number as the provider wrote it, with or without the type before it, such as `RC-7000`. */
  readonly number: string;
  readonly types: readonly string[];
  readonly requestNamesType: boolean;
}

const COMPARISONS = ['same', 'untyped', 'other-type', 'other-number'] as const;
type Comparison = (typeof COMPARISONS)[number];

/**
 * Returns the record if it has a name and the query's number and type. The `rcNumber` of `record` must be the query's
 * number, which is canonical.
 */
export function entityFoundOrFailed(
  query: RegistryQuery,
  entity: ResponseEntity,
  record: CacRecord,
): RegistryResult {
  const comparison = compareEntity(query, entity);
  if (comparison === 'untyped' && !entity.requestNamesType) return failure('failed', 'no-type');
  if (comparison === 'other-type' || comparison === 'other-number') return failure('failed', comparison);
  return record.companyName === '' ? failure('failed', 'empty-record') : { kind: 'found', record };
}

/** Returns the entry that best matches the query, wherever it is in the list. Undefined if the list is empty. */
export function closestEntity<E>(
  query: RegistryQuery,
  entries: readonly E[],
  entityOf: (entry: E) => ResponseEntity,
): E | undefined {
  const ranks = entries.map((entry) => COMPARISONS.indexOf(compareEntity(query, entityOf(entry))));
  return entries[ranks.indexOf(Math.min(...ranks))];
}

/** `7000`, `RC-7000`, `RC: 7000`, `RC No. 7000`. */
const NUMBER_WITH_TYPE = /^(?:([A-Z]{2,3})[ :./-]*(?:n(?:o|umber)\b[ :./-]*)?)?([0-9]+)$/i;

function compareEntity(query: RegistryQuery, entity: ResponseEntity): Comparison {
  const wanted = companyNumber(query.number);
  const [, prefix = '', digits = ''] = NUMBER_WITH_TYPE.exec(entity.number) ?? [];
  if (digits === '' || significantDigits(digits) !== significantDigits(wanted.digits)) return 'other-number';
  const types = [prefix, ...entity.types].map(companyTypeIn).filter((type) => type !== undefined);
  if (types.length === 0) return 'untyped';
  return types.every((type) => type === wanted.type) ? 'same' : 'other-type';
}

/**
 * The first match counts, because a description can contain the words of two types: that of a business name, for
 * example, may contain "limited partnership".
 */
const TYPE_PATTERNS: readonly (readonly [RegExp, CompanyType])[] = [
  [/^BN$|^BUSINESS(?: NAME|$)|SOLE PROPRIETOR/, 'BN'],
  [/^IT$|TRUSTEE|TRUSTESS/, 'IT'],
  [/^LLP$|LIMITED LIABILITY PARTNERSHIP/, 'LLP'],
  [/^LP$|^LL$|LIMITED PARTNERSHIP/, 'LP'],
  [/^RC$|COMPANY|^PUBLIC$|^PRIVATE$|^LIMITED(?: LIABILITY)?$|^LTD$|^PLC$/, 'RC'],
];

/**
 * Returns the type that a provider's text names: a code, such as `BN`, or a description, such as `BUSINESS_NAME` or
 * `PRIVATE_COMPANY_LIMITED_BY_SHARES`.
 */
export function companyTypeIn(text: string): CompanyType | undefined {
  const words = text
    .toUpperCase()
    .replace(/[^A-Z]+/g, ' ')
    .trim();
  return TYPE_PATTERNS.find(([pattern]) => pattern.test(words))?.[1];
}
