import { expect, test } from '@jest/globals';
import { documentText } from '../../../clients/operator/commands/invoices.ts';
import { STATEMENT } from '../../documents/samples.ts';

test('a monthly statement shows its month, its balances and what each service used', () => {
  const text = documentText(STATEMENT);
  for (const line of [
    'month            2026-11',
    'opening balance  1,250 credits',
    'bought           5,000 credits',
    'other            -1,100 credits',
    'used             3,481 credits (₦147,942.50 without VAT)',
    'closing balance  1,669 credits (₦70,932.50 without VAT)',
    'SERVICE      REQUESTS  CREDITS',
    'nin-basic       1,871    1,871',
  ])
    expect(text.split('\n')).toContain(line);
});
