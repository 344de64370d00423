import type { Row } from '../../core/database.ts';
import { isIssuedWith } from '../documents/document-series.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import type { Lot } from '../lots/lot.ts';
import { refundOf } from '../lots/lot-value.ts';
import { type Refund, type RefundState, refundTarget } from '../refunds/refund.ts';
import { problemsOf } from '../refunds/send-refunds.ts';
import type { ReadTrail } from './check-trail.ts';
import { type Findings, type MoneyRows, monthOf } from './money-rows.ts';

/** Each refunded part of a lot has one refund and one credit note of its amounts. */
export function checkRefunds(rows: MoneyRows, findings: Findings): void {
  const lots = new Map(rows.lots.map((lot) => [lot.id, lot]));
  const amounts = new Map(rows.lots.flatMap((lot) => refundedParts(lot)));
  for (const lot of rows.lots) checkParts(lot, rows, findings);
  for (const refund of [...rows.refunds.values()].flat()) {
    const lot = lots.get(refund.lot);
    checkFacts(refund, lot, amounts.get(`${refund.lot} ${refund.reference}`), findings);
    checkNote(refund, rows, findings);
    findings.compare(
      'refund',
      nameOf(refund),
      { env: rows.wallet.env, organisation: rows.wallet.organisationId },
      { env: refund.env, organisation: refund.organisationId },
    );
    checkState(refund, findings);
  }
}

const nameOf = ({ requestedAt, creditNote }: Refund) => ({ at: requestedAt, reference: creditNote });

/** The amounts depend on the order of the refunds, because of the rounding. */
function refundedParts(lot: Lot) {
  let before = 0;
  return lot.withdrawals
    .filter(({ kind }) => kind === 'refunded')
    .map(({ reference, credits }) => {
      const part = { credits, ...refundOf(lot, { before, now: credits }) };
      before += credits;
      return [`${lot.id} ${reference}`, part] as const;
    });
}

function checkParts(lot: Lot, { refunds, orders }: MoneyRows, findings: Findings): void {
  const ofOrder = refunds.get(lot.order ?? '');
  if (!ofOrder && orders.some(({ reference }) => reference === lot.order)) return;
  for (const { kind, reference } of lot.withdrawals) {
    if (kind !== 'refunded') continue;
    const count = ofOrder?.filter((one) => one.reference === reference).length ?? 0;
    if (count !== 1)
      findings.add('refund', { at: lot.createdAt, reference }, 'one refund', `${count} refunds`);
  }
}

function checkFacts(
  refund: Refund,
  lot: Lot | undefined,
  part: ReturnType<typeof refundedParts>[number][1] | undefined,
  findings: Findings,
): void {
  const { credits, netKobo, vatKobo, totalKobo, order, invoice } = refund;
  findings.compare(
    'refund',
    nameOf(refund),
    {
      credits: part?.credits,
      netKobo: part?.netKobo,
      vatKobo: part?.vatKobo,
      totalKobo: part?.totalKobo,
      order: lot?.order,
      invoice: lot?.invoice,
    },
    { credits, netKobo, vatKobo, totalKobo, order, invoice },
  );
}

function checkNote(refund: Refund, { documents, credits, orders }: MoneyRows, findings: Findings): void {
  const note = documents.find(({ number }) => number === refund.creditNote);
  const order = orders.find(({ reference }) => reference === refund.order);
  const row = credits.get(refund.reference);
  const invoiced = documents.find(({ number }) => number === refund.invoice);
  const name = nameOf(refund);
  if (note && row && !isIssuedWith(note, row.createdAt))
    findings.add('refund', name, `issued at ${row.createdAt}`, note.issuedAt);
  if (!note) {
    findings.add('refund', name, `the credit note ${refund.creditNote}`, 'none');
    return;
  }
  const { order: ofOrder, invoice, credits: quantity, netKobo, vatKobo, totalKobo, reason, method } = refund;
  findings.compare(
    'refund',
    name,
    {
      kind: 'CREDIT_NOTE',
      ...{ order: ofOrder, invoice, quantity, netKobo, vatKobo, totalKobo, reason, method },
      payment: order?.payment?.providerReference,
      paidBy: JSON.stringify(order?.payment),
      requestedAt: row?.createdAt,
      ...namesOn(invoiced),
    },
    {
      kind: note.kind,
      order: note.order,
      invoice: note.invoice,
      quantity: note.lines[0]?.quantity,
      netKobo: note.netKobo,
      vatKobo: note.vatKobo,
      totalKobo: note.totalKobo,
      reason: note.reason,
      method: note.method,
      payment: refund.payment,
      paidBy: JSON.stringify(note.payment),
      requestedAt: refund.requestedAt,
      ...namesOn(note),
    },
  );
}

