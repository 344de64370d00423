import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_SECONDS, MINUTE_MS } from '../core/clock.ts';
import { type Row, wasApplied } from '../core/database.ts';
import type { Environment } from '../core/environment.ts';
import { CATALOGUE, type ErrorCode, type ErrorDetails } from '../core/errors.ts';
import { change, changeTo, type Expression, query, sendWrite, update, where } from '../core/expressions.ts';
import { rejectedRequestsKey, rejectedRequestsPk, rejectedRequestsSk, type WalletId } from '../core/keys.ts';
import type { Sorted } from '../core/merge-sorted.ts';
import type { ApiKey } from './api-key.ts';

/** A request that was rejected after its API key was recognised, and before any credit was reserved (contract E6). */
export interface RejectedRequest {
  readonly wallet: WalletId;
  readonly key: Pick<ApiKey, 'hash' | 'label'>;
  readonly code: ErrorCode;
  readonly details?: Pick<ErrorDetails, 'reason' | 'field'> | undefined;
  readonly requestId: string;
  readonly route: string;
  /** Epoch milliseconds. */
  readonly requestedAtMs: number;
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(CATALOGUE, code);
}

export const rejectedRow = v.object({
  sk: v.string(),
  rejected: v.number(),
  errorCode: v.string(),
  keyLabel: v.string(),
  requestId: v.string(),
  route: v.string(),
  /** The reason of the error with this request ID, and the documented field that it names. */
  errorReason: v.optional(v.string()),
  errorField: v.optional(v.string()),
  /** Epoch seconds; checked on read, because deletion can lag by two days. */
  expiresAt: v.number(),
});

/** The requests that were rejected with one key and one code in a minute, with the ID and the route of one of them. */
export interface RejectedRequests
  extends Sorted,
    Omit<v.InferOutput<typeof rejectedRow>, 'sk' | 'expiresAt'> {
  readonly kind: 'rejected';
  readonly errorCode: ErrorCode;
  /** ISO time of the start of the minute. */
  readonly minute: string;
}

/** Parses a row. Returns undefined if it has expired or its code is not known. */
export function readRejectedRow(item: Row, env: Environment, nowMs: number): RejectedRequests | undefined {
  const { sk, expiresAt, errorCode, ...row } = v.parse(rejectedRow, item);
  // A newer version, which was then rolled back, may have written a code that this one does not know.
  if (expiresAt * 1000 <= nowMs || !isKnown(errorCode)) return undefined;
  const sort = sk.slice(rejectedRequestsSk(env, '').length);
  return { kind: 'rejected', sort, minute: sort.slice(0, 24), errorCode, ...row };
}

/** Returns the key condition of the rows of a day in a range of sort keys, both ends included. */
export function rejectedBetween(
  { env, organisationId }: WalletId,
  day: string,
  { from, before }: { readonly from: string; readonly before: string },
): Expression {
  const [first, last] = [rejectedRequestsSk(env, from), rejectedRequestsSk(env, before)];
  return where`pk = ${rejectedRequestsPk(organisationId, day)} AND sk BETWEEN ${first} AND ${last}`;
}

export const REJECTED_REQUEST_DAYS = 7;
/** After this time, unwritten requests are not added to the next write of this instance. */
const CARRIED_MS = 10 * MINUTE_MS;
const MAX_COUNTERS = 1000;
const MAX_COUNT = 1_000_000;
/** Enough of a key's hash to tell the keys of an organisation apart. */
const HASH_CHARACTERS = 12;
const PAGE_ROWS = 100;

/** Returns the field if its name is a documented one. Any other name is text of the caller, which may be a person's. */
function storedField(details: RejectedRequest['details']): string | undefined {
  const { reason, field } = details ?? {};
  return reason === 'unknown_field' || reason === 'duplicate_field' ? undefined : field || undefined;
}

/** Counts and lists rejected requests in ApiKeys: `REJECTED#<org>#<day>` / `<env>#<minute>#<code>#<key>`. */
export type RejectedRequestTable = ReturnType<typeof rejectedRequestTable>;

export function rejectedRequestTable(client: DynamoDBDocumentClient, TableName: string) {
  /** By key and code: the minute of the last write of this instance, and the requests since then. */
  const counters = new Map<string, { readonly minuteMs: number; unwritten: number }>();

  /** Counts a request. Returns how many to write now; 0 if this instance has already written in this minute. */
  function count(name: string, minuteMs: number): number {
    const counter = counters.get(name);
    if (counter && minuteMs <= counter.minuteMs) {
      counter.unwritten += 1;
      return 0;
    }
    const isRecent = counter && minuteMs - counter.minuteMs <= CARRIED_MS;
    if (counters.size >= MAX_COUNTERS) counters.clear();
    counters.set(name, { minuteMs, unwritten: 0 });
    return 1 + (isRecent ? counter.unwritten : 0);
  }

  return {
    /**
     * Counts one request. An instance normally writes once for each key, code and minute, so that a flood of rejected
     * requests causes few writes. Requests after the first of a minute are added to the next write for the key and
     * code, if there is one within ten minutes.
     */
    async record({ wallet, key, code, details, requestId, route, requestedAtMs }: RejectedRequest) {
      const minuteMs = Math.floor(requestedAtMs / MINUTE_MS) * MINUTE_MS;
      const rejected = count(`${key.hash} ${code}`, minuteMs);
      if (rejected === 0) return;
      const minute = new Date(minuteMs).toISOString();
      const expiresAt = Math.floor(minuteMs / 1000) + REJECTED_REQUEST_DAYS * DAY_SECONDS;
      const example = { requestId, route, errorReason: details?.reason, errorField: storedField(details) };
      const write = update(
        TableName,
        rejectedRequestsKey(wallet, minute, code, key.hash.slice(0, HASH_CHARACTERS)),
        change`${changeTo({ errorCode: code, keyLabel: key.label, ...example, expiresAt })} ADD rejected ${rejected}`,
        where`attribute_not_exists(rejected) OR rejected < ${MAX_COUNT}`,
      );
      await wasApplied(sendWrite(client, write));
    },
    /** Yields the rows of a day (`yyyy-mm-dd`, UTC), newest first. Eventually consistent. Only `from` is inclusive. */
    async *ofDay(
      { env, organisationId }: WalletId,
      day: string,
      { from, before }: { readonly from: string; readonly before: string },
      nowMs: number,
    ): AsyncGenerator<RejectedRequests> {
      const keys = rejectedBetween({ env, organisationId }, day, { from, before });
      const input = query(TableName, keys, { ConsistentRead: false, ScanIndexForward: false });
      for await (const page of paginateQuery({ client, pageSize: PAGE_ROWS }, input))
        for (const item of page.Items ?? []) {
          const row = readRejectedRow(item, env, nowMs);
          if (row && row.sort < before) yield row;
        }
    },
  };
}
