import type { TransactItem } from '../../audit/audit-table.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { Credit } from '../../ledger/rows/credit.ts';
import { creditWallet } from '../../ledger/top-up.ts';
import type { CreditOrderDependencies } from '../dependencies.ts';
import { invoiceOf, receiptOf } from '../documents/compose-documents.ts';
import { issueTime, seriesOf } from '../documents/document-series.ts';
import { lotOf } from '../lots/credit-with-lot.ts';
import { creditReferenceOf, type TopUpOrder } from './order.ts';

/** A paid order, and a function that returns the item to store once it is credited. */
export interface PaidOrder {
  readonly order: TopUpOrder;
  readonly item: (credited: TopUpOrder) => TransactItem;
}

/**
 * Books the credit of a paid order, once: credit, wallet, lot, invoice, receipt, their numbers, the order and the
 * record in the audit trail are written in one transaction. `read` is called before each attempt. It returns the paid
 * order as it is now. Returns the credit row, and whether it existed before.
 */
export async function creditOrder(
  paid: TopUpOrder,
  reason: string,
  read: () => Promise<PaidOrder>,
  deps: CreditOrderDependencies,
): Promise<{ row: Credit; existed: boolean }> {
  const { env, organisationId, payment } = paid;
  if (!payment) throw new Error('An order without a payment cannot be credited.');
  const order = {
    reference: creditReferenceOf(paid),
    kind: 'TOP_UP',
    amount: paid.credits,
    actor: deps.actor,
    reason,
    // The provider's clock may be ahead of ours.
    effectiveAt: new Date(Math.min(Date.parse(payment.paidAt), deps.clock.nowMs())).toISOString(),
  } as const;
  const shards = await deps.walletShards(organisationId);
  const wallet = { env, organisationId };
  const credit = await creditWallet(wallet, shards, order, deps, deps.clock, async (row) =>
    itemsOf(wallet, row, await read(), deps),
  );
  if (!credit.existed)
    await deps.publishSoon({ wallet, atMs: deps.clock.nowMs(), reference: paid.reference });
  return credit;
}

/** Returns the items that accompany the credit row of an order. Numbers are read here and taken by the transaction. */
async function itemsOf(
  wallet: WalletId,
  row: Credit,
  { order, item }: PaidOrder,
  { lots, documents, billing, settings }: CreditOrderDependencies,
): Promise<TransactItem[]> {
  const numberOf = (kind: 'INVOICE' | 'RECEIPT') =>
    documents.nextNumber(seriesOf(wallet.env, kind, settings.documentPrefix, Date.parse(row.createdAt)));
  const [buyer, forInvoice, forReceipt] = await Promise.all([
    billing.getBilling(wallet.organisationId),
    numberOf('INVOICE'),
    numberOf('RECEIPT'),
  ]);
  if (!buyer) throw notPossible('The organisation has no billing details, so no invoice can be written.');
  const issuedAt = issueTime(row.createdAt, forInvoice, forReceipt);
  const head = { issuedAt, seller: settings.seller, buyer };
  const invoice = invoiceOf({ ...head, number: forInvoice.number }, order);
  const receipt = receiptOf({ ...head, number: forReceipt.number }, order, invoice.number);
  const lot = lotOf(row, { ...termsOf(order), invoice: invoice.number });
  const { dueAt: _, ...rest } = order;
  const credited: TopUpOrder = {
    ...rest,
    state: 'CREDITED',
    creditedAt: row.createdAt,
    lot: lot.id,
    invoice: invoice.number,
    receipt: receipt.number,
    unpublished: true,
  };
  return [
    item(credited),
    lots.lotItem(wallet, lot),
    ...documents.documentItems(wallet, invoice, forInvoice),
    ...documents.documentItems(wallet, receipt, forReceipt),
  ];
}

function termsOf({ koboPerCredit, netKobo, vatKobo, vatBasisPoints, reference }: TopUpOrder) {
  return { kind: 'paid', koboPerCredit, netKobo, vatKobo, vatBasisPoints, order: reference } as const;
}
