import { check } from '../../ledger/checker/check.ts';
import type { ClientCall, JsonRow } from '../../ledger/checker/evidence.ts';
import { LedgerState, number, text, type WalletState } from '../../ledger/checker/ledger-state.ts';
import { evidenceOfExport } from '../../ledger/checker/snapshot.ts';
import { eventsOf, type RequestLine, requestsOf } from './journal.ts';
import type { Report } from './judge-answers.ts';
import type { Account, DayRecord } from './record.ts';

/** Was everybody charged for what he got, once, and for nothing else? */

export function judgeBooks(record: DayRecord, report: Report): void {
  const { lines, rows, accounts, reconciliation } = record;
  const requests = requestsOf(lines);
  const evidence = evidenceOfExport(rows, requests.map(callOf));
  for (const { rule, detail } of check(evidence)) report(`ledger: ${rule}`, detail);
  const books = new LedgerState(rows.names);
  for (const commit of evidence.commits) books.apply(commit);
  for (const account of accounts) {
    const wallet = books.wallets.get(account.wallet);
    if (!wallet) report('every account has a wallet', account.wallet);
    else judgeAccount(account, wallet, boughtBy(record, account.wallet), report);
    if (wallet)
      judgeCharges(
        wallet,
        requests.filter((line) => line.wallet === account.wallet),
        report,
      );
  }
  if (!reconciliation.words.endsWith('They agree.'))
    report('reconcile says that the books agree', reconciliation.words);
  if (reconciliation.differencesLater > 0)
    report('the books agree once all is settled', `${reconciliation.differencesLater} differences`);
}

/** Credits that the day bought for a wallet, until an instant. */
export function boughtBy({ lines }: DayRecord, wallet: string, untilMs = Number.POSITIVE_INFINITY): number {
  const bought = eventsOf(lines, 'bought').filter((one) => one.wallet === wallet && one.atMs <= untilMs);
  return bought.reduce((total, { credits }) => total + credits, 0);
}

function judgeAccount(account: Account, wallet: WalletState, bought: number, report: Report): void {
  const { available, held, closing, entries, wallet: name } = account;
  const charged = chargedRows(wallet).reduce((total, row) => total + number(row, 'cost'), 0);
  if (bought - charged !== available)
    report('bought - charged = balance', `${name}: ${bought} - ${charged} <> ${available}`);
  if (held !== 0) report('nothing is held in the evening', `${name}: ${held}`);
  if (closing !== available)
    report('the statement closes with the balance', `${name}: ${closing} <> ${available}`);
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  if (sum !== closing) report('the statement adds up', `${name}: ${sum} <> ${closing}`);
  const debits = entries.filter(({ amount }) => amount < 0).map(({ requestId }) => requestId);
  const rows = chargedRows(wallet).map((row) => text(row, 'requestId'));
  if (debits.sort().join() !== rows.sort().join())
    report('the statement has each charge once', `${name}: ${debits.length} debits, ${rows.length} charges`);
}

/** `own` are the wallet's requests. */
function judgeCharges(wallet: WalletState, own: readonly RequestLine[], report: Report): void {
  const byRequest = Map.groupBy(chargedRows(wallet), (row) => text(row, 'requestId'));
  const logs = Map.groupBy([...wallet.logs.values()].flat(), (row) => text(row, 'requestId'));
  for (const { status, isReplay, code, requestId, cost } of own) {
    const charges = (byRequest.get(requestId) ?? []).length;
    const logged = (logs.get(requestId) ?? []).filter((row) => number(row, 'creditsCharged') === cost).length;
    const isPaid = status === 200 && !isReplay;
    if (isPaid && charges !== 1) report('charged data has one charge row', `${requestId}: ${charges}`);
    if (isPaid && logged !== 1) report('charged data has one log row', `${requestId}: ${logged}`);
    if (!isPaid && code !== 'cut' && charges + logged > 0)
      report('what is not data is free', `${requestId} ${code}`);
  }
  // Those whose answer was lost among them: their wish was sent again, and got its data free.
  const served = new Set(own.filter(({ status }) => status === 200).map(({ wish }) => wish)).size;
  const charges = chargedRows(wallet).length;
  if (charges !== served) report('one charge for each wish that got its data', `${charges} <> ${served}`);
  for (const [wish, tries] of Map.groupBy(own, (line) => line.wish)) {
    const paid = tries.filter(({ status, isReplay }) => status === 200 && !isReplay).length;
    if (paid > 1) report('a wish is charged at most once', `${wish}: ${paid}`);
  }
}

function chargedRows(wallet: WalletState): JsonRow[] {
  return [...wallet.charges.values()].filter((row) => row['state'] === 'CHARGED');
}

/** As the ledger's checker wants it. */
function callOf({
  requestId,
  wallet,
  wish,
  route,
  cost,
  sentAtMs,
  answeredAtMs,
  ...answer
}: RequestLine): ClientCall {
  const call = {
    requestId,
    wallet,
    key: `${route} ${wish}`,
    body: wish,
    cost,
    shards: 1,
    sentAtMs,
    sentAfter: 0,
  };
  if (answer.code === 'cut') return call;
  const { code, isReplay, status, charged } = answer;
  const seen = { atMs: answeredAtMs, after: 0, code, hasData: status === 200, isReplay };
  return { ...call, response: { ...seen, creditsCharged: charged === 'unknown' ? 0 : Number(charged) } };
}
