import { type Books, number, text, type WalletBooks } from './books.ts';
import type { Report } from './check-commit.ts';
import type { ClientCall } from './evidence.ts';

/** What an answer promises, checked against the rows that stood when it left. */

const MAX_REPLAYS = 3;
/** Codes after which the client cannot know whether it was charged. */
const UNKNOWN = new Set(['OUTCOME_UNKNOWN']);

/** The available credit of each wallet after each commit, shard by shard. */
export type Balances = ReadonlyMap<string, readonly { readonly after: number; readonly shards: number[] }[]>;

/** At the instant at which the answer leaves. */
export function checkAnswer(books: Books, call: ClientCall, balances: Balances, report: Report): void {
  const { answer, wallet: name } = call;
  const wallet = books.wallets.get(name);
  if (!answer || !wallet) return;
  if (answer.hasData && answer.isReplay) checkReplay(wallet, call, report);
  else if (answer.hasData) checkVerified(wallet, call, report);
  else if (answer.creditsCharged !== 0) report('only data is charged', call.requestId);
  if (answer.code === 'INSUFFICIENT_FUNDS') checkRefusal(call, balances, report);
}

/** A first answer with data: its charge and its log row are durable. */
function checkVerified(wallet: WalletBooks, call: ClientCall, report: Report): void {
  const charge = chargeOf(wallet, call.requestId);
  if (!charge) {
    report('no data before its charge is durable', call.requestId);
    return;
  }
  if (number(charge, 'cost') !== call.cost || call.answer?.creditsCharged !== call.cost)
    report('the charge is the price', call.requestId);
  const logs = wallet.logs.get(text(charge, 'operationId')) ?? [];
  if (logs.length !== 1) report('no data before its log row is durable', call.requestId);
}

/** A free repeat: the charge that it repeats and both log rows are durable. */
function checkReplay(wallet: WalletBooks, { requestId, answer }: ClientCall, report: Report): void {
  if (answer?.creditsCharged !== 0) report('a replay is free', requestId);
  const own = [...wallet.logs.values()].flat().find((log) => log['requestId'] === requestId);
  const first = own && String(own['replayOf']);
  if (!own || !first) {
    report('no replay without its own log row', requestId);
    return;
  }
  if (wallet.charges.get(first)?.['state'] !== 'CHARGED') report('only a charge is replayed', requestId);
  if (!wallet.logs.get(first)?.length) report('no replay before the first log row', requestId);
}

/** 402 is false where at every instant of the request the shards together could have paid. */
function checkRefusal(
  { wallet, cost, shards, ...call }: ClientCall,
  balances: Balances,
  report: Report,
): void {
  const history = balances.get(wallet) ?? [];
  const start = history.findLast(({ after }) => after <= call.sentAfter);
  const during = history.filter(({ after }) => after > call.sentAfter && after <= (call.answer?.after ?? 0));
  const sums = [...(start ? [start] : []), ...during].map((one) =>
    one.shards.slice(0, shards).reduce((total, available) => total + available, 0),
  );
  if (Math.min(...sums) >= cost) report('no false 402', `${call.requestId}: ${sums.join(' ')}`);
}

/** Over the whole history: what the clients know of charges. */
export function checkCharges(books: Books, calls: readonly ClientCall[], report: Report): void {
  for (const call of calls) {
    const wallet = books.wallets.get(call.wallet);
    const { answer } = call;
    if (!wallet || !answer || answer.hasData || UNKNOWN.has(answer.code)) continue;
    if (chargeOf(wallet, call.requestId))
      report('no charge after a refusal', `${call.requestId} ${answer.code}`);
  }
  for (const wallet of books.wallets.values()) {
    checkChains(wallet, report);
    checkReplayCount(wallet, calls, report);
  }
}

/** At most one charge for each idempotency key, whatever attempts it saw. */
function checkChains(wallet: WalletBooks, report: Report): void {
  for (const { operationIds } of [...wallet.attempts.values()].flat()) {
    const charged = operationIds.filter((id) => wallet.charges.get(id)?.['state'] === 'CHARGED');
    if (charged.length > 1) report('at most one charge for one key', charged.join(' '));
  }
}

function checkReplayCount(wallet: WalletBooks, calls: readonly ClientCall[], report: Report): void {
  const answered = new Set(
    calls.filter(({ answer }) => answer?.hasData && answer.isReplay).map(({ requestId }) => requestId),
  );
  const counts = new Map<string, number>();
  for (const log of [...wallet.logs.values()].flat()) {
    if (log['replayOf'] === undefined || !answered.has(text(log, 'requestId'))) continue;
    const first = text(log, 'replayOf');
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  for (const [first, count] of counts)
    if (count > MAX_REPLAYS) report('at most three replays', `${first}: ${count}`);
}

function chargeOf(wallet: WalletBooks, requestId: string) {
  return [...wallet.charges.values()].find(
    (row) => row['state'] === 'CHARGED' && row['requestId'] === requestId,
  );
}
