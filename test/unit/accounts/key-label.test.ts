import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createKeyBody } from '../../../shared/accounts/console/bodies.ts';
import { isLabel, LABEL_RULE } from '../../../shared/accounts/key-label.ts';
import { organisationName } from '../../../shared/members/organisation-name.ts';
import { enteredBilling } from '../../../shared/payments/console/update-billing.ts';

/** Names and labels that customers choose, and that the audit trail keeps for good. */

const NUMBERS = ['22345678901', 'BVN 22345678901', 'n.223-456-789.01', '2_2_3_4_5_6_7_8_9_0_1'];

test.each(NUMBERS)('no label or name contains the number in %j', (text) => {
  const body = { env: 'live', label: text, scopes: null, addresses: null, expires_in_days: null };
  const billing = { name: 'Kainji Pay Ltd', address: ['1 Marina, Lagos'], tax_number: '12345678-0001' };
  const email = 'accounts@example.com';

  expect(isLabel(text)).toBe(false);
  expect(v.safeParse(createKeyBody, body).issues?.map(({ message }) => message)).toEqual([LABEL_RULE]);
  expect(() => organisationName(text)).toThrow('a number of 7 or more digits');
  expect(() => enteredBilling({ ...billing, email, name: text })).toThrow('The field name is not valid.');
  expect(() => enteredBilling({ ...billing, email, address: ['1 Marina', text] })).toThrow('address.1');
});

test.each([
  ...['backend', 'till 3', 'build-1764412345678', '2026-11-29 12.30', '12345-6789'],
  ...['Ẹ̀ka Èkó', 'ቅርንጫፍ ፩', 'فرع لاغوس', '拉各斯'],
])('a label may be %j', (text) => {
  expect(isLabel(text)).toBe(true);
});

test.each([
  '',
  ' till',
  'idv_live',
  'till\n',
  'x'.repeat(51),
  '\u0301till',
  'a\u3164',
  '=1+1',
  'a#b',
  'a\u200bb',
])('a label may not be %j', (text) => {
  expect(isLabel(text)).toBe(false);
});
