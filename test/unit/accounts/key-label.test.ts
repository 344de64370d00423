import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createKeyBody } from '../../../shared/accounts/console/bodies.ts';
import { labelProblem } from '../../../shared/accounts/key-label.ts';
import { parseConsoleBody } from '../../../shared/http/console/body-error.ts';
import { organisationName } from '../../../shared/members/organisation-name.ts';
import { suspendOrganisation } from '../../../shared/operators/actions/organisations.ts';
import { disableProvider } from '../../../shared/operators/actions/registries.ts';
import { enteredBilling } from '../../../shared/payments/console/update-billing.ts';

/** Names and labels that customers choose, and that the audit trail keeps for good. */

const NUMBERS = ['22345678901', 'BVN 22345678901', 'n.223-456-789.01', '2_2_3_4_5_6_7_8_9_0_1'];

const REASON = 'It must not contain a number of 10 or more digits.';
const messagesOf = (schema: v.GenericSchema, body: object) =>
  v.safeParse(schema, body).issues?.map(({ message }) => message);

test.each(NUMBERS)('no label or name contains the number in %j', (text) => {
  const body = { env: 'live', label: text, scopes: null, addresses: null, expires_in_days: null };
  const billing = { name: 'Kainji Pay Ltd', address: ['1 Marina, Lagos'], tax_number: '12345678-0001' };
  const email = 'accounts@example.com';

  expect(messagesOf(createKeyBody, body)).toEqual([
    'A label must not contain a number of 10 or more digits.',
  ]);
  expect(() => organisationName(text)).toThrow('a number of 7 or more digits');
  expect(() => enteredBilling({ ...billing, email, name: text })).toThrow('a number of 10 or more digits');
  expect(messagesOf(suspendOrganisation.body, { organisation: 'a1B2c3D4e5', reason: text })).toEqual([
    REASON,
  ]);
  expect(messagesOf(disableProvider.body, { provider: 'prembly', reason: text })).toEqual([REASON]);
  expect(() => enteredBilling({ ...billing, email, address: ['1 Marina', text] })).toThrow('address.1');
});

test.each([
  ...['backend', 'till 3', 'build-1764412345678', '2026-11-29 12.30', '12345-6789'],
  ...['backend – Lagos', 'R&D (Èkó)', "Ada's till, no. 3", 'dépôt « A »', '支店・三'],
  ...['Ẹ̀ka Èkó', 'ቅርንጫፍ ፩', 'فرع لاغوس', '拉各斯'],
])('a label may be %j', (text) => {
  expect(labelProblem(text)).toBeUndefined();
});

test.each([
  ['', '1 to 50 characters'],
  [' till', 'start with a letter or digit'],
  ['idv_live', 'idv_'],
  ['till\n', 'the character \\u000a'],
  ['x'.repeat(51), '1 to 50 characters'],
  ['\u0301till', 'start with a letter or digit'],
  ['a\u3164', 'invisible characters'],
  ['=1+1', 'the character ='],
  ['a#b', 'the character #'],
  ['member:a', 'the character :'],
  ['a" was revoked', 'the character "'],
  ['a<b', 'the character <'],
  ['a\u200bb', 'the character \\u200b'],
])('a label may not be %j, and its problem names %j', (text, named) => {
  expect(labelProblem(text)).toContain(named);
});

test('all wrong fields of a key are named at once', () => {
  const body = { env: 'live', label: 'a#b', scopes: null, addresses: ['x', '2001:db8::/32'] };
  const rejected = expect.objectContaining({
    details: expect.objectContaining({ field: 'label' }),
    others: ['addresses.0', 'expires_in_days'].map((field) =>
      expect.objectContaining({ details: expect.objectContaining({ field }) }),
    ),
  });
  expect(() => parseConsoleBody(createKeyBody, { ...body, expires_in_days: 0 })).toThrow(rejected);
});
