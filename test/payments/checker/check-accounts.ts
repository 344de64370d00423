import type { Violation } from '../../ledger/checker/check.ts';
import { Accounts, lagosMonth, number, record, rows, sum, text } from './accounts.ts';
import { checkCredit } from './check-credit.ts';
import { checkDocuments } from './check-documents.ts';
import type { Commit, JsonRow, PaymentEvidence } from './evidence.ts';
import { LotUses, type MonthTotals, statedTotals } from './use-of-lots.ts';

export type Report = (rule: string, detail: string) => void;

/** Checks the rules of decision 14 against the evidence alone. Returns the violations. */
export function checkAccounts(evidence: PaymentEvidence): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, detail) => violations.push({ rule, detail });
  const accounts = new Accounts();
  const { commits } = evidence;
  commits.forEach((commit, index) => {
    checkRefunds(accounts, commit, (reference) => chargedSince(evidence, reference, index), report);
    checkDocuments(accounts, commit, report);
    const before = lotsOf(accounts, commit);
    checkMonthGuard(accounts, commit, report);
    checkMismatches(accounts, commit, report);
    checkTransfers(accounts, commit, report);
    accounts.apply(commit);
    for (const { pk, sk, row } of commit.versions)
      if (sk === 'CREDIT' && row)
        checkCredit({ accounts, commit, wallet: walletOf(pk), row, evidence }, report);
    checkLots(accounts, commit, before, report);
  });
  if (!evidence.control) report('the control ends', 'It did not.');
  for (const one of evidence.control ?? []) {
    // A machine whose clock is an hour behind adds a lot that takes charges from one that has expired since.
    if (one.kind !== 'lot' || one.found !== 'not due')
      report('the control finds nothing', JSON.stringify(one));
  }
  for (const wallet of evidence.wallets) checkWallet(accounts, wallet, report);
  for (const order of evidence.orders) checkOrder(accounts, evidence, order, report);
  checkCharges(evidence, report);
  for (const { isForged, status } of evidence.webhooks)
    if (status !== undefined && !isExpected(isForged, status))
      report('a webhook is accepted only with its signature', `forged ${isForged}, status ${status}`);
  return violations;
}

/** A charge ends its crossing of the threshold when its credits are in the wallet, and not before. */
function checkCharges({ charges, commits }: PaymentEvidence, report: Report): void {
  for (const [index, { reference, atMs }] of charges.entries())
    for (const earlier of charges.slice(0, index)) {
      const isCredited = commits.some(
        (commit) =>
          commit.atMs <= atMs &&
          commit.versions.some(
            ({ sk, row }) =>
              sk === 'ORDER' && row?.['reference'] === earlier.reference && row['state'] === 'CREDITED',
          ),
      );
      if (!isCredited)
        report(
          'a saved card is charged once for each crossing of the threshold',
          `${earlier.reference}, ${reference}`,
        );
    }
}

/**
 * Returns whether a webhook may receive this status. A fault may cause a 5xx, after which Paystack sends its message
 * again.
 */
function isExpected(isForged: boolean, status: number): boolean {
  return isForged ? status === 401 : status === 200 || status >= 500;
}

/** Returns the wallet, `<env>#<org>`, that a partition key begins with. */
export function walletOf(pk: string): string {
  return pk.split('#').slice(0, 2).join('#');
}

/**
 * Checks that nothing is booked into a month that is closed or being closed, that the month of a credit contains its
 * time, and that this time is not after the write.
 */
function checkMonthGuard(accounts: Accounts, { atMs, versions }: Commit, report: Report): void {
  for (const { pk, sk, row } of versions) {
    const booking = row && bookingIn(accounts.row(pk, sk), { pk, sk, row });
    if (!booking) continue;
    const { month, createdAt, wallet, reference } = booking;
    if (month !== lagosMonth(createdAt))
      report('the time of a booking is in its month', `${month} ${createdAt}`);
    if (Date.parse(createdAt) > atMs) report('the time of a booking is not after its write', createdAt);
    const state = text(accounts.row(wallet, `CLOSE#${month}`), 'state');
    if (state === 'CLOSING' || state === 'CLOSED')
      report('nothing is booked into a closed month', `${reference} into ${month}`);
  }
}

