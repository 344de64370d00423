import type { Report } from './check-commit.ts';
import type { ClientCall, Commit, Erasure, JsonRow, RowVersion } from './evidence.ts';
import { type LedgerState, number, text, type WalletState } from './ledger-state.ts';

/** Checks that erasures are final: a request that began before an erasure cannot be found by its number afterwards. */

/** The second pass of an erasure moves rows that arrive within this time after the erasure began. */
const SECOND_PASS_AFTER_MS = 60_000;
const CLOCK_ERROR_MS = 5_000;

/** Returns the erasures of the row's tag that began after the row's operation. */
function erasuresOf({ pk, row }: RowVersion, erasures: readonly Erasure[]): Erasure[] {
  const [env, organisation, tag = ''] = pk.split('#');
  if (!row || typeof row['requestedAt'] !== 'string') return [];
  const requestedMs = Date.parse(text(row, 'requestedAt'));
  return erasures.filter(
    ({ wallet, tags, startedMs }) =>
      wallet === `${env}#${organisation}` && tags.includes(tag) && requestedMs < startedMs,
  );
}

/**
 * Leaves out log rows that were sent before the second pass of an erasure but arrived after it had begun. They are an
 * exception in docs/design/ledger.md, "Erasures".
 */
export function withoutStrays(commit: Commit, erasures: readonly Erasure[]): Commit {
  const isStray = (version: RowVersion) =>
    version.table === 'VerificationLogs' &&
    erasuresOf(version, erasures).some(({ startedMs, completedAfter }) => {
      const secondPassMs = startedMs + SECOND_PASS_AFTER_MS;
      const isLate = commit.atMs >= secondPassMs && (commit.begunMs ?? 0) < secondPassMs + CLOCK_ERROR_MS;
      return isLate && completedAfter !== undefined;
    });
  const versions = commit.versions.filter((version) => !isStray(version));
  return versions.length === commit.versions.length ? commit : { ...commit, versions };
}

/** Checks that anonymised rows have no details, and that a log row is deleted only if it is moved or expires. */
export function checkErasedLog(
  wallet: WalletState,
  version: RowVersion,
  commit: Commit,
  report: Report,
): void {
  const { pk, sk, row } = version;
  const tag = pk.split('#')[2] ?? '';
  if (row && tag.startsWith('erased.')) {
    for (const name of ['consent', 'reason', 'reference', 'referenceKey', 'idempotencyHash'])
      if (name in row) report('an erased row has no details', `${sk} ${name}`);
    for (const claim of wallet.claims.values())
      if (claim['operationId'] === sk && claim['fingerprint'] !== 'erased')
        report('a fingerprint is cleared before its log row is anonymised', sk);
  }
  if (row || commit.isExpiry || !wallet.logs.get(sk)?.some((log) => log['pk'] === pk)) return;
  const isMoved = [...(wallet.logs.get(sk) ?? []), ...commit.versions.map((other) => other.row)].some(
    (other) => other?.['operationId'] === sk && String(other['pk']).includes('#erased.'),
  );
  if (!isMoved || !wallet.markers.has(tag))
    report('a log row is deleted only by an erasure that moves it', sk);
}

/**
 * Checks the log after the given number of commits: no completed erasure has left a row, and no erased row has come
 * back.
 */
export function checkErased(
  state: LedgerState,
  erasures: readonly Erasure[],
  after: number,
  report: Report,
): void {
  for (const erasure of erasures) {
    if (erasure.completedAfter === undefined || after < erasure.completedAfter) continue;
    for (const [operationId, logs] of state.wallets.get(erasure.wallet)?.logs ?? [])
      for (const row of logs) {
        const version = { table: 'VerificationLogs', pk: text(row, 'pk'), sk: operationId, row } as const;
        if (erasuresOf(version, [erasure]).length > 0)
          report('no row is left under the tag of an erased number', operationId);
      }
  }
}

/**
 * Checks that a request sent after an erasure's markers were durable does not replay a request from before the erasure.
 */
export function checkErasedReplay(
  wallet: WalletState,
  charge: JsonRow,
  call: ClientCall,
  erasures: readonly Erasure[],
  report: Report,
): void {
  const requestedMs = Date.parse(text(charge, 'requestedAt'));
  const isErased = erasures.some(
    ({ wallet: name, body, tags }) =>
      name === call.wallet &&
      body === call.body &&
      tags.every((tag) =>
        wallet.markers
          .get(tag)
          ?.some(({ after, row }) => after <= call.sentAfter && number(row, 'erasedAtMs') >= requestedMs),
      ),
  );
  if (isErased) report('an erased request is not replayed', call.requestId);
}
