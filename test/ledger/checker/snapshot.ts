import type { ClientCall, Commit, Evidence, JsonRow, RowVersion } from './evidence.ts';

/** The rows of some wallets as an export of the tables has them. */
export interface ExportedRows {
  /** `<env>#<org>` of each wallet. */
  readonly names: readonly string[];
  readonly wallets: readonly JsonRow[];
  readonly logs: readonly JsonRow[];
  readonly exportedAtMs: number;
}

/**
 * Evidence where nobody kept a change stream: the rows as they stand once everything is over, as if they had been
 * written in three steps. All invariants of the end are checked as ever; of those of an instant, what the end still
 * tells.
 */
export function evidenceOfExport(rows: ExportedRows, calls: readonly ClientCall[]): Evidence {
  const opening = rows.wallets
    .filter(({ sk }) => sk === 'WALLET')
    .map((row) => ({ ...row, available: 0, credited: 0, holds: {} }));
  const commits = [
    commitOf('Wallets', opening, rows.exportedAtMs),
    commitOf('Wallets', rows.wallets, rows.exportedAtMs),
    commitOf('VerificationLogs', rows.logs, rows.exportedAtMs),
  ];
  const end = commits.length;
  const late = calls.map((call) =>
    call.answer ? { ...call, answer: { ...call.answer, after: end } } : call,
  );
  return {
    wallets: rows.names,
    maxHolds: 100,
    commits,
    calls: late,
    payments: [],
    calmAfter: end,
    settledAfter: end,
  };
}

function commitOf(table: RowVersion['table'], rows: readonly JsonRow[], atMs: number): Commit {
  const versions = rows.map((row) => ({ table, pk: String(row['pk']), sk: String(row['sk']), row }));
  return { atMs, versions, isExpiry: false, isUnconditional: false };
}