/** Nothing else states such a payment. */
function checkMismatches(accounts: Accounts, { versions }: Commit, report: Report): void {
  const isRecorded = versions.some(({ row }) => record(row ?? {}, 'after')['state'] === 'MISMATCH');
  for (const { pk, sk, row } of versions)
    if (sk === 'ORDER' && row?.['state'] === 'MISMATCH' && accounts.row(pk, sk)?.['state'] !== 'MISMATCH')
      if (!isRecorded) report('a payment that differs from its order is recorded', text(row, 'reference'));
}

/** The order of a transfer keeps its total until it expires. Then its price, which may have risen, has the VAT of the day. */
function checkTransfers(before: Accounts, { versions }: Commit, report: Report): void {
  for (const { pk, sk, row } of versions) {
    const opened = sk === 'ORDER' && row?.['method'] === 'TRANSFER' ? before.row(pk, sk) : undefined;
    if (!row || !opened || text(row, 'state') !== 'CREDITED' || text(opened, 'state') === 'CREDITED')
      continue;
    const paidAt = text(record(row, 'payment'), 'paidAt');
    const quoted = [0, 500].map((riseKobo) => {
      const netKobo = number(opened, 'credits') * (number(opened, 'koboPerCredit') + riseKobo);
      return netKobo + Math.round(netKobo * (lagosMonth(paidAt) < '2026-02' ? 0.075 : 0.1));
    });
    const expected = paidAt < text(opened, 'expiresAt') ? [number(opened, 'totalKobo')] : quoted;
    if (!expected.includes(number(row, 'totalKobo')))
      report('an expired transfer is quoted again', `${pk}: ${number(row, 'totalKobo')} not ${expected}`);
  }
}

/** Returns the booking that a row contains, if it is new: a credit, or the rest of a reversed payment. */
function bookingIn(
  before: JsonRow | undefined,
  { pk, sk, row }: { readonly pk: string; readonly sk: string; readonly row: JsonRow },
) {
  const reference = text(row, 'reference');
  if (sk === 'CREDIT')
    return {
      month: text(row, 'month'),
      createdAt: text(row, 'createdAt'),
      wallet: walletOf(pk),
      reference,
    };
  if (sk !== 'ORDER' || row['bookedReversal'] === undefined || before?.['bookedReversal'] !== undefined)
    return undefined;
  const booked = record(row, 'bookedReversal');
  const wallet = `${text(row, 'env')}#${text(row, 'organisationId')}`;
  return { month: text(booked, 'month'), createdAt: text(booked, 'at'), wallet, reference };
}

function lotsOf(accounts: Accounts, { versions }: Commit): Map<string, JsonRow> {
  const changed = versions.filter(({ sk }) => sk.startsWith('LOT#'));
  return new Map(
    changed.flatMap(({ pk, sk }) => {
      const row = accounts.row(pk, sk);
      return row ? [[`${pk}\n${sk}`, row] as const] : [];
    }),
  );
}

/**
 * Checks that the credits left in a lot are correct and not negative, that what was paid for it does not change, and
 * that exactly one credit added it.
 */
function checkLots(
  accounts: Accounts,
  { versions }: Commit,
  before: Map<string, JsonRow>,
  report: Report,
): void {
  for (const { pk, sk, row } of versions) {
    if (!sk.startsWith('LOT#') || !row) continue;
    const used = sum(Object.values(record(row, 'consumed')).map(Number));
    const withdrawn = sum(rows(row, 'withdrawals').map((one) => number(one, 'credits')));
    if (number(row, 'remaining') !== number(row, 'credits') - used - withdrawn)
      report('the rest of a lot is its credits minus what was taken', sk);
    if (number(row, 'remaining') < 0) report('no more is taken from a lot than it contains', sk);
    const old = before.get(`${pk}\n${sk}`);
    for (const name of ['credits', 'koboPerCredit', 'netKobo', 'vatKobo', 'kind', 'reference', 'createdAt'])
      if (old && old[name] !== row[name]) report('what was paid for a lot does not change', `${sk} ${name}`);
    const credits = accounts.credits(pk).filter((credit) => text(credit, 'lot') === text(row, 'id'));
    const added = credits.filter((credit) => number(credit, 'amount') > 0);
    if (added.length !== 1 || number(added[0], 'amount') !== number(row, 'credits'))
      report('each lot has one credit of its size', sk);
  }
}

