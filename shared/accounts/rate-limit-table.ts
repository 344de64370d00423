import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Row, type RowUpdate, updateRow } from '../core/database.ts';
import { limiterKey, organisationLimiterKey, type WalletId } from '../core/keys.ts';
import type { LimiterRows } from './account-table.ts';
import { type CompletedLookUps, UnreportedLookUps } from './completed-look-ups.ts';
import { MISS_LIMIT, ORGANISATION_MISS_LIMIT } from './guess-limit.ts';
import { isNewNetwork } from './key-usage.ts';
import {
  type LimitedRequest,
  type LimiterDecision,
  missUpdate,
  rejection,
  requestUpdate,
  tatOf,
} from './limiter-row.ts';
import type { RateLimit } from './organisation.ts';
import { describe, isWithin } from './rate-limit.ts';

/** A look-up that the guess limit has counted as in progress. */
interface StartedLookUp {
  readonly keyHash: string;
  readonly startedAtMs: number;
}

interface Miss extends StartedLookUp {
  readonly wallet: WalletId;
  /** The rows as the request has read them. */
  readonly rows: LimiterRows;
}

/** The rate limiter's rows in ApiKeys: one for each key, and one for each organisation and environment. */
export type RateLimitTable = ReturnType<typeof rateLimitTable>;

/** If ten concurrent requests each need the row unchanged, the last one needs ten attempts. */
const MAX_ATTEMPTS = 10;

interface Key {
  readonly pk: string;
  readonly sk: string;
}

export function rateLimitTable(client: DynamoDBDocumentClient, tableName: string) {
  const unreported = new UnreportedLookUps();

  const send = (key: Key, update: RowUpdate) => updateRow(client, tableName, key, update);

  /** Counts a miss in one row. Its earlier misses decide which of two updates applies. */
  async function addMiss(key: Key, limit: RateLimit, read: Row, nowMs: number, startedAtMs?: number) {
    let row = read;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const result = await send(key, missUpdate(row, limit, nowMs, startedAtMs));
      if (result.isApplied) return;
      row = result.row;
    }
    throw new Error('The miss was not counted, because other misses changed the row each time.');
  }

  /** Tries up to ten times to count a request, until it is counted or rejected. */
  async function count(request: LimitedRequest, completed: CompletedLookUps, readNowMs: () => number) {
    const { keyHash, rate, network } = request;
    let { row } = request;
    let nowMs = readNowMs();
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const rejected = rejection(request, row, completed, nowMs);
      if (rejected) return rejected;
      const result = await send(limiterKey(keyHash), requestUpdate(request, row, completed, nowMs));
      const newNetwork = isNewNetwork(row, network) ? network : undefined;
      row = result.row;
      if (result.isApplied)
        return { ...describe(true, tatOf(row), nowMs, rate), countedAtMs: nowMs, newNetwork };
      // Concurrent requests move the stored time ahead, by at most the burst. If it is further ahead, this call was
      // delayed, and its first reading of the clock is too old.
      if (!isWithin(tatOf(row), nowMs, rate)) nowMs = readNowMs();
    }
    return describe(false, tatOf(row), nowMs, rate);
  }

  return {
    /**
     * Counts one request. At most one write succeeds. During a flood, the row that was already read suffices to reject
     * the request, without a call. If the write fails because the first clock reading is too old, the clock is read
     * again, so that a delayed call is not mistaken for a flood.
     */
    async take(request: LimitedRequest, readNowMs: () => number): Promise<LimiterDecision> {
      const completed = unreported.take(request.keyHash);
      let decision: LimiterDecision | undefined;
      try {
        decision = await count(request, completed, readNowMs);
        return decision;
      } finally {
        if (!decision?.allowed) unreported.add(request.keyHash, completed);
      }
    },
    /** Ends a look-up that was not a miss. Its end is written with the key's next request on this instance. */
    complete({ keyHash, startedAtMs }: StartedLookUp, isFound: boolean) {
      unreported.add(keyHash, { startedAtMs: [startedAtMs], found: isFound ? 1 : 0 });
    },
    /** Ends a look-up without a record and counts it for its key and its organisation. */
    async recordMiss({ keyHash, startedAtMs, wallet, rows }: Miss, nowMs: number) {
      await Promise.all([
        addMiss(limiterKey(keyHash), MISS_LIMIT, rows.key, nowMs, startedAtMs),
        addMiss(organisationLimiterKey(wallet), ORGANISATION_MISS_LIMIT, rows.organisation, nowMs),
      ]);
    },
  };
}
