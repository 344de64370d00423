import type { Mutant, Patch } from '../ledger/mutation/mutant.ts';

/** Broken variants of the payment code. The histories must detect each. */

const patch = (file: string, find: string, replace: string): Patch => ({
  file: `shared/${file}`,
  find,
  replace,
});

const mutant = (name: string, first: Patch, ...others: Patch[]): Mutant => ({
  name,
  patches: [first, ...others],
});

const PAID_AS_ORDERED = `{ status: 'success', reference, amountKobo: order.totalKobo, currency: 'NGN', paidAt: undefined, channel: 'card', providerReference: reference } as const`;

export const PAYMENT_MUTANTS: readonly Mutant[] = [
  mutant(
    'an order is credited without asking Paystack',
    patch(
      'payments/orders/settle-top-up.ts',
      'const payment = await deps.providers[env].verify(reference);',
      `const payment = ${PAID_AS_ORDERED};`,
    ),
  ),
  mutant(
    'the amount is not compared',
    patch(
      'payments/orders/judge-payment.ts',
      'if (made.amountKobo !== order.totalKobo)',
      'if (made.amountKobo < 0)',
    ),
  ),
  mutant(
    'the currency is not compared',
    patch(
      'payments/orders/judge-payment.ts',
      'if (made.currency !== order.currency)',
      "if (made.currency === 'EUR')",
    ),
  ),
  mutant(
    'an order keeps the VAT of the day on which it was opened',
    patch(
      'payments/orders/order.ts',
      'if (vatBasisPoints === order.vatBasisPoints) return order;',
      'if (vatBasisPoints > 0) return order;',
    ),
  ),
  mutant(
    'a payment that differs is not recorded in the audit trail',
    patch(
      'payments/orders/order.ts',
      "before.state !== 'MISMATCH' && after.state === 'MISMATCH'",
      "before.state === 'MISMATCH' && after.state === 'MISMATCH'",
    ),
  ),
  mutant(
    'a second trigger credits again',
    patch(
      'ledger/tables/credit-table.ts',
      "const IF_ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };",
      "const IF_ABSENT = { ConditionExpression: 'attribute_not_exists(nothing)' };",
    ),
    patch(
      'ledger/top-up.ts',
      'if (await tables.credits.getCredit(wallet, order.reference))',
      'if (order.amount === 0 && (await tables.credits.getCredit(wallet, order.reference)))',
    ),
    patch(
      'payments/orders/order-table.ts',
      ['where`state = $', '{before.state} AND version ='].join(''),
      ['where`state <> $', '{before.state} OR state = $', '{before.state} OR version ='].join(''),
    ),
  ),
  mutant(
    'a saved card is charged again before its last charge is decided',
    patch(
      'payments/automatic/top-up-automatically.ts',
      'if (row?.charging !== undefined) return follow',
      "if (row?.charging === '') return follow",
    ),
  ),
  mutant(
    'a saved card is charged again after a decline',
    patch(
      'payments/automatic/automatic-top-up.ts',
      "return row.state === 'ON' ? { ...row, state: 'STOPPED', stopReason } : row;",
      "return row.state === 'ON' ? { ...row, stopReason } : row;",
    ),
  ),
  mutant(
    'a number is assigned outside the transaction of its document',
    patch(
      'payments/documents/document-table.ts',
      'return { series, last, number: documentNumber(series, last + 1), lastIssuedAt };',
      "const drawn = { series, last, number: documentNumber(series, last + 1), lastIssuedAt };\n      await sendWrite(client, draw(drawn, lastIssuedAt ?? ''));\n      return drawn;",
    ),
    patch('payments/documents/document-table.ts', 'listRows, put,', 'listRows, put, sendWrite,'),
    patch(
      'payments/documents/document-table.ts',
      'return [insert(wallet, document), draw(drawn, document.issuedAt)];',
      'return [insert(wallet, document)];',
    ),
  ),
  mutant(
    'a forged signature is accepted',
    patch(
      'payments/paystack/webhook-signature.ts',
      'return given.length === expected.length && timingSafeEqual(given, expected);',
      'return given.length === expected.length || timingSafeEqual(given, expected);',
    ),
  ),
  mutant(
    'spent credits are refunded',
    patch(
      'payments/refunds/refund-credits.ts',
      'const unspent = Math.max(0, Math.min(lotNow.remaining, lot.remaining));',
      'const unspent = lot.remaining;',
    ),
  ),
  mutant(
    'two refunds take the same credits',
    // Either condition alone prevents this.
    patch('payments/lots/lot-table.ts', ' AND size(withdrawals) = $', ' AND size(withdrawals) >= $'),
    patch('payments/refunds/refund-credits.ts', '    deps.orders.moveItem(order, after),\n', ''),
  ),
  mutant(
    'a booking enters a closed month',
    patch(
      'ledger/tables/credit-table.ts',
      "'attribute_not_exists(pk) OR #state = :reopened'",
      "'attribute_not_exists(pk) OR #state <> :reopened OR #state = :reopened'",
    ),
  ),
  mutant(
    'a month is closed before its bookings are rejected',
    patch('ledger/tables/credit-table.ts', "':reopened': 'REOPENED' }", "':reopened': 'CLOSING' }"),
  ),
  mutant(
    'charges use lots without a price first',
    patch(
      'payments/lots/consume-lots.ts',
      'return firstUntil(limit, this.#expiring, ',
      'return firstUntil(limit, this.#free) ?? firstUntil(limit, this.#expiring, ',
    ),
  ),
  mutant(
    'refunded credits are used again',
    patch(
      'payments/lots/consume-lots.ts',
      'opening - refunded - expired : lot.credits',
      'opening - expired : lot.credits',
    ),
  ),
  mutant(
    'a paid order is forgotten when its process ends',
    patch('payments/orders/judge-payment.ts', "if (state === 'PAID' || !isAnswered)", 'if (!isAnswered)'),
    patch(
      'payments/orders/judge-payment.ts',
      ", ...nextAskAt({ ...order, state: 'PAID' }, nowMs) } as const;",
      ' } as const;',
    ),
  ),
  mutant(
    'a late payment of an expired order is ignored',
    patch(
      'payments/orders/settle-top-up.ts',
      "state === 'MISMATCH' || state === 'REFUNDED'",
      "state === 'MISMATCH' || state === 'REFUNDED' || state === 'EXPIRED' || state === 'FAILED'",
    ),
  ),
  mutant(
    'a late payment of an expired order is credited at an outdated price',
    patch('payments/orders/judge-payment.ts', ' ?? outdatedPrice(order, latePrice)', ''),
  ),
  mutant(
    'a payment within a day of the expiry loses its price',
    patch('payments/orders/judge-payment.ts', 'const KEEPS_PRICE_MS = DAY_MS;', 'const KEEPS_PRICE_MS = 0;'),
  ),
  mutant(
    'an expired transfer keeps its total',
    patch('payments/orders/credit-transfer.ts', 'paidAtMs < Date.parse(stored.expiresAt)', 'paidAtMs > 0'),
  ),
  mutant(
    'a reversed payment is forgotten when some of its credits are taken back',
    patch(
      'payments/refunds/refund-credits.ts',
      "const after = isLast ? { ...rest, state: 'REFUNDED' as const } : order;",
      "const after = isLast ? { ...rest, state: 'REFUNDED' as const } : rest;",
    ),
  ),
  mutant(
    'a reversed payment is settled when its unspent credits are taken back',
    patch(
      'payments/refunds/refund-credits.ts',
      'const isLast = refundedCredits(lot) + credits === lot.credits;',
      'const isLast = request.isPaidBack ? credits === plan.unspent : refundedCredits(lot) + credits === lot.credits;',
    ),
  ),
  mutant(
    'a credit note is written after the rest of its payment was booked',
    patch(
      'payments/refunds/refund-credits.ts',
      'if (order.bookedReversal)',
      'if (order.bookedReversal && credits < 0)',
    ),
  ),
  mutant(
    'a loss is booked into a closed month',
    patch(
      'payments/months/closing-table.ts',
      'TransactItem => checkClosing(wallet, month, IS_OPEN)',
      'TransactItem => checkClosing(wallet, "2000-01", IS_OPEN)',
    ),
  ),
  mutant(
    'the ID of a payment is read as a number',
    patch(
      'payments/paystack/paystack-schemas.ts',
      'v.union([v.pipe(v.number(), v.safeInteger()), v.string()]),',
      'v.union([v.number(), v.string()]), v.transform(Number), v.transform(BigInt),',
    ),
  ),
  mutant(
    'JSON is parsed without the digits of long integers',
    patch('core/exact-json.ts', 'LONG_INTEGER.test(text) ? JSON.parse(text, exactValue) : ', ''),
  ),
  mutant(
    'a lot is written without its credit',
    patch('payments/lots/credit-with-lot.ts', 'row.amount > 0 ?', 'row.amount > 1 ?'),
  ),
];
