import * as v from 'valibot';
import type { RegistryQuery, RegistryRecord, RegistryResult } from '../port.ts';
import type { HttpResponse } from '../transport/http-response.ts';

/** What every adapter does alike: classify what is no record, and hand out only a record of the number asked for. */

export type RegistryFailure = Exclude<RegistryResult, { readonly kind: 'found' }>;

export function failure(kind: RegistryFailure['kind'], detail: string): RegistryFailure {
  return { kind, detail };
}

/** The request lacks what this provider demands: nothing is sent, and another provider may be asked. */
export function unasked(detail: string): RegistryFailure {
  return { ...failure('failed', detail), isOurs: true };
}

/** An answer that is not even a response. `invalid` means that something came back: asking elsewhere may bill twice. */
export function noResponse(answer: Exclude<HttpResponse, { readonly kind: 'response' }>): RegistryFailure {
  if (answer.kind === 'invalid') return failure('failed', answer.detail);
  return { ...failure(answer.kind, answer.detail), maybeBilled: answer.sent };
}

/**
 * Statuses that mean the same everywhere: the source is down or busy, or it refuses our account. A refused account
 * is our own outage and not the customer's number: the look-up was not made, so another provider may be asked.
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

/** Parses with a schema at the door. The failure names the first odd field by the schema's own words, not its value. */
export function readResult<S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  use: (value: v.InferOutput<S>) => RegistryResult,
): RegistryResult {
  const parsed = v.safeParse(schema, json, { abortEarly: true });
  if (parsed.success) return use(parsed.output);
  return failure(
    'failed',
    json === undefined ? 'not-json' : `unexpected-shape:${v.getDotPath(parsed.issues[0]) ?? ''}`,
  );
}

/**
 * The record, if it is one of the number that was asked for (decision D7). `carried` is the number as the provider
 * wrote it; a provider whose documented answer has none passes the query's, and says so in its adapter.
 */
export function foundOrFailed(
  query: RegistryQuery,
  carried: string,
  record: RegistryRecord,
  warning?: string,
): RegistryResult {
  if (!isSameNumber(query, carried)) return failure('failed', 'other-number');
  if (!hasName(record)) return failure('failed', 'empty-record');
  return { kind: 'found', record, ...(warning && { warning }) };
}

/** Leading zeros do not tell numbers of one type apart, and get lost where a provider writes integers. */
function isSameNumber(query: RegistryQuery, carried: string): boolean {
  const bare = carried.replace(/^RC[\s/-]*/i, query.idType === 'CAC' ? '' : '$&');
  return /^[0-9][0-9-]*$/.test(bare) && significant(bare) === significant(query.number);
}

function significant(number: string): string {
  return number.replace(/[^0-9]/g, '').replace(/^0+/, '');
}

function hasName(record: RegistryRecord): boolean {
  if ('firstname' in record) return record.firstname !== '' || record.lastname !== '';
  if ('companyName' in record) return record.companyName !== '';
  return 'account_name' in record ? record.account_name !== '' : record.name !== '';
}
