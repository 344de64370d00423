import { describe, expect, test } from '@jest/globals';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import type { FinancialDocument } from '../../shared/payments/documents/financial-document.ts';
import { drawDocument } from '../../shared/payments/documents/pdf/draw-document.ts';
import { nairaText } from '../../shared/payments/naira.ts';
import { openTopUp } from '../../shared/payments/orders/open-top-up.ts';
import { settleTopUp } from '../../shared/payments/orders/settle-top-up.ts';
import { refundCredits } from '../../shared/payments/refunds/refund-credits.ts';
import { pageText } from '../slips/open-pdf.ts';
import { closeMonth } from '../support/payments/close-month.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  setUp,
  topUpDependencies,
  WALLET,
} from '../unit/payments/memory-payments.ts';
import { MonthWorld } from '../unit/payments/month-world.ts';
import { paidWallet } from '../unit/payments/paid-wallet.ts';

/** Documents that the service wrote itself are read from the table and drawn, which checks their hashes. */

async function drawn(document: FinancialDocument | undefined): Promise<string> {
  if (!document) throw new Error('There is no such document.');
  return (await pageText(await drawDocument(document))).replaceAll(/\s+/g, ' ');
}

describe('the PDF of a document from the table', () => {
  test('shows the invoice and the receipt of a settled payment', async () => {
    const { client } = memoryClient();
    const provider = fakeProvider();
    const deps = topUpDependencies(client, provider, memoryClock('2026-11-22T10:00:00.000Z').clock);
    await setUp(deps);
    const request = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };
    const opened = await openTopUp(request, 'TOPUP-A', deps);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    provider.payments.set('TOPUP-A', {
      status: 'success',
      reference: 'TOPUP-A',
      amountKobo: opened.order.totalKobo,
      currency: 'NGN',
      paidAt: '2026-11-22T10:00:01.000Z',
      channel: 'bank_transfer',
      providerReference: '4099260516',
    });
    const order = await settleTopUp('live', 'TOPUP-A', deps);
    if (!order) throw new Error('There is no such order.');

    const invoice = await drawn(await deps.documents.getDocument(WALLET, order.invoice ?? ''));
    for (const value of [
      'Tax invoice number IDV-2026-000001',
      'Prepaid credits for identity verification 100',
      `Total ₦${nairaText(order.totalKobo)}`,
      'Paystack (bank transfer)',
      'Payment reference 4099260516',
      'Order TOPUP-A',
    ]) {
      expect(invoice).toContain(value);
    }
    const receipt = await drawn(await deps.documents.getDocument(WALLET, order.receipt ?? ''));
    expect(receipt).toContain('Receipt number IDVR-2026-000001');
    expect(receipt).toContain('Tax invoice IDV-2026-000001');
  });

  test('shows the credit note of a refund', async () => {
    const paid = await paidWallet();
    const { invoice = '' } = await paid.buy(1_000);
    const reason = 'The project ended';
    const request = { wallet: paid.wallet, invoice, credits: 400, reference: 'R1', reason, actor: 'ada' };
    const { creditNote } = await refundCredits(request, paid.deps);
    const text = await drawn(await paid.deps.documents.getDocument(paid.wallet, creditNote.number));
    expect(text).toContain(`Tax invoice ${invoice}`);
    expect(text).toContain(`Reason ${reason}`);
    expect(text).toContain('Total credited ₦18,275.00');
  });

  test('shows the statement of a closed month', async () => {
    const world = new MonthWorld('2026-11-02T10:00:00.000Z');
    const wallet = await world.organisation('org1');
    await world.buy(wallet, 10);
    await world.at('2026-11-10T10:00:00.000Z').verify(wallet, 3, 'nin-premium');
    const scope = await world.at('2026-12-01T08:00:00.000Z').scope(wallet);
    const { closing } = await closeMonth({ scope, month: '2026-11', actor: 'ada' }, world.deps);
    const documents = documentTable(world.memory.client, 'Payments');
    const text = await drawn(await documents.getDocument(wallet, closing.statement ?? ''));
    for (const value of [
      'Monthly statement number IDVS-2026-000001',
      'Month November 2026',
      'Bought 10',
      'Used -3 150.00',
      'Closing balance 7 350.00',
      'nin-premium 1 3',
    ]) {
      expect(text).toContain(value);
    }
  });
});
