import { type Clock, HOUR_MS, MINUTE_MS } from '../../core/clock.ts';
import { contentSha256Of } from '../documents/compose-documents.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import type { PaymentProvider, PaymentProviders, ProviderRefund } from '../paystack/payment-provider.ts';
import type { Refund } from './refund.ts';
import type { RefundRef, RefundTable } from './refund-table.ts';

/**
 * Pays refunds through Paystack, which does not recognise a repeated request: a run first searches the payment's
 * refunds for the credit note, and then claims the refund. The credit note, and not the row, says what is returned.
 */

export interface SendDependencies {
  readonly refunds: Pick<RefundTable, 'getRefund' | 'moveRefund' | 'listDue'>;
  readonly documents: Pick<DocumentTable, 'getDocument'>;
  readonly providers: PaymentProviders;
  readonly clock: Clock;
}

interface SendReport {
  sent: number;
  done: number;
  failed: number;
  /** A later run tries again. */
  errors: number;
}

/** Limits of a run. */
const MOST_REFUNDS = 50;
const BEGIN_WITHIN_MS = 25_000;

/** Until it appears in Paystack's list. */
const LEAST_PAUSE_MS = 5 * MINUTE_MS;
const MOST_PAUSE_MS = 6 * HOUR_MS;
/** All these attempts together take about two days. */
const MOST_SENDS = 12;
/** Paystack returns money to a card within ten working days. */
const FOLLOW_EVERY_MS = 6 * HOUR_MS;

const NEEDS_DETAILS =
  "Paystack needs the customer's bank details. Enter them for this refund in Paystack's dashboard.";
const NOT_RETURNED = 'Paystack could not return the money. Pay it by bank transfer.';
const NOT_ACCEPTED =
  'Paystack did not accept the refund. Look for it in its dashboard. If it is not there, pay the money by bank transfer.';
const REVERSED =
  'Paystack says that the payment was reversed, so the refund is not sent. Check in its dashboard whether the customer already has the money before you pay anything by bank transfer.';
const NOT_NOTED =
  'The refund differs from its credit note, so it is not sent. Run `reconcile` before you pay anything.';
const NOT_LISTED = 'Paystack no longer lists the refund. Look for it in its dashboard.';

const REFUND_PROBLEMS: Readonly<Record<Exclude<Refund['state'], 'FAILED'>, readonly string[]>> = {
  REQUESTED: [REVERSED, NOT_NOTED],
  SENT: [NEEDS_DETAILS, NOT_LISTED],
  DONE: [],
};

/** What a refund may say to the people who review it. Only one that Paystack accepted has a reference. */
export function problemsOf({ method, state, sends, paidBackBy }: Refund): readonly string[] {
  if (method === 'TRANSFER') return [];
  if (state !== 'FAILED') return REFUND_PROBLEMS[state];
  if (paidBackBy !== undefined) return [NOT_RETURNED];
  return sends >= MOST_SENDS ? [NOT_ACCEPTED, REVERSED] : [];
}

/** `onFailure` receives the error of each that failed. The others are still handled. */
export async function sendRefunds(
  deps: SendDependencies,
  onFailure: (error: unknown, refund: RefundRef) => void,
): Promise<SendReport> {
  const report: SendReport = { sent: 0, done: 0, failed: 0, errors: 0 };
  const startMs = deps.clock.nowMs();
  const due = await deps.refunds.listDue(new Date(startMs).toISOString());
  for (const ref of due.slice(0, MOST_REFUNDS)) {
    const nowMs = deps.clock.nowMs();
    if (nowMs >= startMs + BEGIN_WITHIN_MS) break;
    try {
      const row = await deps.refunds.getRefund(ref);
      // The index may still list a refund that another run has handled.
      if (row?.dueAt === undefined || Date.parse(row.dueAt) > nowMs) continue;
      const after = await advance(row, deps);
      if (after === 'SENT' && row.state === 'REQUESTED') report.sent += 1;
      if (after === 'DONE') report.done += 1;
      if (after === 'FAILED') report.failed += 1;
    } catch (error) {
      report.errors += 1;
      onFailure(error, ref);
      await postpone(ref, nowMs, deps).catch(() => undefined);
    }
  }
  return report;
}

