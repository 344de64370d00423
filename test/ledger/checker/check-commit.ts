import { isDeepStrictEqual } from 'node:util';
import { type Books, number, type ShardRow, text, type WalletBooks } from './books.ts';
import type { ClientCall, Commit, JsonRow, RowVersion } from './evidence.ts';

/** What must hold of every single write, and of the books right after it. */

/** Clocks of sweepers and functions may differ by this much from the truth. */
const CLOCK_ERROR_MS = 5_000;
const HOLD_LIFE_MS = 40_000;

export type Report = (rule: string, detail: string) => void;

/** Before the commit is applied: what each version does to the row that stood. */
export function checkVersions(
  books: Books,
  commit: Commit,
  calls: ReadonlyMap<string, ClientCall>,
  report: Report,
): void {
  if (commit.isUnconditional) report('every write carries its condition', JSON.stringify(commit.versions));
  for (const version of commit.versions) {
    const [, wallet] = books.walletOf(version);
    if (version.table === 'VerificationLogs') checkLog(wallet, version, report);
    else if (version.sk === 'CHARGE') checkCharge(wallet, version, commit, calls, report);
    else if (version.sk === 'CREDIT') checkCredit(wallet, version, report);
    else if (version.sk === 'WALLET') checkShard(wallet, version, report);
  }
}

/** After the commit: the identity, to the credit. */
export function checkBooks(books: Books, commit: Commit, report: Report): void {
  for (const name of new Set(commit.versions.map((version) => books.walletOf(version)[0]))) {
    const wallet = books.wallets.get(name);
    if (!wallet) continue;
    const [available, held, spent] = [wallet.available(), wallet.held(), wallet.spent()];
    const [credited, paid] = [wallet.credited(), wallet.paid()];
    if (credited !== available + held + spent)
      report(
        'credited = available + holds + spent',
        `${name}: ${credited} <> ${available} + ${held} + ${spent}`,
      );
    if (credited !== paid) report('credited = sum of the credit rows', `${name}: ${credited} <> ${paid}`);
    for (const [shard, row] of wallet.shards)
      if (row.available < 0 || !Number.isInteger(row.available))
        report('available is never below zero', `${name} ${shard}: ${row.available}`);
  }
}

function checkCharge(
  wallet: WalletBooks,
  { pk, row }: RowVersion,
  { atMs, isExpiry }: Commit,
  calls: ReadonlyMap<string, ClientCall>,
  report: Report,
): void {
  const old = wallet.charges.get(pk.split('#')[2] ?? '');
  if (old && !(isExpiry && old['state'] === 'VOID') && !isDeepStrictEqual(old, row))
    report('the first charge row stands for ever', `${pk} ${old['state']} ${row?.['state']}`);
  if (!row || old || row['outcome'] !== 'ABANDONED') return;
  const call = calls.get(text(row, 'requestId'));
  if (call && atMs < call.sentAtMs + HOLD_LIFE_MS - CLOCK_ERROR_MS)
    report('nobody is fenced before the hold expires', `${pk} after ${atMs - call.sentAtMs} ms`);
}

function checkLog(wallet: WalletBooks, { pk, sk, row }: RowVersion, report: Report): void {
  const old = wallet.logs.get(sk)?.find((log) => log['pk'] === pk);
  if (old && !isDeepStrictEqual(old, row)) report('a log row never changes', `${pk} ${sk}`);
  if (!row || old) return;
  const decided = wallet.charges.get(sk);
  const charged = number(row, 'creditsCharged');
  if (charged > 0 && decided?.['state'] !== 'CHARGED')
    report('no log row of a charge before the charge', `${pk} ${sk}`);
  if (charged > 0 && decided && number(decided, 'cost') !== charged)
    report('log row and charge row tell the same cost', `${pk} ${sk}`);
  if (row['replayOf'] === undefined && !decided) report('the decision comes before the log', `${pk} ${sk}`);
  if (row['replayOf'] !== undefined && charged !== 0) report('a replay is free', `${pk} ${sk}`);
}

function checkCredit(wallet: WalletBooks, { pk, row }: RowVersion, report: Report): void {
  const old = wallet.credits.get(pk.split('#')[2] ?? '');
  if (old && !isDeepStrictEqual(old, row)) report('a credit row never changes', pk);
}

/** A hold ends only once its operation is decided; a charged one only once it is logged too. */
function checkShard(wallet: WalletBooks, { pk, row }: RowVersion, report: Report): void {
  const shard = Number(pk.split('#')[2]);
  const old = wallet.shards.get(shard);
  if (!row) {
    report('a shard is never deleted', pk);
    return;
  }
  const after = (row['holds'] ?? {}) as JsonRow;
  for (const [holdId, { operationId }] of old?.holds ?? [])
    if (!(holdId in after)) checkEnd(wallet, shard, holdId, operationId, report);
  checkCredited(old, row, pk, report);
}

function checkEnd(
  wallet: WalletBooks,
  shard: number,
  holdId: string,
  operationId: string,
  report: Report,
): void {
  const decided = wallet.charges.get(operationId);
  if (!decided) {
    report('no hold ends before its decision', holdId);
    return;
  }
  const isSpent =
    decided['state'] === 'CHARGED' && decided['shard'] === shard && decided['holdId'] === holdId;
  if (isSpent && !wallet.logs.get(operationId)?.length)
    report('no charged hold ends before its log row', holdId);
}

function checkCredited(old: ShardRow | undefined, row: JsonRow, pk: string, report: Report): void {
  if (!old && number(row, 'credited') !== 0) report('a shard begins empty', pk);
}