/** Returns the credits charged to a wallet between the first request for a refund and the commit `index`. */
function chargedSince({ commits, refunds }: PaymentEvidence, reference: string, index: number): number {
  const asked = refunds.filter((one) => `refund:${one.reference}` === reference);
  const first = Math.min(index, ...asked.map(({ startedAfter }) => startedAfter));
  const charges = commits
    .slice(first, index)
    .flatMap(({ versions }) =>
      versions.filter(({ pk, sk }) => sk === 'CHARGE' && walletOf(pk) === asked[0]?.wallet),
    );
  return sum(
    charges.map(({ row }) =>
      text(row ?? undefined, 'state') === 'CHARGED' ? number(row ?? undefined, 'cost') : 0,
    ),
  );
}

/**
 * Checks that only unspent credits are refunded. Credits charged since the first request for the refund count as
 * unspent, because these charges may have used another lot.
 */
function checkRefunds(
  before: Accounts,
  { atMs, versions }: Commit,
  chargedMeanwhile: (reference: string) => number,
  report: Report,
): void {
  for (const { pk, sk, row } of versions) {
    if (sk !== 'CREDIT' || row?.['cause'] !== 'refund') continue;
    const unspent = unspentOf(before, walletOf(pk), text(row, 'lot'), atMs);
    const covered = unspent + chargedMeanwhile(text(row, 'reference'));
    if (covered < -number(row, 'amount'))
      report('only unspent credits are refunded', `${text(row, 'reference')}: ${covered} are unspent`);
  }
}

function unspentOf(accounts: Accounts, wallet: string, lot: string, atMs: number): number {
  const now = lagosMonth(new Date(atMs).toISOString());
  const uses = new LotUses(accounts, wallet);
  for (const month of monthsOf(accounts, wallet, now)) uses.month(month);
  return uses.unspent(now).get(lot) ?? 0;
}

/** Returns the months from a wallet's first lot to `last`. */
function monthsOf(accounts: Accounts, wallet: string, last: string): string[] {
  const first = accounts
    .lots(wallet)
    .map((row) => text(row, 'month'))
    .sort()[0];
  const months: string[] = [];
  for (let month = first; month !== undefined && month <= last; month = following(month)) months.push(month);
  return months;
}

