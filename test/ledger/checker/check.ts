import { Books, number, text } from './books.ts';
import { type Balances, checkAnswer, checkCharges } from './check-answers.ts';
import { checkBooks, checkVersions, type Report } from './check-commit.ts';
import type { Evidence } from './evidence.ts';

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** Recomputes every invariant of the ledger from rows and answers alone. Empty where all hold. */
export function check(evidence: Evidence): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, detail) => violations.push({ rule, detail });
  const books = new Books(evidence.wallets);
  const calls = new Map(evidence.calls.map((call) => [call.requestId, call]));
  const answered = evidence.calls
    .filter(({ answer }) => answer)
    .sort((a, b) => (a.answer?.after ?? 0) - (b.answer?.after ?? 0));
  const balances = new Map(
    evidence.wallets.map((name) => [name, [] as { after: number; shards: number[] }[]]),
  );
  let atCalm: Set<string> | undefined;
  let next = 0;
  for (let after = 0; after <= evidence.commits.length; after += 1) {
    noteBalances(books, balances, after);
    for (let call = answered[next]; call && (call.answer?.after ?? 0) <= after; call = answered[next]) {
      checkAnswer(books, call, balances, report);
      next += 1;
    }
    if (after === evidence.calmAfter) atCalm = openHolds(books);
    if (after === evidence.settledAfter) checkSettled(books, atCalm, report);
    const commit = evidence.commits[after];
    if (!commit) break;
    checkVersions(books, commit, calls, report);
    books.apply(commit);
    checkBooks(books, commit, report);
    checkBulkhead(books, evidence.maxHolds, report);
  }
  checkCharges(books, evidence.calls, report);
  checkEnd(books, report);
  checkPayments(books, evidence, report);
  return violations;
}

function noteBalances(
  books: Books,
  balances: Map<string, { after: number; shards: number[] }[]>,
  after: number,
) {
  for (const [name, wallet] of books.wallets) {
    const shards = [...wallet.shards].sort(([a], [b]) => a - b).map(([, row]) => row.available);
    balances.get(name)?.push({ after, shards });
  }
}

function openHolds(books: Books): Set<string> {
  const shards = [...books.wallets.values()].flatMap((wallet) => [...wallet.shards.values()]);
  return new Set(shards.flatMap(({ holds }) => [...holds.keys()]));
}

function checkBulkhead(books: Books, maxHolds: number, report: Report): void {
  for (const [name, { shards }] of books.wallets)
    for (const { holds } of shards.values())
      if (holds.size > maxHolds) report('a shard never has more holds than its bulkhead', name);
}

/** What a killed request left is settled within three minutes of sweeping. */
function checkSettled(books: Books, atCalm: Set<string> | undefined, report: Report): void {
  const left = openHolds(books).intersection(atCalm ?? new Set());
  if (left.size > 0) report('settled within three minutes', [...left].join(' '));
}

/** At the end of everything: no hold is left, and every decision has its one log row. */
function checkEnd(books: Books, report: Report): void {
  for (const holdId of openHolds(books)) report('no hold is left at the end', holdId);
  for (const wallet of books.wallets.values()) {
    for (const [operationId, row] of wallet.charges) {
      if (row['state'] !== 'CHARGED') continue;
      const logs = wallet.logs.get(operationId) ?? [];
      const isMatched =
        logs.length === 1 && logs[0] && number(logs[0], 'creditsCharged') === number(row, 'cost');
      if (!isMatched) report('each charge has exactly one log row', `${operationId}: ${logs.length}`);
    }
    for (const [operationId, logs] of wallet.logs)
      for (const log of logs) {
        const isCharge = number(log, 'creditsCharged') > 0;
        const charge = wallet.charges.get(operationId);
        if (
          isCharge &&
          (charge?.['state'] !== 'CHARGED' || text(charge, 'requestId') !== text(log, 'requestId'))
        )
          report('each log row of a charge has its charge', operationId);
      }
  }
}

/** A confirmed payment is in the books, once and whole. */
function checkPayments(books: Books, { payments }: Evidence, report: Report): void {
  for (const { wallet, reference, amount, isConfirmed } of payments) {
    const row = books.wallets.get(wallet)?.credits.get(reference);
    if (isConfirmed && !row) report('a confirmed payment is in the books', reference);
    if (row && number(row, 'amount') !== amount) report('a payment is credited whole', reference);
  }
}

export type { Balances };
