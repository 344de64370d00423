import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Row, wasApplied } from '../core/database.ts';
import { attribute, change, removal, sendWrite, update, where } from '../core/expressions.ts';
import { organisationLimiterKey, type WalletId, walletName } from '../core/keys.ts';
import { attributeAt, staleAttributes, type WindowedCounter } from './windowed-counter.ts';

/** Rejections of API keys that name an existing organisation, in the last 10 to 20 minutes. */
export const REJECTED_KEYS: WindowedCounter = { letter: 'r', windowMs: 600_000, windows: 2 };

/** An instance writes once for this many rejections for one wallet, so that an attack causes few writes. */
const REJECTIONS_PER_WRITE = 10;
/** Nothing is written beyond this count, because it already proves a burst. */
const MAX_COUNT = 10_000;
const MAX_ORGANISATIONS = 1000;

/** Counts rejections of API keys in ApiKeys, in the limiter's row of the wallet that the keys name. */
export type RejectedKeyTable = ReturnType<typeof rejectedKeyTable>;

export function rejectedKeyTable(client: DynamoDBDocumentClient, tableName: string) {
  /** Rejections that this instance has not yet written, by the name of the wallet. */
  const unwritten = new Map<string, number>();
  return {
    /** Counts one rejection. `row` is the limiter's row of the wallet as the request has read it. */
    async recordRejection(wallet: WalletId, row: Row, nowMs: number) {
      const name = walletName(wallet);
      const count = (unwritten.get(name) ?? 0) + 1;
      if (unwritten.size >= MAX_ORGANISATIONS) unwritten.clear();
      unwritten.set(name, count % REJECTIONS_PER_WRITE);
      if (count < REJECTIONS_PER_WRITE) return;
      const current = attribute(attributeAt(REJECTED_KEYS, nowMs));
      const stale = staleAttributes([REJECTED_KEYS], row, nowMs);
      const write = update(
        tableName,
        organisationLimiterKey(wallet),
        change`ADD ${current} ${count} ${removal(stale)}`,
        where`attribute_not_exists(${current}) OR ${current} < ${MAX_COUNT}`,
      );
      await wasApplied(sendWrite(client, write));
    },
  };
}
