import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Row, type RowUpdate, updateRow } from '../core/database.ts';
import {
  limiterKey,
  numberLimiterKey,
  organisationLimiterKey,
  type RowKey,
  type WalletId,
} from '../core/keys.ts';
import type { LimiterRows } from './account-table.ts';
import { expiringLimiterTable } from './expiring-limiter-table.ts';
import {
  foundUpdate,
  giveBackUpdate,
  MISS_LIMIT,
  missUpdate,
  NUMBER_MISS_LIMIT,
  ORGANISATION_MISS_LIMIT,
  takesBack,
} from './guess-limit.ts';
import { changesNetworks, DAILY_MISSES, isNewNetwork } from './key-usage.ts';
import { type LimitedRequest, type LimiterDecision, rejection, requestUpdate } from './limiter-row.ts';
import type { RateLimit } from './organisation.ts';
import { describe, isWithin, tatOf } from './rate-limit.ts';
import { attributeAt } from './windowed-counter.ts';

interface EndedLookUp {
  readonly keyHash: string;
  readonly wallet: WalletId;
  readonly rows: LimiterRows;
}

/** The rate limiter's rows in ApiKeys: one for each key, and one for each organisation and environment. */
export type RateLimitTable = ReturnType<typeof rateLimitTable>;

/** If ten concurrent requests each need the row unchanged, the last one needs ten attempts. */
const MAX_ATTEMPTS = 10;

export function rateLimitTable(client: DynamoDBDocumentClient, tableName: string) {
  const numbers = expiringLimiterTable(client, tableName);
  /** Counts a miss in one row. Its earlier misses decide which of two updates applies. */
  async function addMiss(key: RowKey, read: Row, updateOf: (row: Row) => RowUpdate) {
    let row = read;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const result = await updateRow(client, tableName, key, updateOf(row));
      if (result.isApplied) return;
      row = result.row;
    }
    throw new Error('The miss was not counted, because other misses changed the row each time.');
  }

  async function takeBack(key: RowKey, limit: RateLimit, read: Row, nowMs: number) {
    if (takesBack(read, limit, nowMs)) await updateRow(client, tableName, key, foundUpdate(limit, nowMs));
  }

  return {
    /**
     * Counts one request. At most one write succeeds. During a flood, the row that was already read suffices to reject
     * the request, without a call. If the write fails because the first clock reading is too old, the clock is read
     * again, so that a delayed call is not mistaken for a flood.
     */
    async take(request: LimitedRequest, readNowMs: () => number): Promise<LimiterDecision> {
      const { keyHash, rate, network } = request;
      let row = request.rows.key;
      let nowMs = readNowMs();
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const rejected = rejection(request, row, nowMs);
        if (rejected) return rejected;
        const update = requestUpdate(request, row, nowMs);
        const result = await updateRow(client, tableName, limiterKey(keyHash), update);
        const use = {
          newNetwork: isNewNetwork(row, network) ? network : undefined,
          changesNetworks: changesNetworks(row, nowMs),
        };
        row = result.row;
        if (result.isApplied) return { ...describe(true, tatOf(row), nowMs, rate), ...use };
        // Concurrent requests move the stored time ahead, by at most the burst. If it is further ahead, this call was
        // delayed, and its first reading of the clock is too old.
        if (!isWithin(tatOf(row), nowMs, rate)) nowMs = readNowMs();
      }
      return describe(false, tatOf(row), nowMs, rate);
    },
    async recordMiss({ keyHash, wallet, rows }: EndedLookUp, nowMs: number) {
      const today = attributeAt(DAILY_MISSES, nowMs);
      await Promise.all([
        addMiss(limiterKey(keyHash), rows.key, (row) => missUpdate(row, MISS_LIMIT, nowMs, today)),
        addMiss(organisationLimiterKey(wallet), rows.organisation, (row) =>
          missUpdate(row, ORGANISATION_MISS_LIMIT, nowMs),
        ),
      ]);
    },
    /** Counts a look-up that may have wrong details. At first, its row is usually absent, so one write suffices. */
    takeGuess: (wallet: WalletId, numberTag: string, nowMs: number) =>
      numbers.take(numberLimiterKey(wallet, numberTag), {}, nowMs, NUMBER_MISS_LIMIT),
    /** Gives back one that was not a guess. A row that has expired in the meantime has nothing to give back. */
    async giveBackGuess(wallet: WalletId, numberTag: string, nowMs: number) {
      await updateRow(client, tableName, numberLimiterKey(wallet, numberTag), giveBackUpdate(nowMs));
    },
    /** Takes back misses of the key and its organisation for a record found. Usually, this makes no call. */
    async recordFound({ keyHash, wallet, rows }: EndedLookUp, nowMs: number) {
      await Promise.all([
        takeBack(limiterKey(keyHash), MISS_LIMIT, rows.key, nowMs),
        takeBack(organisationLimiterKey(wallet), ORGANISATION_MISS_LIMIT, rows.organisation, nowMs),
      ]);
    },
  };
}
