import * as v from 'valibot';
import { isRcNumber } from '../../core/numbers.ts';
import type { RegistryQuery, RegistryRecord, RegistryResult } from '../port.ts';
import type { HttpResult } from '../transport/http-response.ts';
import { LIMIT_MESSAGES, parseWithPictures } from './fields.ts';
import type { CacRecord } from './records/cac.ts';

/** Converts a provider's response to a result. All adapters share these rules. */

export type RegistryFailure = Exclude<RegistryResult, { readonly kind: 'found' }>;

export function failure(kind: RegistryFailure['kind'], detail: string): RegistryFailure {
  return { kind, detail };
}

/**
 * Returns the failure for a request that this provider does not serve, or that lacks something that it requires. Nothing
 * was sent, or the provider looked nothing up, so another provider may be asked.
 */
export function notSent(detail: string): RegistryFailure {
  return { kind: 'failed', detail, excludedFromHealth: true };
}

/**
 * Returns the failure for a request without a usable HTTP response. If the result is `invalid`, some bytes arrived: the
 * provider has done the work, so a second provider could bill the look-up again.
 */
export function transportFailure(
  result: Exclude<HttpResult, { readonly kind: 'response' }>,
): RegistryFailure {
  if (result.kind === 'invalid') return failure('failed', result.detail);
  return { ...failure(result.kind, result.detail), maybeBilled: result.sent };
}

const SUBJECT =
  '(?:v?nin|bvn|tin|tax id|rc[ _]?number|company|business|entity|account|identity|person|customer|taxpayer|record|data|details)s?';
const NO_RECORD = new RegExp(
  [
    `\\b${SUBJECT}\\b[^.]{0,30}\\b(?:not found|(?:does not|doesn't|not) exist)\\b`,
    `\\bno (?:such |matching )?${SUBJECT}\\b`,
    `\\bwrong ${SUBJECT} input(?:t?ed)\\b`,
    '\\bcould not (?:resolve|find) (?:this |the )?account\\b',
  ].join('|'),
  'i',
);
/** What else may be missing: an address, a product or our account at the provider. */
const NOT_A_RECORD = /\b(?:route|url|endpoint|path|cannot|app|application|service|merchant|key)\b/i;
/** Our account is rejected, or has no funds. Nothing was looked up. */
const ACCOUNT_STATUSES = [401, 402, 403, 429];

/**
 * Returns `not-found` if a provider's message says that the registry has no such number. Providers send such messages
 * with different statuses: Dojah's are 400 and 404.
 */
export function noRecord(status: number, message: string): RegistryFailure | undefined {
  const isMissing = NO_RECORD.test(message) && !NOT_A_RECORD.test(message);
  return isMissing && !ACCOUNT_STATUSES.includes(status) ? failure('not-found', `http-${status}`) : undefined;
}

/** The detail of a complete response without a record: of a provider that compares names, they may differ. */
export const WITHOUT_RECORD = 'no-record';

/** The detail of a look-up at a provider that does not serve the account's bank. */
export const BANK_NOT_SERVED = 'bank-not-served';
const UNKNOWN_BANK =
  /\b(?:unknown|invalid|unsupported) bank\b|\bbank (?:code )?(?:is )?not (?:found|supported)\b/i;

/** Returns a failure that permits another provider if a provider's message says that it does not serve the bank. */
export function unknownBank(message: string): RegistryFailure | undefined {
  return UNKNOWN_BANK.test(message) ? notSent(BANK_NOT_SERVED) : undefined;
}

/** Returns the failure for an HTTP status that has no special meaning for the adapter. */
export function statusFailure(status: number): RegistryFailure {
  return outage(status) ?? failure('failed', `http-${status}`);
}

/**
 * Returns the failure for a status that has the same meaning for every provider: the source is down, busy or too slow,
 * or our account is rejected or has no funds. In the latter cases, no look-up was made.
 */
export function outage(status: number): RegistryFailure | undefined {
  if (status === 503) return failure('unreachable', 'http-503');
  if ([500, 502, 424].includes(status))
    return { ...failure('unreachable', `http-${status}`), maybeBilled: true };
  if (status === 504 || status === 408) return { ...failure('timeout', `http-${status}`), maybeBilled: true };
  if (status === 429) return failure('unreachable', 'rate-limited');
  if (status === 401 || status === 403) return failure('unreachable', 'credentials-refused');
  if (status === 402) return failure('unreachable', 'provider-funds');
  return undefined;
}

/**
 * Parses a response body with a schema and passes the output to `use`. If the body is JSON but does not match the
 * schema, the detail of the failure is the exceeded limit or `unexpected-shape`, with the path of the field in the
 * schema but never its value.
 */
export function readResult<S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  use: (value: v.InferOutput<S>) => RegistryResult,
): RegistryResult {
  const { parsed, pictureProblem } = parseWithPictures(schema, json);
  if (parsed.success) {
    const result = use(parsed.output);
    return result.kind === 'found' && pictureProblem ? { ...result, pictureProblem } : result;
  }
  return failure('failed', json === undefined ? 'not-json' : issueDetail(parsed.issues[0]));
}

/**
 * A field with alternatives, such as a string or an object, has one issue, which contains the issues of each
 * alternative.
 */
function issueDetail(issue: v.BaseIssue<unknown>): string {
  const limit = [issue, ...(issue.issues ?? [])].find(({ message }) => LIMIT_MESSAGES.has(message));
  return `${limit?.message ?? 'unexpected-shape'}:${v.getDotPath(issue) ?? ''}`;
}

/**
 * Returns the record if it has a name and the query's number. Otherwise, returns a failure (contract D7).
 * `numberInResponse` is the number as the provider wrote it. If a provider documents no such field, its adapter passes
 * the query's number and explains why. Companies have their own rule, `entityFoundOrFailed`, which also compares the
 * type.
 */
export function foundOrFailed(
  query: RegistryQuery,
  numberInResponse: string,
  record: Exclude<RegistryRecord, CacRecord>,
  warning?: string,
): RegistryResult {
  if (!isSameNumber(query.number, numberInResponse)) return failure('failed', 'other-number');
  if (!hasName(record)) return failure('failed', 'empty-record');
  return { kind: 'found', record, ...(warning && { warning }) };
}

/**
 * Whether two numbers are equal without hyphens and leading zeros. Leading zeros are lost if a provider sends integers.
 * Numbers of the same length never differ only in leading zeros. All NINs have the same length, as do all BVNs and all
 * account numbers. TINs have several lengths. Letters must be equal, but those of an RC number may be absent.
 */
export function isSameNumber(number: string, numberInResponse: string): boolean {
  const isRc = isRcNumber(number);
  if (!isRc && /[A-Z]/.test(number)) return numberInResponse.replace(/[ /-]/g, '').toUpperCase() === number;
  const digits = isRc ? numberInResponse.replace(/^RC[ :./-]*/i, '') : numberInResponse;
  return /^[0-9][0-9-]*$/.test(digits) && significantDigits(digits) === significantDigits(number);
}

export function significantDigits(number: string): string {
  return number.replace(/[^0-9]/g, '').replace(/^0+/, '');
}

function hasName(record: Exclude<RegistryRecord, CacRecord>): boolean {
  if ('firstname' in record) return record.firstname !== '' || record.lastname !== '';
  return 'account_name' in record ? record.account_name !== '' : record.name !== '';
}
