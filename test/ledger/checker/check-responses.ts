import { DAY_MS } from '../../../shared/core/clock.ts';
import { CLOCK_ERROR_MS, type Report } from './check-commit.ts';
import { checkErasedReplay } from './check-erasures.ts';
import type { ClientCall, Erasure } from './evidence.ts';
import { KEY_LIFE_MS, type LedgerState, number, text, type WalletState } from './ledger-state.ts';

/** Checks each response against the rows that were durable when it was sent. */

const MAX_REPLAYS = 3;
const REPLAY_WINDOW_MS = DAY_MS;
/** Codes after which the client cannot know whether it was charged. */
const UNKNOWN = new Set(['OUTCOME_UNKNOWN']);

/** The available credit of each wallet's shards after each commit. */
export type Balances = ReadonlyMap<string, { readonly after: number; readonly shards: number[] }[]>;

/** Checks one response at the time when it is sent. */
export function checkResponse(
  state: LedgerState,
  call: ClientCall,
  calls: ReadonlyMap<string, ClientCall>,
  balances: Balances,
  erasures: readonly Erasure[],
  report: Report,
): void {
  const { response, wallet: name } = call;
  const wallet = state.wallets.get(name);
  if (!response || !wallet) return;
  if (response.hasData && response.isReplay) checkReplay(wallet, call, calls, erasures, report);
  else if (response.hasData) checkVerified(wallet, call, report);
  else if (response.creditsCharged !== 0) report('only a response with a record is charged', call.requestId);
  if (response.code === 'IDEMPOTENCY_KEY_REUSED') checkReusedKey(wallet, call, calls, report);
  if (response.code === 'INSUFFICIENT_FUNDS') checkInsufficientFunds(call, balances, report);
}

/** Checks that the charge row and the log row of a record are durable before it is returned. */
function checkVerified(wallet: WalletState, call: ClientCall, report: Report): void {
  const charge = chargeOf(wallet, call.requestId);
  if (!charge) {
    report('a record is returned only after its charge row is durable', call.requestId);
    return;
  }
  if (number(charge, 'cost') !== call.cost || call.response?.creditsCharged !== call.cost)
    report('the number of credits charged is the price', call.requestId);
  const logs = wallet.logs.get(text(charge, 'operationId')) ?? [];
  // While an erasure runs, there may be a second row.
  if (logs.length === 0) report('a record is returned only after its log row is durable', call.requestId);
}

/**
 * Checks that a replay is free and in time, that it repeats the same request, and that the rows of both requests are
 * durable.
 */
function checkReplay(
  wallet: WalletState,
  call: ClientCall,
  calls: ReadonlyMap<string, ClientCall>,
  erasures: readonly Erasure[],
  report: Report,
): void {
  const { requestId, response, body, sentAtMs } = call;
  if (response?.creditsCharged !== 0) report('a replay costs nothing', requestId);
  const own = [...wallet.logs.values()].flat().find((log) => log['requestId'] === requestId);
  const first = own && String(own['replayOf']);
  if (!own || !first) {
    report('a replay has its own log row', requestId);
    return;
  }
  const charge = wallet.charges.get(first);
  if (charge?.['state'] !== 'CHARGED') {
    report('only a charged request is replayed', requestId);
    return;
  }
  // The clock of the instance that charged and that of the instance that replays may both be wrong.
  const endMs = Date.parse(text(charge, 'decidedAt')) + REPLAY_WINDOW_MS + 2 * CLOCK_ERROR_MS;
  if (sentAtMs >= endMs)
    report('a charge is replayed only for 24 hours', `${requestId} ${(sentAtMs - endMs) / 1000} s too late`);
  checkErasedReplay(wallet, charge, call, erasures, report);
  // The charged request is missing from `calls` if its client was cut off and does not know the request ID.
  const charged = calls.get(text(charge, 'requestId'));
  if (charged && charged.body !== body) report('only the same request is replayed', requestId);
  if (!wallet.logs.get(first)?.length)
    report('a replay is returned only after the log row of its charge is durable', requestId);
}

/** Checks that a 422 is returned only if a different request has claimed the key in the last 30 days. */
function checkReusedKey(
  wallet: WalletState,
  call: ClientCall,
  calls: ReadonlyMap<string, ClientCall>,
  report: Report,
): void {
  const isReused = calls
    .values()
    .some(
      (other) =>
        other.wallet === call.wallet &&
        other.key === call.key &&
        other.body !== call.body &&
        call.sentAtMs < other.sentAtMs + KEY_LIFE_MS + CLOCK_ERROR_MS &&
        wallet.hasClaimed(other.requestId),
    );
  if (!isReused) report('422 is returned only if a different request used the key', call.requestId);
}

/** Checks that a 402 is returned only if the shards together could not pay at some time during the request. */
function checkInsufficientFunds(
  { wallet, cost, shards, ...call }: ClientCall,
  balances: Balances,
  report: Report,
): void {
  const history = balances.get(wallet) ?? [];
  const start = history.findLast(({ after }) => after <= call.sentAfter);
  const during = history.filter(
    ({ after }) => after > call.sentAfter && after <= (call.response?.after ?? 0),
  );
  const sums = [...(start ? [start] : []), ...during].map((one) =>
    one.shards.slice(0, shards).reduce((total, available) => total + available, 0),
  );
  if (Math.min(...sums) >= cost)
    report('402 is returned only if the wallet was short of credit', `${call.requestId}: ${sums.join(' ')}`);
}

export function checkCharges(state: LedgerState, calls: readonly ClientCall[], report: Report): void {
  for (const call of calls) {
    const wallet = state.wallets.get(call.wallet);
    const { response } = call;
    if (!wallet || !response || response.hasData || UNKNOWN.has(response.code)) continue;
    if (chargeOf(wallet, call.requestId))
      report('a rejected or failed request is not charged', `${call.requestId} ${response.code}`);
  }
  for (const wallet of state.wallets.values()) {
    checkKeys(wallet, calls, report);
    checkReplayCount(wallet, calls, report);
  }
}

/** Checks that all attempts under one idempotency key send the same request, and are charged at most once. */
function checkKeys(wallet: WalletState, calls: readonly ClientCall[], report: Report): void {
  const bodies = new Map(calls.map(({ requestId, body }) => [requestId, body]));
  for (const { operationIds, requestIds } of [...wallet.attempts.values()].flat()) {
    if (new Set(requestIds.map((id) => bodies.get(id))).size > 1)
      report('all attempts under an idempotency key send the same request', requestIds.join(' '));
    const charged = operationIds.filter((id) => wallet.charges.get(id)?.['state'] === 'CHARGED');
    if (charged.length > 1) report('an idempotency key is charged at most once', charged.join(' '));
  }
}

function checkReplayCount(wallet: WalletState, calls: readonly ClientCall[], report: Report): void {
  const replayed = new Set(
    calls.filter(({ response }) => response?.hasData && response.isReplay).map(({ requestId }) => requestId),
  );
  const counts = new Map<string, number>();
  for (const log of [...wallet.logs.values()].flat()) {
    if (log['replayOf'] === undefined || !replayed.has(text(log, 'requestId'))) continue;
    const first = text(log, 'replayOf');
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  for (const [first, count] of counts)
    if (count > MAX_REPLAYS) report('a charge is replayed at most three times', `${first}: ${count}`);
}

function chargeOf(wallet: WalletState, requestId: string) {
  return [...wallet.charges.values()].find(
    (row) => row['state'] === 'CHARGED' && row['requestId'] === requestId,
  );
}