function following(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/**
 * Checks at the end that a wallet holds its credits minus its charges, and that closed months agree with an independent
 * computation.
 */
function checkWallet(accounts: Accounts, wallet: string, report: Report): void {
  const credits = sum(accounts.credits(wallet).map((row) => number(row, 'amount')));
  const charged = sum(accounts.charges(wallet).map((row) => number(row, 'cost')));
  const shards = accounts.shards(wallet);
  const available = sum(shards.map((row) => number(row, 'available')));
  if (shards.some((row) => Object.keys(record(row, 'holds')).length > 0))
    report('no hold is left at the end', wallet);
  if (available !== credits - charged)
    report('a wallet holds its credits minus its charges', `${wallet}: ${available} of ${credits - charged}`);
  const positive = accounts.credits(wallet).filter((row) => number(row, 'amount') > 0);
  const lots = sum(accounts.lots(wallet).map((row) => number(row, 'credits')));
  if (lots !== sum(positive.map((row) => number(row, 'amount'))))
    report('the lots of a wallet add up to its credits', wallet);
  checkClosings(accounts, wallet, report);
}

function checkClosings(accounts: Accounts, wallet: string, report: Report): void {
  const closed = accounts.closings(wallet).filter((row) => text(row, 'state') === 'CLOSED');
  const last = closed
    .map((row) => text(row, 'month'))
    .sort()
    .at(-1);
  if (last === undefined) return;
  const uses = new LotUses(accounts, wallet);
  const totals: MonthTotals[] = [];
  for (const month of monthsOf(accounts, wallet, last)) {
    const expected = uses.month(month);
    totals.push(expected);
    const closing = closed.find((row) => text(row, 'month') === month);
    if (!closing) {
      report('months are closed in order', `${wallet} ${month}`);
      continue;
    }
    const stated = statedTotals(closing);
    if (!isEqual(stated, expected))
      report(
        'a closed month can be computed again',
        `${wallet} ${month}: ${show(stated)} not ${show(expected)}`,
      );
  }
  const total = (of: (one: MonthTotals) => number) => sum(totals.map(of));
  const deferred = totals.at(-1)?.deferredKobo ?? 0;
  const used = total(({ earnedKobo, refundedKobo, expiredKobo }) => earnedKobo + refundedKobo + expiredKobo);
  if (total(({ paidKobo }) => paidKobo) !== used + deferred)
    report('what was paid is earned, deferred, refunded or expired', wallet);
}

/**
 * Checks that a payment that was not reversed is credited if it matches its order, and otherwise waits for review by a
 * person. Also checks that the refunds match the credit notes.
 */
function checkOrder(
  accounts: Accounts,
  { taken, returned }: PaymentEvidence,
  { reference, wallet, totalKobo }: PaymentEvidence['orders'][number],
  report: Report,
): void {
  const money = taken.get(reference);
  const credit = accounts.row(`${wallet}#paystack:${reference}`, 'CREDIT');
  const order = accounts.order(wallet, reference);
  const state = text(order, 'state');
  const isExact = money?.amountKobo === totalKobo && money.currency === 'NGN' && !money.isOutdated;
  if (money && isExact && money.reversedAtMs === undefined && !credit)
    report('a paid order is credited', `${reference} is ${state}`);
  if (credit && state !== 'CREDITED' && state !== 'REFUNDED')
    report('an order with a credit is CREDITED or REFUNDED', `${reference} is ${state}`);
  if (money && !isExact && money.reversedAtMs === undefined && state !== 'MISMATCH')
    report('a payment that differs from its order waits for review', `${reference} is ${state}`);
  if (credit && text(record(order, 'payment'), 'providerReference') !== money?.id)
    report("a credited order names its payment by Paystack's ID", `${reference}: ${money?.id}`);
  const notes = accounts.documents(wallet, 'CREDIT_NOTE').filter((row) => text(row, 'order') === reference);
  const owed = sum(notes.map((row) => number(row, 'totalKobo')));
  if (credit && money?.reversedAtMs !== undefined) checkReversal(order, totalKobo - owed, report);
  const back = returned.get(reference) ?? 0;
  if (back > owed || (back < owed && money?.reversedAtMs === undefined))
    report('the amount of a credit note is returned once', `${reference}: ${back} of ${owed} kobo`);
}

/**
 * Checks that each kobo of a reversed payment is covered by a credit note, booked, or visible to a person. `restKobo` is
 * what no credit note covers.
 */
function checkReversal(order: JsonRow | undefined, restKobo: number, report: Report): void {
  const booked = record(order, 'bookedReversal');
  const bookedKobo = order?.['bookedReversal'] === undefined ? 0 : number(booked, 'totalKobo');
  const openKobo = restKobo - bookedKobo;
  const isVisible = text(order, 'problem') !== '' && text(order, 'dueKey') === 'DUE#REVIEW';
  if (openKobo < 0 || isVisible !== openKobo > 0)
    report(
      'each kobo of a reversed payment is taken back, a loss, a receivable or visible',
      `${text(order, 'reference')}: ${openKobo} kobo are open, visible ${isVisible}`,
    );
  if (bookedKobo === 0) return;
  if (!['loss', 'receivable'].includes(text(booked, 'as')) || text(order, 'resolution') === '')
    report('a booked reversal says as what and why', text(order, 'reference'));
}

function isEqual(a: MonthTotals, b: MonthTotals): boolean {
  return show(a) === show(b);
}

function show({ services, ...totals }: MonthTotals): string {
  const sorted = [...services].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    totals,
    sorted.map(([name, { requests, credits, earnedKobo }]) => [name, requests, credits, earnedKobo]),
  ]);
}
