import type { Recorder } from '../../audit/recorder.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { textProblem } from '../../core/printable-text.ts';
import type { Closing } from './closing.ts';
import type { ClosingTable } from './closing-table.ts';

/**
 * Reopens the last closed month of a wallet to compute it again. Bookings still go into the current month. The
 * statement keeps its number, and the next closing writes a new one. A second person must approve.
 */

export interface ReopeningRequest {
  readonly wallet: WalletId;
  readonly month: string;
  readonly reason: string;
}

const MAX_REASON = 200;

/** Throws what `reopenMonth` would throw, so that no one is asked to approve a failure. */
export async function checkReopening(
  { wallet, month, reason }: ReopeningRequest,
  closings: Pick<ClosingTable, 'latestClosings'>,
): Promise<Closing> {
  const problem = textProblem('The reason', reason, MAX_REASON);
  if (problem) throw notPossible(problem);
  for await (const row of closings.latestClosings(wallet)) {
    if (row.month < month) break;
    if (row.month > month && row.state !== 'REOPENED')
      throw notPossible(`${row.month} was closed after ${month}. Reopen ${row.month} first.`);
    if (row.month !== month) continue;
    if (row.state === 'CLOSED') return row;
    throw notPossible(
      row.state === 'REOPENED'
        ? `${month} is already open again.`
        : `${month} is being closed. Run \`month close\` again first.`,
    );
  }
  throw notPossible(`${month} of the ${wallet.env} wallet of ${wallet.organisationId} is not closed.`);
}

/** In one transaction with its record. Error messages are for the operator. */
export async function reopenMonth(
  request: ReopeningRequest,
  { closings, recorder }: { readonly closings: ClosingTable; readonly recorder: Recorder },
): Promise<Closing> {
  const { wallet, month, reason } = request;
  const before = await checkReopening(request, closings);
  const after: Closing = { ...before, state: 'REOPENED', version: before.version + 1 };
  const record = recorder.record({
    organisationId: wallet.organisationId,
    target: `month ${month} of the ${wallet.env} wallet`,
    before: { state: before.state, statement: before.statement },
    after: { state: after.state, reason },
  });
  if (await closings.reopenClosing(wallet, { before, after }, record)) return after;
  throw notPossible(`${month} was changed by someone else at the same time. Run the same command again.`);
}
