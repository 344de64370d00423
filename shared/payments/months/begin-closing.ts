import type { Recorder } from '../../audit/recorder.ts';
import { monthAfter, monthBefore, monthEndMs } from '../../core/accounting-month.ts';
import type { Clock } from '../../core/clock.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { jitterMs } from '../../ledger/dependencies.ts';
import { HOLD_LIFE_MS } from '../../ledger/rows/wallet.ts';
import type { StatementScope } from '../../ledger/statement/read-statement.ts';
import type { StatementTable } from '../../ledger/statement/statement-table.ts';
import type { ShardTable } from '../../ledger/tables/shard-table.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import type { LotTable } from '../lots/lot-table.ts';
import type { BillingTable } from '../prices/billing-table.ts';
import type { MoneySettings } from '../settings.ts';
import type { Closing } from './closing.ts';
import type { ClosingTable } from './closing-table.ts';

/** The first step of closing a month: its checks, and the row that rejects further bookings. */

export interface ClosingDependencies {
  readonly closings: ClosingTable;
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly documents: Pick<DocumentTable, 'nextNumber' | 'documentItems'>;
  readonly billing: Pick<BillingTable, 'getBilling'>;
  readonly statement: StatementTable;
  readonly shards: Pick<ShardTable, 'getShards'>;
  readonly settings: Pick<MoneySettings, 'seller' | 'documentPrefix'>;
  /** `nowMs` returns the time of the AWS clock. */
  readonly clock: Clock;
  readonly recorder: Recorder;
}

export interface ClosingRequest {
  readonly scope: StatementScope;
  readonly month: string;
  readonly actor: string;
}

/** A month that is being closed, or was closed before. `opening` is the balance at its start, in credits. */
export interface BegunClosing extends ClosingRequest {
  readonly closing: Closing;
  readonly opening: number;
}

/** `waiting` is a sentence about a request of the month that is not settled yet. Nothing was changed, so try again. */
type Beginning = BegunClosing | { readonly waiting: string };

/** This long after the end of a month, its charges are decided, and the index shows them. */
const CLOSABLE_AFTER_MS = 10 * 60_000;
const MAX_ATTEMPTS = 20;

/** Rejects further bookings into the month, after checks. A month that is already being closed is resumed. */
export async function beginClosing(request: ClosingRequest, deps: ClosingDependencies): Promise<Beginning> {
  const { scope, month, actor } = request;
  const { closings, clock } = deps;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const { closing, previous } = await checkOrder(scope.wallet, month, deps);
    const opening = previous?.figures?.credits.closing ?? 0;
    if (closing && closing.state !== 'REOPENED') return { ...request, closing, opening };
    const nowMs = clock.nowMs();
    checkMonthEnded(month, nowMs);
    const waiting = await unsettledRequest(scope, month, deps);
    if (waiting !== undefined) return { waiting };
    const started = { state: 'CLOSING', startedAt: new Date(nowMs).toISOString(), startedBy: actor } as const;
    const after: Closing = { month, ...closing, ...started, version: (closing?.version ?? 0) + 1 };
    if (await closings.beginClosing(scope.wallet, { before: closing, after }, previous?.month))
      return { ...request, closing: after, opening };
    await clock.pause(jitterMs(attempts, clock));
  }
  throw tooBusy(scope.wallet);
}

/**
 * Returns the closing of the month and that of the month before. Throws if another month must be closed or reopened
 * first.
 */
async function checkOrder(wallet: WalletId, month: string, { closings, lots }: ClosingDependencies) {
  let closing: Closing | undefined;
  let earlier: Closing | undefined;
  for await (const row of closings.latestClosings(wallet)) {
    if (row.month > month && row.state !== 'REOPENED')
      throw notPossible(
        `${row.month} is already closed, so ${month} cannot be closed. Reopen ${row.month} first.`,
      );
    if (row.month === month) closing = row;
    if (row.month < month) {
      earlier = row;
      break;
    }
  }
  const previous = earlier?.month === monthBefore(month) ? earlier : undefined;
  if (previous && previous.state !== 'CLOSED') throw closeFirst(previous.month);
  if (!previous) {
    const used = (await lots.listLots(wallet)).map((lot) => lot.month).filter((one) => one < month);
    const [oldest] = used.sort();
    if (oldest !== undefined)
      throw closeFirst(earlier && earlier.month >= oldest ? monthAfter(earlier.month) : oldest);
  }
  return { closing, previous };
}

function checkMonthEnded(month: string, nowMs: number): void {
  const closableMs = monthEndMs(month) + CLOSABLE_AFTER_MS;
  if (nowMs >= closableMs) return;
  throw notPossible(
    `${month} cannot be closed before ${new Date(closableMs).toISOString()}, 10 minutes after its end in Lagos. It is now ${new Date(nowMs).toISOString()}.`,
  );
}

/** Returns a sentence about a request of the month that still holds credits, if there is one. */
async function unsettledRequest(
  { wallet, shards: count }: StatementScope,
  month: string,
  { shards }: ClosingDependencies,
): Promise<string | undefined> {
  const refs = Array.from({ length: count }, (_, shard) => ({ wallet, shard }));
  const holds = (await shards.getShards(refs)).flatMap(({ row }) => Object.values(row.holds));
  const held = holds.find(({ expiresAtMs }) => expiresAtMs - HOLD_LIFE_MS < monthEndMs(month));
  return held
    ? `The request ${held.requestId} of ${wallet.organisationId} (${wallet.env}) still holds credits from ${month}. Try again in 3 minutes. If it still does, see docs/operate/runbooks/hold-too-old.md.`
    : undefined;
}

function closeFirst(month: string): Error {
  return notPossible(
    `${month} is not closed. The months of a wallet are closed in order: close ${month} first.`,
  );
}

export function tooBusy({ env, organisationId }: WalletId): Error {
  return notPossible(`The ${env} wallet of ${organisationId} is too busy. Run the same command again.`);
}
