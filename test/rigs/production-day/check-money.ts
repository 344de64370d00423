import { check as checkLedger } from '../../ledger/checker/check.ts';
import type { ClientCall, JsonRow } from '../../ledger/checker/evidence.ts';
import { LedgerState, number, text, type WalletState } from '../../ledger/checker/ledger-state.ts';
import { evidenceOfExport } from '../../ledger/checker/snapshot.ts';
import type { Report } from './check-responses.ts';
import { eventsOf, type RequestLine, requestsOf } from './journal.ts';
import type { Account, SimulationRecord } from './record.ts';

/** Checks that customers were charged once for each record that they received, and for nothing else. */
export function checkMoney(record: SimulationRecord, report: Report): void {
  const { lines, rows, accounts, reconciliation } = record;
  const requests = requestsOf(lines);
  const evidence = evidenceOfExport(rows, requests.map(callOf));
  for (const { rule, detail } of checkLedger(evidence)) report(`ledger: ${rule}`, detail);
  const state = new LedgerState(rows.names);
  for (const commit of evidence.commits) state.apply(commit);
  for (const account of accounts) {
    const wallet = state.wallets.get(account.wallet);
    if (!wallet) {
      report('every account has a wallet', account.wallet);
      continue;
    }
    checkAccount(account, wallet, creditsAdded(record, account.wallet), report);
    const own = requests.filter((line) => line.wallet === account.wallet);
    checkCharges(wallet, own, report);
  }
  if (reconciliation.differences > 0)
    report('the reconciliation finds no difference', `${reconciliation.differences} differences`);
  if (reconciliation.differencesLater > 0)
    report(
      'no difference remains once everything is settled',
      `${reconciliation.differencesLater} differences`,
    );
}

/** Returns the credits added to a wallet up to a time. */
export function creditsAdded(
  { lines }: SimulationRecord,
  wallet: string,
  untilMs = Number.POSITIVE_INFINITY,
): number {
  const topUps = eventsOf(lines, 'topped up').filter((one) => one.wallet === wallet && one.atMs <= untilMs);
  return topUps.reduce((total, { credits }) => total + credits, 0);
}

function checkAccount(account: Account, wallet: WalletState, added: number, report: Report): void {
  const { available, held, closing, entries, wallet: name } = account;
  const charged = chargedRows(wallet).reduce((total, row) => total + number(row, 'cost'), 0);
  if (added - charged !== available)
    report('top-ups - charges = balance', `${name}: ${added} - ${charged} <> ${available}`);
  if (held !== 0) report('nothing is held at the end', `${name}: ${held}`);
  if (closing !== available)
    report('the statement closes with the balance', `${name}: ${closing} <> ${available}`);
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  if (sum !== closing) report('the statement adds up', `${name}: ${sum} <> ${closing}`);
  const debits = entries.filter(({ amount }) => amount < 0).map(({ requestId }) => requestId);
  const rows = chargedRows(wallet).map((row) => text(row, 'requestId'));
  if (debits.sort().join() !== rows.sort().join())
    report(
      'the statement contains each charge once',
      `${name}: ${debits.length} debits, ${rows.length} charges`,
    );
}

/** Checks the charges of a wallet against the requests of its customer (`own`). */
function checkCharges(wallet: WalletState, own: readonly RequestLine[], report: Report): void {
  const byRequest = Map.groupBy(chargedRows(wallet), (row) => text(row, 'requestId'));
  const logs = Map.groupBy([...wallet.logs.values()].flat(), (row) => text(row, 'requestId'));
  for (const { status, isReplay, code, requestId, cost } of own) {
    const charges = (byRequest.get(requestId) ?? []).length;
    const logged = (logs.get(requestId) ?? []).filter((row) => number(row, 'creditsCharged') === cost).length;
    const isPaid = status === 200 && !isReplay;
    if (isPaid && charges !== 1) report('a paid record has one charge row', `${requestId}: ${charges}`);
    if (isPaid && logged !== 1) report('a paid record has one log row', `${requestId}: ${logged}`);
    if (!isPaid && code !== 'cut' && charges + logged > 0)
      report('a response without a new record is free', `${requestId} ${code}`);
  }
  const verifications = Map.groupBy(own, ({ idempotencyKey }) => idempotencyKey);
  const charged = [...verifications.values()].filter((attempts) => attempts.some(showsCharge));
  const charges = chargedRows(wallet).length;
  const unknown = [...verifications.values()].filter(isChargeUnknown).length;
  if (charges < charged.length || charges > charged.length + unknown)
    report(
      'one charge for each verification that was charged',
      `${charges} <> ${charged.length}; cut off: ${cutOff(verifications).join(', ')}`,
    );
  for (const [key, attempts] of verifications) {
    const paid = attempts.filter(({ status, isReplay }) => status === 200 && !isReplay).length;
    if (paid > 1) report('a verification is charged at most once', `${key}: ${paid}`);
  }
}

/**
 * Returns whether a response shows that its verification was charged. A charged request can lose its record if its
 * process is killed, and so can its replays. A lost replay may count as one of the three free ones, after which the
 * client learns only that it was charged.
 */
function showsCharge({ status, isReplay, code }: RequestLine): boolean {
  return status === 200 || isReplay || code === 'REPLAY_EXHAUSTED';
}

/**
 * Returns true if no response shows whether the verification was charged: its process was killed, and the client gave
 * up after a server error, which can happen if the machine is too busy to serve the replay.
 */
function isChargeUnknown(attempts: readonly RequestLine[]): boolean {
  const wasCutOff = attempts.some(({ code }) => code === 'cut');
  return wasCutOff && !attempts.some(showsCharge) && attempts.at(-1)?.code === 'SERVER_ERROR';
}

/**
 * Returns the verifications that were cut off and have no record, with the codes of their attempts. Start an
 * investigation with these.
 */
function cutOff(verifications: ReadonlyMap<string, readonly RequestLine[]>): string[] {
  return [...verifications].flatMap(([key, attempts]) => {
    const codes = attempts.map(({ code }) => code);
    const hasRecord = attempts.some(({ status }) => status === 200);
    return codes.includes('cut') && !hasRecord ? [`${key} (${codes.join(' ')})`] : [];
  });
}

function chargedRows(wallet: WalletState): JsonRow[] {
  return [...wallet.charges.values()].filter((row) => row['state'] === 'CHARGED');
}

function callOf(line: RequestLine): ClientCall {
  const { idempotencyKey, route, code, isReplay, status, charged } = line;
  const call = {
    requestId: line.requestId,
    wallet: line.wallet,
    key: `${route} ${idempotencyKey}`,
    body: idempotencyKey,
    cost: line.cost,
    shards: 1,
    sentAtMs: line.sentAtMs,
    sentAfter: 0,
  };
  if (code === 'cut') return call;
  const creditsCharged = charged === 'unknown' ? 0 : Number(charged);
  const hasData = status === 200;
  return {
    ...call,
    response: { atMs: line.respondedAtMs, after: 0, code, hasData, isReplay, creditsCharged },
  };
}
