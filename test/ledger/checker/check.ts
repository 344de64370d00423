import { checkTotals, checkVersions, type Report } from './check-commit.ts';
import { checkErased, withoutStrays } from './check-erasures.ts';
import { type Balances, checkCharges, checkResponse } from './check-responses.ts';
import type { Evidence } from './evidence.ts';
import { LedgerState, number, text } from './ledger-state.ts';

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

/** Checks every invariant of the ledger from its rows and responses alone. Returns the violations. */
export function check(evidence: Evidence): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, detail) => violations.push({ rule, detail });
  const state = new LedgerState(evidence.wallets);
  const calls = new Map(evidence.calls.map((call) => [call.requestId, call]));
  const responded = evidence.calls
    .filter(({ response }) => response)
    .sort((a, b) => (a.response?.after ?? 0) - (b.response?.after ?? 0));
  const balances: Balances = new Map(evidence.wallets.map((name) => [name, []]));
  let atCalm: Set<string> | undefined;
  let next = 0;
  for (let after = 0; after <= evidence.commits.length; after += 1) {
    recordBalances(state, balances, after);
    for (let call = responded[next]; call && (call.response?.after ?? 0) <= after; call = responded[next]) {
      checkResponse(state, call, calls, balances, evidence.erasures, report);
      next += 1;
    }
    if (after === evidence.calmAfter) atCalm = openHolds(state);
    if (after === evidence.settledAfter) checkSettled(state, atCalm, report);
    checkErased(state, evidence.erasures, after, report);
    const durable = evidence.commits[after];
    if (!durable) break;
    const commit = withoutStrays(durable, evidence.erasures);
    checkVersions(state, commit, calls, report);
    state.apply(commit);
    checkTotals(state, commit, report);
    checkMaxHolds(state, evidence.maxHolds, report);
  }
  checkCharges(state, evidence.calls, report);
  checkEnd(state, report);
  checkPayments(state, evidence, report);
  return violations;
}

function recordBalances(state: LedgerState, balances: Balances, after: number): void {
  for (const [name, wallet] of state.wallets) {
    const shards = [...wallet.shards].sort(([a], [b]) => a - b).map(([, row]) => row.available);
    balances.get(name)?.push({ after, shards });
  }
}

function openHolds(state: LedgerState): Set<string> {
  const shards = [...state.wallets.values()].flatMap((wallet) => [...wallet.shards.values()]);
  return new Set(shards.flatMap(({ holds }) => [...holds.keys()]));
}

function checkMaxHolds(state: LedgerState, maxHolds: number, report: Report): void {
  for (const [name, { shards }] of state.wallets)
    for (const { holds } of shards.values())
      if (holds.size > maxHolds) report('a shard never has more than the maximum number of holds', name);
}

/** Checks that holds that were open when the faults ended are settled after three minutes of sweeps. */
function checkSettled(state: LedgerState, atCalm: Set<string> | undefined, report: Report): void {
  const left = openHolds(state).intersection(atCalm ?? new Set());
  if (left.size > 0) report('holds are settled within three minutes', [...left].join(' '));
}

/** Checks that no hold is left at the end, and that charges and log rows match one to one. */
function checkEnd(state: LedgerState, report: Report): void {
  for (const holdId of openHolds(state)) report('no hold is left at the end', holdId);
  for (const wallet of state.wallets.values()) {
    for (const [operationId, row] of wallet.charges) {
      if (row['state'] !== 'CHARGED') continue;
      const logs = wallet.logs.get(operationId) ?? [];
      const isMatched =
        logs.length === 1 && logs[0] && number(logs[0], 'creditsCharged') === number(row, 'cost');
      if (!isMatched) report('each charge has exactly one log row', `${operationId}: ${logs.length}`);
    }
    for (const operationId of wallet.heldOperations)
      if (wallet.logs.get(operationId)?.length !== 1)
        report('each operation that had a hold has exactly one log row', operationId);
    for (const [operationId, logs] of wallet.logs) {
      if (logs.length > 1) report('an operation has only one log row', operationId);
      for (const log of logs) {
        const isCharge = number(log, 'creditsCharged') > 0;
        const charge = wallet.charges.get(operationId);
        if (
          isCharge &&
          (charge?.['state'] !== 'CHARGED' || text(charge, 'requestId') !== text(log, 'requestId'))
        )
          report('each log row of a charge has its charge row', operationId);
      }
    }
  }
}

/** Checks that a confirmed payment has one credit row of the full amount. */
function checkPayments(state: LedgerState, { payments }: Evidence, report: Report): void {
  for (const { wallet, reference, amount, isConfirmed } of payments) {
    const row = state.wallets.get(wallet)?.credits.get(reference);
    if (isConfirmed && !row) report('a confirmed payment has a credit row', reference);
    if (row && number(row, 'amount') !== amount) report('a payment is credited in full', reference);
  }
}
