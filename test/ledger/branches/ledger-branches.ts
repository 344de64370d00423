import type { BranchCounts } from './count-branches.ts';

/** The source files whose branches the histories must reach: every decision of the ledger's protocol. */
export const LEDGER_FILES = [
  'shared/verifications/middleware/claim-and-reserve.ts',
  'shared/http/end-in-time.ts',
  'shared/verifications/middleware/settle.ts',
  'shared/ledger/erase.ts',
  'shared/ledger/claim-key.ts',
  'shared/ledger/reserve.ts',
  'shared/ledger/end-operation.ts',
  'shared/ledger/sweep.ts',
  'shared/ledger/tables/charge-table.ts',
  'shared/ledger/tables/idempotency-table.ts',
  'shared/ledger/tables/shard-table.ts',
  'shared/ledger/tables/wallet-table.ts',
  'shared/ledger/write-log.ts',
  'shared/verifications/erasure-table.ts',
  'shared/verifications/late-log-table.ts',
] as const;

const EVERY_SHARD_EXISTS = 'the histories create every shard before a request uses it';

const ONLY_TABLES_FAIL =
  'in the histories only tables fail, and such failures do not count towards the quarantine of a hold';

/** Branches that no history can reach, with the reason. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  "verifications/middleware/claim-and-reserve.ts reserve: if (availability.kind !== 'available')":
    'the registries of the histories are always available',
  'http/end-in-time.ts endingInTime: if (!before)': 'both checks of the histories have a before hook',
  'verifications/middleware/claim-and-reserve.ts tagOfSameRequest: if (!rematch.isKnown)':
    'the pepper is rotated once, so every pepper is the current or the previous one',
  'ledger/reserve.ts reserveCredit: first.seen : []': EVERY_SHARD_EXISTS,
  "ledger/reserve.ts onShard: seen : 'short'": EVERY_SHARD_EXISTS,
  'ledger/end-operation.ts logAndRelease: if (consumes(stored, hold))':
    'a request that has charged its hold never voids it. The branch protects the charge if that changes',
  'ledger/sweep.ts sweepFound: if (isQuarantined(entry))': ONLY_TABLES_FAIL,
  'ledger/sweep.ts sweepFound: if (!isTableFailure(error))': ONLY_TABLES_FAIL,
  'ledger/sweep.ts sweepFound: tables.wallets.countSweepFailure(wallet, hold).catch(() => undefined)':
    ONLY_TABLES_FAIL,
  'ledger/tables/shard-table.ts snapshot: shard : []': EVERY_SHARD_EXISTS,
  'ledger/tables/shard-table.ts getShards: row : []': 'shards are never deleted',
  "ledger/tables/wallet-table.ts placeHold: old['pk'] : undefined": EVERY_SHARD_EXISTS,
};

/** Branches that need several faults in a row, or two events in the same instant. Short runs may miss them. */
const RARE: readonly string[] = [
  'verifications/middleware/claim-and-reserve.ts tagOfSameRequest: if (!newer)',
  'verifications/middleware/claim-and-reserve.ts tagOfSameRequest: await refreshPepper() ?? await cachedPepper()',
  "ledger/claim-key.ts replay: if (!isLogged && (await logLate(entry, tables)) === 'erased')",
  'ledger/claim-key.ts replay: catch',
  'ledger/claim-key.ts replay: tables.idempotency .returnReplay(wallet, claim.keyHash, earlier.operat…(() => undefined)',
  "ledger/reserve.ts gather: if (all.length > 0 && all.every((shard) => rejectionOf(shard, 0) === 'full…)",
  'ledger/reserve.ts onShard: this.#clearSpent(seen).catch(() => false)',
  'ledger/reserve.ts short: this.#tables.shards.withoutSpentHolds(wallet, all).catch(() => all)',
  'ledger/reserve.ts transfer: this.#tables.shards.transfer(this.#operation.wallet, transfers).catch(() => false)',
  'ledger/end-operation.ts chargeOperation: logAndRelease(held, stored, course, tables, clock).catch(() => undefined)',
  'ledger/tables/shard-table.ts transfer: if not (cancellationCodes(error))',
];

/** A run must reach each branch at least once in this many histories, on average. */
const HISTORIES_PER_BRANCH = 2_000;
const HISTORIES_PER_RARE_BRANCH = 50_000;

/**
 * Describes each branch that was reached too rarely for the number of histories, was reached although it counts as
 * unreachable, or no longer exists.
 */
export function coverageProblems(counts: BranchCounts, histories: number): string[] {
  const unknown = [...Object.keys(UNREACHABLE), ...RARE].filter((name) => !(name in counts));
  const missed = Object.entries(counts).flatMap(([name, count]) => {
    if (name in UNREACHABLE)
      return count > 0 ? [`A branch that counts as unreachable was reached: ${name}`] : [];
    const per = RARE.includes(name) ? HISTORIES_PER_RARE_BRANCH : HISTORIES_PER_BRANCH;
    const least = Math.floor(histories / per);
    return count < least ? [`Reached ${count} times instead of at least ${least}: ${name}`] : [];
  });
  return [...unknown.map((name) => `The ledger has no such branch any more: ${name}`), ...missed];
}

/** Returns the table of all branches: how often each was reached, and why some never are. */
export function branchTable(counts: BranchCounts): string {
  const rows = Object.entries(counts).map(([name, count]) => {
    const reason = UNREACHABLE[name];
    return `${String(count).padStart(10)}  ${name}${reason ? `  [unreachable: ${reason}]` : ''}`;
  });
  return ['   reached  branch', ...rows].join('\n');
}
