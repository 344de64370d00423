import { isDeepStrictEqual } from 'node:util';
import { checkErasedLog } from './check-erasures.ts';
import type { ClientCall, Commit, JsonRow, RowVersion } from './evidence.ts';
import {
  isReference,
  type LedgerState,
  number,
  type ShardRow,
  text,
  type WalletState,
} from './ledger-state.ts';

/** Checks each write, and the totals of the wallet after it. */

/** The largest clock error of sweepers and functions. */
export const CLOCK_ERROR_MS = 5_000;
const HOLD_LIFE_MS = 40_000;
const CHARGE_BY_MS = 25_500;

export type Report = (rule: string, detail: string) => void;

/** Compares each row of a commit with the stored row. Call it before the commit is applied. */
export function checkVersions(
  state: LedgerState,
  commit: Commit,
  calls: ReadonlyMap<string, ClientCall>,
  report: Report,
): void {
  if (commit.isUnconditional) report('every write has a condition', JSON.stringify(commit.versions));
  for (const version of commit.versions) {
    if (isReference(version)) continue;
    const [, wallet] = state.walletOf(version);
    if (version.table === 'VerificationLogs') checkLog(wallet, version, commit, report);
    else if (version.sk === 'CHARGE') checkCharge(wallet, version, commit, calls, report);
    else if (version.sk === 'CREDIT') checkCredit(wallet, version, report);
    else if (version.sk === 'WALLET') checkShard(wallet, version, report);
  }
}

/** Checks that the totals of the wallet agree exactly. Call it after the commit is applied. */
export function checkTotals(state: LedgerState, commit: Commit, report: Report): void {
  const versions = commit.versions.filter((version) => !isReference(version));
  for (const name of new Set(versions.map((version) => state.walletOf(version)[0]))) {
    const wallet = state.wallets.get(name);
    if (!wallet) continue;
    const [available, held, spent] = [wallet.available(), wallet.held(), wallet.spent()];
    const [credited, paid] = [wallet.credited(), wallet.paid()];
    if (credited !== available + held + spent)
      report(
        'credited = available + held + spent',
        `${name}: ${credited} <> ${available} + ${held} + ${spent}`,
      );
    if (credited !== paid)
      report('credited is the sum of the credit rows', `${name}: ${credited} <> ${paid}`);
    if (wallet.moved() !== 0) report('transfers add up to 0', `${name}: ${wallet.moved()}`);
    for (const [shard, row] of wallet.shards)
      if (row.available < 0 || !Number.isInteger(row.available))
        report('available is a whole number and never negative', `${name} ${shard}: ${row.available}`);
  }
}

function checkCharge(
  wallet: WalletState,
  { pk, row }: RowVersion,
  { atMs, begunMs, isExpiry }: Commit,
  calls: ReadonlyMap<string, ClientCall>,
  report: Report,
): void {
  const old = wallet.charges.get(pk.split('#')[2] ?? '');
  if (old && !(isExpiry && old['state'] === 'VOID') && !isDeepStrictEqual(old, row))
    report('a charge row never changes', `${pk} ${old['state']} ${row?.['state']}`);
  if (row?.['state'] === 'CHARGED' && !old) {
    checkChargeTime(row, begunMs, report);
    const requestId = text(row, 'requestId');
    if (calls.get(requestId)?.key && !wallet.hasClaimed(requestId))
      report('a request with a key is charged only after it has claimed the key', pk);
  }
  if (!row || old || row['outcome'] !== 'ABANDONED') return;
  const call = calls.get(text(row, 'requestId'));
  if (call && atMs < call.sentAtMs + HOLD_LIFE_MS - CLOCK_ERROR_MS)
    report(
      'an operation is abandoned only after its hold has expired',
      `${pk} after ${atMs - call.sentAtMs} ms`,
    );
}

/** Checks that a charge was neither decided nor sent too late, by the clock of its function. */
function checkChargeTime(row: JsonRow, begunMs: number | undefined, report: Report): void {
  const [requestedMs, decidedMs] = [Date.parse(text(row, 'requestedAt')), Date.parse(text(row, 'decidedAt'))];
  const latestMs = Math.max(decidedMs, begunMs ?? decidedMs);
  if (latestMs >= requestedMs + CHARGE_BY_MS)
    report(
      'no charge begins later than 25.5 s after its request',
      `${text(row, 'operationId')} after ${latestMs - requestedMs} ms`,
    );
}

function checkLog(wallet: WalletState, version: RowVersion, commit: Commit, report: Report): void {
  const { pk, sk, row } = version;
  if (pk.endsWith('#ERASED')) return;
  checkErasedLog(wallet, version, commit, report);
  const old = wallet.logs.get(sk)?.find((log) => log['pk'] === pk);
  if (row && old && !isDeepStrictEqual(old, row)) report('a log row never changes', `${pk} ${sk}`);
  if (!row || old) return;
  const decided = wallet.charges.get(sk);
  const charged = number(row, 'creditsCharged');
  if (charged > 0 && decided?.['state'] !== 'CHARGED')
    report('a charge is logged only after its charge row is durable', `${pk} ${sk}`);
  if (charged > 0 && decided && number(decided, 'cost') !== charged)
    report('log row and charge row have the same cost', `${pk} ${sk}`);
  // An erasure may move the log row of an uncharged operation after the operation's charge row has expired.
  if (row['replayOf'] === undefined && !decided && !wallet.logs.get(sk)?.length)
    report('an operation is logged only after it is decided', `${pk} ${sk}`);
  if (row['replayOf'] !== undefined && charged !== 0) report('a replay costs nothing', `${pk} ${sk}`);
}

function checkCredit(wallet: WalletState, { pk, row }: RowVersion, report: Report): void {
  const old = wallet.credits.get(pk.split('#')[2] ?? '');
  if (old && !isDeepStrictEqual(old, row)) report('a credit row never changes', pk);
}

/**
 * Checks that a shard is never deleted, begins without credit, and loses a hold only after its operation is decided.
 */
function checkShard(wallet: WalletState, { pk, row }: RowVersion, report: Report): void {
  const shard = Number(pk.split('#')[2]);
  const old = wallet.shards.get(shard);
  if (!row) {
    report('a shard is never deleted', pk);
    return;
  }
  const after = (row['holds'] ?? {}) as JsonRow;
  for (const [holdId, { operationId }] of old?.holds ?? [])
    if (!(holdId in after)) checkRemovedHold(wallet, shard, holdId, operationId, report);
  checkCredited(old, row, pk, report);
}

function checkRemovedHold(
  wallet: WalletState,
  shard: number,
  holdId: string,
  operationId: string,
  report: Report,
): void {
  const decided = wallet.charges.get(operationId);
  if (!decided) {
    report('a hold is removed only after its operation is decided', holdId);
    return;
  }
  const isCharged =
    decided['state'] === 'CHARGED' && decided['shard'] === shard && decided['holdId'] === holdId;
  if (isCharged && !wallet.logs.get(operationId)?.length)
    report('a charged hold is removed only after its log row is durable', holdId);
}

function checkCredited(old: ShardRow | undefined, row: JsonRow, pk: string, report: Report): void {
  if (!old && number(row, 'credited') !== 0) report('a new shard has no credit', pk);
}
