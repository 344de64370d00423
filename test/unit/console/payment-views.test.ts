import { expect, test } from '@jest/globals';
import { invoiceView } from '../../../shared/payments/console/payment-views.ts';
import { INVOICE, STATEMENT } from '../../documents/samples.ts';

/** The documents in the list of the wallet page. */

test('a statement shows the month that it covers, and other documents show the month in which they were issued', () => {
  const closedLater = { ...STATEMENT, month: '2026-12' };
  expect(invoiceView(closedLater)).toMatchObject({ kind: 'statement', month: STATEMENT.statement?.month });
  expect(invoiceView(INVOICE)).toMatchObject({ kind: 'invoice', month: INVOICE.month });
});