function namesOn(document: FinancialDocument | undefined) {
  const [line] = document?.lines ?? [];
  const { description, unitKobo, vatBasisPoints } = line ?? {};
  return { buyer: JSON.stringify(document?.buyer), description, unitKobo, vatBasisPoints };
}

/** A refund that is done names its payment, unless the customer had the money before. */
function checkState(refund: Refund, findings: Findings): void {
  const { method, state, doneAt, requestedAt, problem, paidBackBy, paidBackKobo = refund.totalKobo } = refund;
  if (method === 'TRANSFER' && (state === 'SENT' || state === 'FAILED'))
    findings.add('refund', nameOf(refund), 'a refund that a person pays', state);
  if ((state === 'DONE') !== (doneAt !== undefined))
    findings.add('refund', nameOf(refund), doneAt ? 'DONE' : 'a time at which it was done', state);
  if (state === 'DONE' && paidBackKobo !== refund.totalKobo)
    findings.add(
      'refund',
      nameOf(refund),
      `paid back ${refund.totalKobo} kobo`,
      `paid back ${paidBackKobo} kobo`,
    );
  const problems = problemsOf(refund);
  if ((state === 'FAILED' || problem !== undefined) && !problems.includes(problem ?? ''))
    findings.add('refund', nameOf(refund), problems.join(' / ') || 'no problem', problem ?? 'none');
  if (state === 'DONE' && doneAt !== requestedAt && paidBackBy === undefined)
    findings.add('refund', nameOf(refund), 'the reference of its payment', `none, ${monthOf(requestedAt)}`);
}

/** Before it is paid. `note` is the row of its credit note, and `trail` is absent if `checkMoney` compares it. */
export function checkOpenRefund(
  open: Refund,
  note: Row | undefined,
  trail: ReadTrail | undefined,
  findings: Findings,
): void {
  const { kind, order } = note ?? {};
  const found = `${kind} of ${order}`;
  if (found !== `CREDIT_NOTE of ${open.order}`)
    findings.add('refund', nameOf(open), `the credit note ${open.creditNote} of ${open.order}`, found);
  if (trail) checkRefundStates({ refunds: new Map([[open.order, [open]]]) }, trail, findings);
}

/** The trail states each state and reference of a refund. That of one that is done has more facts (`checkTrail`). */
export function checkRefundStates(
  { refunds }: Pick<MoneyRows, 'refunds'>,
  { entries, hashedFrom, completeFrom }: ReadTrail,
  findings: Findings,
): void {
  const stated = new Set(entries.map(({ target, after }) => `${target} ${after?.['state']}`));
  const references = new Map<string, string>();
  for (const { target, after } of entries.toSorted((a, b) => (a.at < b.at ? -1 : 1)))
    if (after?.['paidBackBy'] !== undefined) references.set(target, String(after['paidBackBy']));
  for (const refund of [...refunds.values()].flat()) {
    const { creditNote, state, requestedAt, paidBackBy } = refund;
    const has = (one: RefundState) => stated.has(`${refundTarget(creditNote)} ${one}`);
    if ((requestedAt < hashedFrom || requestedAt < completeFrom) && !has('DONE')) continue;
    const [expected] = (['DONE', 'FAILED', 'SENT', 'REQUESTED'] as const).filter(
      (one) => one === 'REQUESTED' || has(one),
    );
    if (state !== 'DONE' && state !== expected)
      findings.add('trail-money', nameOf(refund), expected ?? '', state);
    const reference = references.get(refundTarget(creditNote));
    if (state === expected && state !== 'DONE' && reference !== undefined)
      findings.compare('trail-money', nameOf(refund), { paidBackBy: reference }, { paidBackBy });
  }
}
