import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { bankDifferences } from '../../../clients/operator/bank-differences.ts';

const FILE = new URL('../../fixtures/banks/paystack-2025-11-10.json', import.meta.url);
const TEXT = readFileSync(FILE, 'utf8');

test('the comparison shows the codes that are new, closed and gone, and no other country', () => {
  const { added, closed, gone } = bankDifferences(TEXT);
  expect(added).toMatchObject([{ name: 'Example Finance Company', code: 'FC99999' }]);
  // Heritage Bank is closed in both.
  expect(closed.map(({ code }) => code)).toEqual(['832', '50864']);
  expect(gone).toContainEqual({ name: 'Tatum Bank Limited', code: '109' });
  expect(gone.map(({ code }) => code)).not.toContain('MFB50094');
});

test.each([
  ['only the list', (rows: unknown) => rows],
  ['codes in other cases', (rows: unknown) => JSON.parse(JSON.stringify(rows).replace('035A', '035a'))],
])('the file may contain %s', (_, change) => {
  const rows = change(JSON.parse(TEXT).data);
  expect(bankDifferences(JSON.stringify(rows)).added).toHaveLength(1);
});

test.each(['', '{"data": {}}', '[{"name": "A bank"}]', 'code,name'])(
  'the text %j is not a list of banks',
  (text) => {
    expect(() => bankDifferences(text)).toThrow('not a list of banks in the format of Paystack');
  },
);
