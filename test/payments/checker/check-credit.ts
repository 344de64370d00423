import { type Accounts, number, rows, text } from './accounts.ts';
import type { Report } from './check-accounts.ts';
import type { Commit, JsonRow, PaymentEvidence } from './evidence.ts';

/** A credit row that was just written, with the tables after its commit. */
interface Written {
  readonly accounts: Accounts;
  readonly commit: Commit;
  /** `<env>#<org>` */
  readonly wallet: string;
  readonly row: JsonRow;
  readonly evidence: PaymentEvidence;
}

/** Checks a credit against its payment, and against the rows that belong in its transaction. */
export function checkCredit(written: Written, report: Report): void {
  const { row, commit } = written;
  const reference = text(row, 'reference');
  if (reference.startsWith('paystack:')) checkPaid(written, reference.slice('paystack:'.length), report);
  if (number(row, 'amount') > 0 && !hasLot(commit, text(row, 'lot')))
    report('a credit and its lot are written in one transaction', reference);
  if (number(row, 'amount') < 0 && row['cause'] !== undefined) checkWithdrawal(written, report);
}

const hasLot = ({ versions }: Commit, id: string) => versions.some(({ sk }) => sk === `LOT#${id}`);

function checkPaid(
  { accounts, commit, wallet, row, evidence }: Written,
  reference: string,
  report: Report,
): void {
  const order = evidence.orders.find((one) => one.reference === reference && one.wallet === wallet);
  const money = evidence.taken.get(reference);
  if (!order || !money || money.atMs > commit.atMs) {
    report('a credit is added only after its payment', reference);
    return;
  }
  if (money.amountKobo !== order.totalKobo || money.currency !== 'NGN')
    report('a payment that differs from its order is not credited', reference);
  if (number(row, 'amount') !== order.credits) report('an order is credited in full', reference);
  const stored = accounts.order(wallet, reference);
  const written = (sk: string) =>
    commit.versions.some((version) => version.sk === sk && version.row !== null);
  const invoice = accounts.row(wallet, `DOCUMENT#${text(stored, 'invoice')}`);
  const receipt = accounts.row(wallet, `DOCUMENT#${text(stored, 'receipt')}`);
  const isWhole =
    text(stored, 'state') === 'CREDITED' &&
    written('ORDER') &&
    written(`DOCUMENT#${text(invoice, 'number')}`) &&
    written(`DOCUMENT#${text(receipt, 'number')}`) &&
    commit.versions.some(
      ({ sk, row: other }) => other?.['action'] !== undefined && /^[0-9A-Z]{26}$/.test(sk),
    );
  if (!isWhole)
    report('credit, order, lot, invoice, receipt and audit row are written in one transaction', reference);
  for (const document of [invoice, receipt]) {
    if (!hasVatOf(money.atMs, document))
      report('invoice and receipt have the VAT of the day of the payment', reference);
    if (number(document, 'totalKobo') !== order.totalKobo)
      report('invoice and receipt state what was paid', `${reference} ${text(document, 'number')}`);
  }
  const lot = accounts.row(wallet, `LOT#${text(row, 'lot')}`);
  if (number(lot, 'netKobo') + number(lot, 'vatKobo') !== order.totalKobo)
    report('a lot states what was paid for it', reference);
}

/** 7.5% in January, then 10%. Tax that is taken out of a total may differ by the rounding. */
function hasVatOf(paidAtMs: number, document: JsonRow | undefined): boolean {
  const rate = paidAtMs < Date.UTC(2026, 0, 31, 23) ? 750 : 1_000;
  const vatKobo = (number(document, 'netKobo') * rate) / 10_000;
  const [line] = rows(document, 'lines');
  return number(line, 'vatBasisPoints') === rate && Math.abs(number(document, 'vatKobo') - vatKobo) <= 1;
}

/**
 * Checks that a refund or an expiry takes the credits from its lot in the same transaction, and that a refund has a
 * credit note.
 */
function checkWithdrawal({ accounts, commit, wallet, row }: Written, report: Report): void {
  const [reference, credits] = [text(row, 'reference'), -number(row, 'amount')];
  const lot = accounts.row(wallet, `LOT#${text(row, 'lot')}`);
  const withdrawals = rows(lot, 'withdrawals').filter((one) => text(one, 'reference') === reference);
  if (
    !hasLot(commit, text(row, 'lot')) ||
    withdrawals.length !== 1 ||
    number(withdrawals[0], 'credits') !== credits
  )
    report('credits that are taken back leave their lot in the same transaction', reference);
  if (text(row, 'cause') !== 'refund') return;
  const notes = commit.versions.filter(
    ({ sk, row: other }) => sk.startsWith('DOCUMENT#') && text(other ?? undefined, 'kind') === 'CREDIT_NOTE',
  );
  const quantity = notes
    .flatMap(({ row: note }) => rows(note ?? undefined, 'lines'))
    .map((line) => number(line, 'quantity'));
  if (notes.length !== 1 || quantity.length !== 1 || quantity[0] !== credits)
    report('a refund and its credit note are written in one transaction', reference);
}
