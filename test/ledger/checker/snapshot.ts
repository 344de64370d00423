import type { ClientCall, Commit, Evidence, JsonRow, RowVersion } from './evidence.ts';

export interface ExportedRows {
  /** `<env>#<org>` of each wallet. */
  readonly names: readonly string[];
  readonly wallets: readonly JsonRow[];
  readonly logs: readonly JsonRow[];
  readonly exportedAtMs: number;
}

/**
 * Builds evidence from an export, where no journal of writes exists. The rows appear as four commits: empty shards, the
 * idempotency rows, the other rows of Wallets, and the VerificationLogs table. The checker then checks the invariants
 * of the final state, except those of payments and erasures. It cannot see the states in between.
 */
export function evidenceOfExport(rows: ExportedRows, calls: readonly ClientCall[]): Evidence {
  const opening = rows.wallets
    .filter(({ sk }) => sk === 'WALLET')
    .map((row) => ({ ...row, available: 0, credited: 0, holds: {} }));
  const commits = [
    commitOf('Wallets', opening, rows.exportedAtMs),
    commitOf('Wallets', rows.wallets.filter(isClaim), rows.exportedAtMs),
    commitOf(
      'Wallets',
      rows.wallets.filter((row) => !isClaim(row)),
      rows.exportedAtMs,
    ),
    commitOf('VerificationLogs', rows.logs, rows.exportedAtMs),
  ];
  const end = commits.length;
  const callsAtEnd = calls.map((call) =>
    call.response ? { ...call, response: { ...call.response, after: end } } : call,
  );
  return {
    wallets: rows.names,
    maxHolds: 100,
    commits,
    calls: callsAtEnd,
    payments: [],
    erasures: [],
    calmAfter: end,
    settledAfter: end,
  };
}

const isClaim = ({ sk }: JsonRow) => sk === 'IDEMPOTENCY';

function commitOf(table: RowVersion['table'], rows: readonly JsonRow[], atMs: number): Commit {
  const versions = rows.map((row) => ({ table, pk: String(row['pk']), sk: String(row['sk']), row }));
  return { atMs, versions, isExpiry: false, isUnconditional: false };
}
