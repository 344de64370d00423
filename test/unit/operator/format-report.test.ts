import { expect, test } from '@jest/globals';
import { formatReport } from '../../../clients/operator/format-report.ts';
import { report, WHOSE } from '../../../shared/payments/reports/report.ts';

const COLUMNS = {
  ...WHOSE,
  month: 'text',
  credits: 'count',
  price_kobo: 'price',
  earned_kobo: 'kobo',
} as const;
const row = (organisation: string, credits: number, price: number) => ({
  organisation,
  name: 'Alpha',
  environment: 'live',
  currency: 'NGN',
  month: '2026-11',
  credits,
  price_kobo: price,
  earned_kobo: credits * price,
});

test('a table aligns numbers to the right, and has the totals of all numeric columns except prices', () => {
  const rows = [row('kBDG57GjU9', 1_000, 4_500), row('aaaaaaaaaa', 2, 99)];
  expect(formatReport(report('lots', COLUMNS, rows), 'Report lots.', 'table')).toBe(
    [
      'Report lots.',
      '',
      'ORGANISATION  NAME   CREDITS  PRICE     EARNED',
      'kBDG57GjU9    Alpha    1,000  45.00  45,000.00',
      'aaaaaaaaaa    Alpha        2   0.99       1.98',
      'TOTAL                  1,002         45,001.98',
      '',
      '2 rows. Amounts are in naira.',
      '',
    ].join('\n'),
  );
});

test('a narrow terminal shows one field per line, without aligning amounts', () => {
  const rows = [row('kBDG57GjU9', 1_000, 4_500), row('aaaaaaaaaa', 2, 99)];
  expect(formatReport(report('lots', COLUMNS, rows), 'Report lots.', 'table', 30)).toContain(
    [
      'ORGANISATION  aaaaaaaaaa',
      'NAME          Alpha',
      'CREDITS       2',
      'PRICE         0.99',
      'EARNED        1.98',
    ].join('\n'),
  );
});

test('an empty report shows a message', () => {
  expect(formatReport(report('lots', COLUMNS, []), 'Report lots.', 'table')).toBe(
    'Report lots.\n\nNone.\n\n0 rows. Amounts are in naira.\n',
  );
});

test('the headings of columns that differ only in their unit contain the unit', () => {
  const columns = { ...WHOSE, refunded_credits: 'count', refunded_kobo: 'kobo' } as const;
  const { credits, price_kobo: _price, earned_kobo, month: _month, ...whose } = row('kBDG57GjU9', 2, 4_500);
  const rows = [{ ...whose, refunded_credits: credits, refunded_kobo: earned_kobo }];
  expect(formatReport(report('lots', columns, rows), 'Report lots.', 'table')).toContain(
    'REFUNDED CREDITS  REFUNDED NAIRA',
  );
});
