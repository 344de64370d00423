import type { Clock } from '../core/clock.ts';
import type { WalletId } from '../core/keys.ts';
import { notPossible } from '../core/not-possible.ts';
import type { Outcome } from '../core/outcome.ts';
import { retry } from './dependencies.ts';
import type { IdempotencyTable } from './tables/idempotency-table.ts';

interface TaggedRow {
  readonly numberTag: string;
  readonly operationId: string;
  readonly requestId: string;
  readonly service: string;
  readonly outcome: Outcome;
  readonly requestedAt: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly idempotencyHash?: string | undefined;
}

/** Access to VerificationLogs that only operators have. */
export interface ErasureTable {
  /** Writes all markers or none. Returns false if one has a later time. */
  mark(wallet: WalletId, numberTags: readonly string[], erasedAtMs: number): Promise<boolean>;
  /** Strongly consistent. */
  rowsOf(wallet: WalletId, numberTag: string): Promise<TaggedRow[]>;
  /** Moves a row to the operation's own tag, without its details. Returns false if it is gone. */
  anonymise(wallet: WalletId, row: TaggedRow): Promise<boolean>;
}

interface ErasureTables {
  readonly erasures: ErasureTable;
  readonly idempotency: Pick<IdempotencyTable, 'eraseFingerprint'>;
  /** Withdraws the slip that the row's request made. Returns false if it made none. */
  readonly withdrawSlip: (row: TaggedRow) => Promise<boolean>;
}

/** The numbers of log rows that were anonymised, and of their slips, which were withdrawn. */
interface ErasedRows {
  readonly erased: number;
  readonly slips: number;
}

export type ErasureStep =
  | { readonly kind: 'marked' }
  | { readonly kind: 'waiting'; readonly erased: number; readonly waitMs: number };

/** Because clocks differ, operations that begin up to this long after the marker count as earlier. */
const CLOCK_MARGIN_MS = 5_000;
/** A request writes its log row within 27.5 s of the marker. */
const SECOND_PASS_AFTER_MS = 60_000;
const MAX_ATTEMPTS = 8;
const PAUSE_MS = 1_000;

/**
 * Removes the link between a number and the log rows of one wallet, for all operations that began before
 * (docs/design/ledger.md). Writes markers, which the sweeper and replays check, then anonymises the rows, and again once every
 * request that had begun has written its row. Repeating it completes an interrupted erasure. Returns the number of
 * rows.
 */
export async function eraseNumber(
  wallet: WalletId,
  numberTags: readonly string[],
  tables: ErasureTables,
  clock: Clock,
  onStep: (step: ErasureStep) => void = () => undefined,
): Promise<ErasedRows> {
  const erasedAtMs = await mark(wallet, numberTags, tables.erasures, clock);
  onStep({ kind: 'marked' });
  const first = await anonymiseRows(wallet, numberTags, erasedAtMs, tables, clock);
  const waitMs = Math.max(0, erasedAtMs + SECOND_PASS_AFTER_MS - clock.nowMs());
  onStep({ kind: 'waiting', erased: first.erased, waitMs });
  await clock.pause(waitMs);
  const second = await anonymiseRows(wallet, numberTags, erasedAtMs, tables, clock);
  return { erased: first.erased + second.erased, slips: first.slips + second.slips };
}

/** Every request that read no marker began before this time. */
async function mark(
  wallet: WalletId,
  numberTags: readonly string[],
  erasures: ErasureTable,
  clock: Clock,
): Promise<number> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const erasedAtMs = clock.nowMs() + CLOCK_MARGIN_MS;
    const isMarked = await retry(MAX_ATTEMPTS, clock, () => erasures.mark(wallet, numberTags, erasedAtMs));
    if (isMarked && clock.nowMs() < erasedAtMs) return erasedAtMs;
    // Another run, on a machine whose clock is ahead, may have written a later time.
    await clock.pause(PAUSE_MS);
  }
  throw notPossible('The tables respond too slowly. No log row was anonymised. Repeat the erasure.');
}

async function anonymiseRows(
  wallet: WalletId,
  numberTags: readonly string[],
  erasedAtMs: number,
  { erasures, idempotency, withdrawSlip }: ErasureTables,
  clock: Clock,
): Promise<ErasedRows> {
  let erased = 0;
  let slips = 0;
  for (const numberTag of numberTags) {
    const rows = await retry(MAX_ATTEMPTS, clock, () => erasures.rowsOf(wallet, numberTag));
    for (const row of rows) {
      if (Date.parse(row.requestedAt) > erasedAtMs) continue;
      const { idempotencyHash: hash } = row;
      // The rest is done before the row is moved, because a repeated run finds only rows still under the tag.
      if (hash !== undefined)
        await retry(MAX_ATTEMPTS, clock, () => idempotency.eraseFingerprint(wallet, hash, erasedAtMs));
      slips += Number(await retry(MAX_ATTEMPTS, clock, () => withdrawSlip(row)));
      if (await retry(MAX_ATTEMPTS, clock, () => erasures.anonymise(wallet, row))) erased += 1;
    }
  }
  return { erased, slips };
}
