import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { jitterMs } from '../../ledger/dependencies.ts';
import { statementOf } from '../documents/compose-documents.ts';
import { seriesOf } from '../documents/document-series.ts';
import { bookingGaps, lotAfter, type MonthUse } from '../lots/consume-lots.ts';
import type { Lot } from '../lots/lot.ts';
import { useOfMonth } from '../lots/lot-positions.ts';
import { type BegunClosing, type ClosingDependencies, tooBusy } from './begin-closing.ts';
import type { Closing, MonthFigures } from './closing.ts';

/**
 * Closes a month in steps that can be repeated: CLOSING rejects bookings, the month is computed and written into the
 * lots, and CLOSED has the figures and the statement. Error messages are for the operator.
 */

export interface ClosedMonth {
  readonly closing: Closing;
  /** True if the month was already closed. */
  readonly existed: boolean;
}

/** The index then shows a booking that was written just before. */
const INDEX_DELAY_MS = 5_000;
const MAX_ATTEMPTS = 20;

interface ComputedClosing extends BegunClosing {
  readonly figures: MonthFigures;
  readonly lots: readonly Lot[];
}

/** Stores in each lot what the month took from it. */
export async function computeClosing(
  begun: BegunClosing,
  deps: ClosingDependencies,
): Promise<ComputedClosing | BegunClosing> {
  const { scope, month, closing } = begun;
  if (closing.state === 'CLOSED') return begun;
  const { closings, lots: table, clock } = deps;
  const readableMs = Date.parse(closing.startedAt) + INDEX_DELAY_MS;
  if (clock.nowMs() < readableMs) await clock.pause(readableMs - clock.nowMs());
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const before = await table.listLots(scope.wallet);
    const use = await useOfMonth(scope, month, { lots: before, opening: begun.opening }, deps.statement);
    checkBookings(scope.wallet, month, before, use);
    const lots = before.map((lot) => lotAfter(lot, month, use));
    const changes = before.flatMap((lot, index) => changeOf(lot, lots[index]));
    // A refund in a later month may have taken credits meanwhile.
    if (await closings.changeLots(scope.wallet, changes)) return { ...begun, figures: use.figures, lots };
    await clock.pause(jitterMs(attempts, clock));
  }
  throw tooBusy(scope.wallet);
}

/** The closings of several wallets take numbers from one series, so they run one at a time. */
export async function completeClosing(
  computed: ComputedClosing | BegunClosing,
  deps: ClosingDependencies,
): Promise<ClosedMonth> {
  if (!('figures' in computed)) return { closing: computed.closing, existed: true };
  const { closings, clock, recorder } = deps;
  const { closing: before, figures, month } = computed;
  const { wallet } = computed.scope;
  const { statement: _, ...row } = before;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const closedAt = new Date(clock.nowMs()).toISOString();
    const document = await statementItems(computed, closedAt, deps);
    const { items = [], ...statement } = document ?? {};
    const after: Closing = {
      ...row,
      state: 'CLOSED',
      closedAt,
      ...statement,
      figures,
      version: row.version + 1,
    };
    const { organisationId, env } = wallet;
    const target = `month ${month} of the ${env} wallet`;
    const { linesSha256 } = figures;
    const change = { organisationId, target, after: { state: 'CLOSED', ...statement, linesSha256 } };
    const record = (rows: Record<string, string>) => recorder.record({ ...change, rows });
    if (await closings.completeClosing(wallet, { before, after }, items, record))
      return { closing: after, existed: false };
    const stored = await closings.getClosing(wallet, month);
    if (stored && stored.version !== before.version) return closedByOther(stored, figures);
    await clock.pause(jitterMs(attempts, clock));
  }
  throw tooBusy(wallet);
}

/** Each booking has its lot, each lot its line, and lots cover all charges. */
function checkBookings(
  { env, organisationId }: WalletId,
  month: string,
  lots: readonly Lot[],
  use: MonthUse,
) {
  const { withoutLine, withoutLot } = bookingGaps(month, lots, use);
  const name = `${organisationId} (${env})`;
  if (withoutLot.length > 0)
    throw notPossible(
      `These credits of ${name} in ${month} have no lot: ${withoutLot.join(', ')}. Run \`reconcile\`.`,
    );
  if (withoutLine.length > 0)
    throw notPossible(
      `The statement of ${name} for ${month} does not show these credits: ${withoutLine.join(', ')}. Run the same command again in a minute.`,
    );
  if (use.uncovered > 0)
    throw notPossible(
      `In ${month}, no lot covers ${use.uncovered} of the credits that ${name} was charged. Run \`reconcile\`.`,
    );
}

function changeOf(before: Lot, after: Lot | undefined) {
  const text = ({ consumed, withdrawals }: Lot) =>
    JSON.stringify([Object.entries(consumed).sort(), withdrawals]);
  return after && text(before) !== text(after) ? [{ before, after }] : [];
}

/** None if the wallet was empty and unused, or the buyer is unknown. */
async function statementItems(computed: ComputedClosing, issuedAt: string, deps: ClosingDependencies) {
  const { month, figures, lots, opening, scope, closing } = computed;
  const { wallet } = scope;
  if (figures.lines === 0 && opening === 0) return undefined;
  const buyer = await deps.billing.getBilling(wallet.organisationId);
  if (!buyer) return undefined;
  const { seller, documentPrefix } = deps.settings;
  const drawn = await deps.documents.nextNumber(
    seriesOf(wallet.env, 'STATEMENT', documentPrefix, Date.parse(issuedAt)),
  );
  const document = statementOf(
    { number: drawn.number, issuedAt, seller, buyer },
    { wallet, month, figures, lots, replaces: closing.statement },
  );
  return { statement: drawn.number, items: deps.documents.documentItems(wallet, document, drawn) };
}

/** Another run closed the month. Throws if its lines differ. */
function closedByOther(closing: Closing, { linesSha256 }: MonthFigures): ClosedMonth {
  if (closing.state === 'CLOSED' && closing.figures?.linesSha256 === linesSha256)
    return { closing, existed: true };
  throw notPossible(
    `${closing.month} was changed by someone else at the same time. Run the same command again.`,
  );
}