/** Otherwise, refunds that always fail would prevent the others from being sent. */
async function postpone(ref: RefundRef, nowMs: number, deps: SendDependencies): Promise<void> {
  const row = await deps.refunds.getRefund(ref);
  if (row?.dueAt !== undefined && Date.parse(row.dueAt) <= nowMs)
    await move(row, { ...row, dueAt: iso(nowMs + LEAST_PAUSE_MS) }, deps);
}

/** Returns the new state; undefined if another run has moved it. */
async function advance(row: Refund, deps: SendDependencies): Promise<Refund['state'] | undefined> {
  const provider = deps.providers[row.env];
  const known = await findRefund(row, provider);
  if (known) return move(row, followed(row, known, deps.clock.nowMs()), deps);
  // By a chargeback, or in the dashboard.
  const isReversed = row.state === 'REQUESTED' && (await provider.verify(row.order)).status === 'reversed';
  const isNoted = row.state !== 'REQUESTED' || (await hasNote(row, deps));
  const claimed = isNoted
    ? claim(row, isReversed, deps.clock.nowMs())
    : { ...row, problem: NOT_NOTED, dueAt: iso(deps.clock.nowMs() + FOLLOW_EVERY_MS) };
  const moved = await move(row, claimed, deps);
  if (moved !== 'REQUESTED' || isReversed || !isNoted) return moved;
  const sent = await provider.refund({
    providerReference: row.payment,
    amountKobo: row.totalKobo,
    note: row.creditNote,
    customerNote: `Credit note ${row.creditNote}`,
  });
  const before = { ...claimed, version: row.version + 1 };
  return move(before, followed(before, sent, deps.clock.nowMs()), deps);
}

/** Otherwise the row may have been edited. */
async function hasNote(row: Refund, { documents }: SendDependencies): Promise<boolean> {
  const note = await documents.getDocument(row, row.creditNote);
  return (
    note?.kind === 'CREDIT_NOTE' &&
    note.contentSha256 === contentSha256Of(note) &&
    note.order === row.order &&
    note.payment?.providerReference === row.payment &&
    note.totalKobo === row.totalKobo
  );
}

async function findRefund(row: Refund, provider: PaymentProvider): Promise<ProviderRefund | undefined> {
  const refunds = await provider.listRefunds(row.payment);
  return refunds.find(({ note }) => note === row.creditNote);
}

/**
 * Stored before the refund is sent, so that no other run also sends it. FAILED after the last attempt. A refund that
 * Paystack no longer lists is not sent again, but gets a problem.
 */
function claim(row: Refund, isReversed: boolean, nowMs: number): Refund {
  if (row.state !== 'REQUESTED') return { ...row, problem: NOT_LISTED, dueAt: iso(nowMs + FOLLOW_EVERY_MS) };
  if (row.sends >= MOST_SENDS)
    return ended({ ...row, state: 'FAILED', problem: isReversed ? REVERSED : NOT_ACCEPTED });
  const pauseMs = Math.min(LEAST_PAUSE_MS * 2 ** row.sends, MOST_PAUSE_MS);
  const { problem: _, ...rest } = row;
  const next = { ...rest, sends: row.sends + 1, dueAt: iso(nowMs + pauseMs) };
  return isReversed ? { ...next, problem: REVERSED } : next;
}

function followed(row: Refund, known: ProviderRefund, nowMs: number): Refund {
  const { problem: _, ...rest } = row;
  const found = { ...rest, paidBackBy: known.refundReference };
  const done = { paidBackKobo: known.amountKobo, doneAt: iso(nowMs) };
  if (known.status === 'processed') return ended({ ...found, state: 'DONE', ...done });
  if (known.status === 'failed') return ended({ ...found, state: 'FAILED', problem: NOT_RETURNED });
  const dueAt = iso(nowMs + FOLLOW_EVERY_MS);
  const needsDetails = known.status === 'needs-attention' && { problem: NEEDS_DETAILS };
  return { ...found, state: 'SENT', dueAt, ...needsDetails };
}

function ended({ dueAt: _, ...rest }: Refund): Refund {
  return rest;
}

async function move(
  before: Refund,
  after: Refund,
  { refunds }: SendDependencies,
): Promise<Refund['state'] | undefined> {
  return (await refunds.moveRefund(before, after)) ? after.state : undefined;
}

const iso = (ms: number) => new Date(ms).toISOString();
